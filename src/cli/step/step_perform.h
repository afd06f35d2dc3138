// SPDX-License-Identifier: Apache-2.0
//
// From the checked command line of a step to its exit code.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"
#include "loop/step/step_run.h"

namespace holdfast::cli {

struct StepVerify {
  std::string line{};  // for /bin/sh -c
  Duration timeout{};
};

// `ask.key` is set here. Everything is said here: the document, the notes, the error.
Result<int> perform_step(Context& context, const Args& args, loop::StepAsk ask,
                         const std::optional<StepVerify>& verify = {});

}  // namespace holdfast::cli
