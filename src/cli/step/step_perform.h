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

// `request.key` is set here. Everything is said here: the document, the notes, the error.
Result<int> perform_step(Context& context, const Args& args, loop::StepRequest request,
                         const std::optional<loop::Question>& verify = {});

}  // namespace holdfast::cli
