// SPDX-License-Identifier: Apache-2.0
//
// run_tree: forks the shim, passes signals on to it, takes in what the commands print, and waits
// for the report. What run.h and pipeline.h have in common; they say what it promises.
//
// Signals: on return, also of an Error, the mask is as the caller had it.
// Errors: nothing was started. Later trouble is part of the outcome.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "supervise/attendant.h"
#include "supervise/output.h"
#include "supervise/report.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

struct TreeOutcome {
  TreeReport report;
  // The last signal that came here to have the work end (os::asks_to_end), whoever made it. The
  // commands have got it, too; what they make of it is theirs.
  std::optional<int> asked_to_end;
  // Where the output was taken:
  std::uint64_t bytes = 0;
  bool output_ended = false;          // all of it was taken, and nobody can add to it
  std::optional<Error> output_error;  // the taker's own, or of reading; the tree was ended then
};

// `take` gets the output where the request says StdoutTo::kHandle. `attendant`, for one command,
// may be null; its Error in born() is returned, and nothing ran.
Result<TreeOutcome> run_tree(const Clock& clock, const TreeRequest& request,
                             const TakeOutput& take = {}, Attendant* attendant = nullptr);

}  // namespace holdfast::supervise
