// SPDX-License-Identifier: Apache-2.0
#include "cli/file/ensure_apply.h"

#include "cli/file/commit_fence.h"
#include "cli/file/file_lock.h"
#include "cli/file/file_options.h"
#include "file/ensure/ensure.h"
#include "run/lock/lock_environment.h"

namespace holdfast::cli {

Result<> apply_entries(Context& context, const std::vector<ManifestEntry>& entries,
                       const ApplyOptions& asked, EnsureAnswer& answer) {
  file::EnsureOptions options;
  if (asked.wait) options.wait = *asked.wait;
  options.gate = HF_TRY(gate_of_environment());
  FileLocks::Request locks{.path = {}, .links = asked.links};
  locks.lock = {.wait = options.wait,
                .chain = HF_TRY(run::chain_of_environment()),
                .any = lock::AnyFileSystem::kAllow,
                .command = "holdfast ensure"};
  options.edit_lock = edit_lock(context, std::move(locks));
  const file::EnsurePlan plan =
      plan_ensure(entries, file::Purpose::kApply, asked.trust, asked.links);
  if (const Error* refusal = plan.refusal()) {
    answer = answer_of(entries, plan);
    answer.missing.clear();
    return fail(record_refused(context, refusal->subject, *refusal));
  }
  const auto applied = apply_ensure(entries, plan, options, answer.done);
  record(context, answer.done);
  if (!applied) return fail(record_refused(context, applied.error().subject, applied.error()));
  return {};
}

}  // namespace holdfast::cli
