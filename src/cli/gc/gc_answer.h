// SPDX-License-Identifier: Apache-2.0
//
// What `gc` says of what it did.
#pragma once

#include "cli/frame/context.h"
#include "format/session/gc_plan.h"
#include "gc/adopt.h"
#include "gc/options.h"

namespace holdfast::cli {

enum class GcDone : std::uint8_t { kPlanned, kSwept };

// Prints, warns and emits; the exit code. `verbose`: also what is kept. `adopted` may be null.
int answer_gc(Context& context, const gc::Report& report, const gc::Adopted* adopted, GcDone done,
              bool verbose);

}  // namespace holdfast::cli
