// SPDX-License-Identifier: Apache-2.0
//
// What `holdfast ensure` does with its entries, for whoever has such entries: plan, apply, record.
#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/file/ensure_answer.h"
#include "cli/frame/context.h"
#include "file/replace/target.h"
#include "format/file/manifest.h"

namespace holdfast::cli {

struct ApplyOptions {
  std::optional<Duration> wait{};
  file::TrustDir trust = file::TrustDir::kOnlyOwn;
  file::Links links = file::Links::kRefuse;
};

// Fenced by the locks of HOLDFAST_CHAIN. `answer` says what was done, also on an Error; where its
// `refused` is not empty, that is why nothing was. Drift is no Error. The owners of `entries` are
// ids. Errors: those of file/ensure/ensure.h and commit_fence.h.
Result<> apply_entries(Context& context, const std::vector<ManifestEntry>& entries,
                       const ApplyOptions& asked, EnsureAnswer& answer);

}  // namespace holdfast::cli
