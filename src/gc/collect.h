// SPDX-License-Identifier: Apache-2.0
//
// collect: does a plan, or less. Each entry is proved again under the workspace's lock; what cannot
// be proved any more stays. docs/design/012-gc.md has the invariant and the interleavings.
//
// Up to kBatch workspaces are locked at a time (with a rescue one), their authorities are asked,
// once for all of them, and each one that is still dead is renamed into the trash. With
// `trash_for` zero it is removed at once, by a second thread where there are many.
//
// Guarantee: an entry that fails ends nothing; the report says of each what became of it. After the
// stop flag was raised no further entry is begun.
#pragma once

#include <span>

#include "base/result.h"
#include "format/session/gc_plan.h"
#include "gc/known_sample.h"
#include "gc/options.h"

namespace holdfast::gc {

inline constexpr std::size_t kBatch = 32;

// The journal has the plan already. Where the trash of sessions/ cannot be used, every entry is
// `failed`.
// `known_sample` is that of the plan: an answer that lists nobody of it any more proves nothing, and is
// braked (known_sample.h).
Result<> collect(const Services& services, const Options& options, const Id128& plan,
                 std::span<const GcPlanEntry> entries, const KnownSample& known_sample,
                 Report& report);

}  // namespace holdfast::gc
