// SPDX-License-Identifier: Apache-2.0
//
// What `holdfast ensure` does with its entries, for whoever has such entries: plan, apply, record;
// and what it tells: a line per thing that was made, pinned, missing, different or refused, the same
// as JSON, and the events.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "file/ensure/ensure.h"
#include "file/replace/target.h"
#include "format/file/manifest.h"

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

struct ApplyOptions {
  std::optional<Duration> wait{};
  file::TrustDir trust = file::TrustDir::kOnlyOwn;
  file::Links links = file::Links::kRefuse;
};

// Fenced by the locks of HOLDFAST_CHAIN. `answer` says what was done, also on an Error; where its
// `refused` is not empty, that is why nothing was. Drift is no Error. The owners of `entries` are
// ids. Errors: those of file/ensure/ensure.h and file_lock.h.
Result<> apply_entries(Context& context, const std::vector<ManifestEntry>& entries,
                       const ApplyOptions& asked, EnsureAnswer& answer);

}  // namespace holdfast::cli
