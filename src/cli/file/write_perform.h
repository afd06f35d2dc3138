// SPDX-License-Identifier: Apache-2.0
//
// What `holdfast write` does, for whoever has its Args: the command itself, and profiles.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"

namespace holdfast::cli {

// Where the commands of a write run, and whether they get the caller's standard input.
struct WriteGround {
  std::optional<std::string> directory{};  // else where the caller is
  bool has_stdin = true;                   // else the producer reads nothing
};

// Changes nothing and runs nothing. Errors: kUsage for what is wrong with the options.
Result<> check_write(const Args& args, const WriteGround& ground);

// `args` are those of kWriteCommand, with their values checked. The answer goes to `context`, and
// the event to the journal. Errors: kUsage; those of file/replace/replace.h and content_source.h.
Result<int> perform_write(Context& context, const Args& args, const WriteGround& ground);

}  // namespace holdfast::cli
