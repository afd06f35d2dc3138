// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_steps.h"

#include "base/exit_code.h"
#include "cli/file/ensure_apply.h"
#include "cli/file/layers_assembly.h"
#include "cli/profile/profile_gc.h"
#include "cli/profile/profile_step_context.h"

namespace holdfast::cli {
namespace {

Error drifted(const file::EnsureDone& done) {
  const file::EnsureDone::Differing& first = done.drift.front();
  const file::Difference& what = first.differences.front();
  std::string detail = "its " + what.what + " is " + what.is + ", declared " + what.declared;
  const std::size_t more = done.drift.size() - 1;
  if (more > 0) detail += "; " + std::to_string(more) + " more differ";
  return {.code = ErrorCode::kNotFound,
          .op = "find as declared",
          .subject = first.path,
          .cause = "drift",
          .detail = std::move(detail)};
}

Result<> ensure(Context& context, const ProfilePlan& plan) {
  if (plan.ensure.empty()) return {};
  EnsureAnswer answer;
  HF_TRY(apply_entries(context, plan.ensure, {.trust = plan.trust}, answer));
  if (!answer.done.drift.empty()) return fail(drifted(answer.done));
  return {};
}

// `write` has said which signal it was; its own code for that would be taken for the run's.
Error interrupted_refresh(const std::string& path) {
  return {.code = ErrorCode::kCorrupt,
          .op = "write",
          .subject = path,
          .cause = "interrupted",
          .detail = "it was asked to end"};
}

}  // namespace

std::expected<StepsDone, RunRefusal> do_steps(Context& context, const ProfilePlan& plan) {
  StepContext step(context);
  StepsDone done;
  const auto refuse = [](std::string_view name, const std::string& subject, const Error& error) {
    return std::unexpected(
        RunRefusal{.error = in_step(name, subject, error), .step = std::string(name)});
  };
  const Profile& profile = plan.profile;
  if (const auto made = ensure(step, plan); !made) {
    return refuse("ensure", profile.manifest.value_or(profile.place), made.error());
  }
  for (std::size_t i = 0; i < plan.writes.size(); ++i) {
    const auto written = perform_write(step, plan.writes[i], ground_of(plan));
    if (!written) return refuse("refresh", profile.refresh[i].path, written.error());
    if (*written != to_int(ExitCode::kDone)) {
      return refuse("refresh", profile.refresh[i].path,
                    interrupted_refresh(profile.refresh[i].path));
    }
  }
  if (profile.layers) {
    const LayerFormat format = profile.layers_compose ? LayerFormat::kCompose : LayerFormat::kArgs;
    auto list = assemble_plan(step, *profile.layers, format, Assembled::kMade, plan.trust);
    if (!list) return refuse("layers", *profile.layers, list.error());
    done.layers = *std::move(list);
  }
  if (profile.gc) {
    if (const auto swept = profile_gc(step, *profile.gc); !swept) {
      if (swept.error().cause == kGcInterrupted) return refuse("gc", profile.name, swept.error());
      context.warn(to_sentence(in_step("gc", profile.name, swept.error())) +
                   "; the session starts all the same");
    }
  }
  return done;
}

}  // namespace holdfast::cli
