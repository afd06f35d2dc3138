// SPDX-License-Identifier: Apache-2.0
//
// What `holdfast ensure` tells: a line per thing that was made, pinned, missing, different or
// refused; the same as JSON; and the events.
#pragma once

#include <array>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "file/ensure/ensure.h"

namespace holdfast::cli {

// What was done. `refused` is empty, or what the plan refused, and then nothing was done.
struct EnsureAnswer {
  file::EnsureDone done{};
  std::vector<std::string> missing{};  // of --check
  std::vector<Error> refused{};
};

// Of a plan that is not applied: because of a refusal, or for --check.
EnsureAnswer answer_of(const std::vector<ManifestEntry>& entries, const file::EnsurePlan& plan);

// Lines, or the JSON document.
void show(Context& context, const EnsureAnswer& answer);
// `ensure.created` and `ensure.drift`.
void record(Context& context, const file::EnsureDone& done);

inline constexpr std::array kEnsureFields{
    JsonField{"created", "what was made, in that order: {`path`, `type`, `mode`}"},
    JsonField{"present", "how many were there as declared"},
    JsonField{"missing", "with --check: the paths that are not there"},
    JsonField{"pinned", "what was set: {`path`, `field`, `found`, `declared`}"},
    JsonField{"drift", "what differs and was left: {`path`, `field`, `found`, `declared`}"},
    JsonField{"wrong", "what was refused: {`path`, `cause`, `detail`}"},
};

}  // namespace holdfast::cli
