// SPDX-License-Identifier: Apache-2.0
//
// How the outcome of a verification is said, to people and as JSON. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id128.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_anchors.h"
#include "journal/read/verify.h"

namespace holdfast::cli {

struct Verification {
  std::optional<Id128> journal;
  std::vector<AnchorFile> files;  // result.anchors has theirs, file by file
  journal::VerifyResult result;

  // The bad lines of the files become damage. One is explained if an anchor in a later line of its
  // file holds: whatever the bad line pinned came before that.
  void judge_bad_lines();
  // There is no journal: every anchor fails, for what it pinned is gone.
  void without_journal();
};

std::string verdict_text(const Context& context, const Verification& found);
Json verdict_json(const Verification& found);

}  // namespace holdfast::cli
