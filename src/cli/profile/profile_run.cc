// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_run.h"

#include <expected>
#include <optional>
#include <string>

#include "base/exit_code.h"
#include "cli/file/ensure_apply.h"
#include "cli/file/file_options.h"
#include "cli/file/layers_assembly.h"
#include "cli/file/layers_exec.h"
#include "cli/frame/command_line.h"
#include "cli/frame/context.h"
#include "cli/profile/profile_args.h"
#include "cli/profile/profile_plan.h"
#include "cli/session/run_options.h"
#include "cli/session/run_perform.h"
#include "file/layers/layers.h"

namespace holdfast::cli {
namespace {

// What a profile does before its session starts, in this order: `ensure`, each `refresh`, `layers`,
// `gc`. Each step is what the command of that name does (`refresh`: `write`), journal included. The
// first that fails ends it; what was done before it stays done, and may be done again. Only `gc`
// never fails: what it cannot do is a warning. A signal that asks to end, in any of them, ends it.
struct StepsDone {
  std::optional<file::LayerList> layers{};
};

// StepContext: the Context of a command that is one step of something larger. Its answer is not
// shown, for the larger thing has one of its own; what it has to note or warn about is.
class StepContext final : public Context {
 public:
  explicit StepContext(Context& whole) : whole_(whole) {}

  // Never JSON: nothing is printed, so no word must fit into a document.
  [[nodiscard]] OutputMode mode() const override { return OutputMode::kText; }
  [[nodiscard]] Verbosity verbosity() const override { return whole_.verbosity(); }
  [[nodiscard]] runtime::Runtime& runtime() const override { return whole_.runtime(); }
  void print(std::string_view /*text*/) override {}
  void emit(const Json& /*fields*/) override {}
  void report(const Error& error) override { whole_.warn(to_sentence(error)); }
  void note(std::string_view line) override { whole_.note(line); }
  void warn(std::string_view line) override { whole_.warn(line); }
  Result<> flush() override { return {}; }
  void begin_stream() override {}
  Result<> stream(std::string_view /*lines*/) override { return {}; }
  void progress(std::string_view what, std::uint64_t done, std::uint64_t total) override {
    whole_.progress(what, done, total);
  }
  [[nodiscard]] std::string paint(Paint /*paint*/, std::string_view text) const override {
    return std::string(text);
  }

 private:
  Context& whole_;
};

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

// `ensure` refuses drift too, 66, as `holdfast ensure` does.
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

}  // namespace

Result<ProfileRun> prepare_profile_run(Context& context, const Args& args) {
  std::optional<std::string> session;
  if (!args.arguments().empty()) session = args.arguments().front();
  const FoundProfile found = HF_TRY(find_profile(*args.text("profile"), session, trust_of(args)));
  const ProfilePlan plan = HF_TRY(plan_profile(context, found));
  const Profile& profile = plan.profile;
  if (profile.is_line && !args.trailing().empty()) {
    return fail(usage_error("conflict", "add words to", "the command of '" + profile.name + "'",
                            "it is a line for the shell; only an array can be added to"));
  }
  ProfileRun ready;
  ready.order = HF_TRY(run_order(context, run_args(profile, args)));
  run::RunOrder& order = ready.order;
  const auto done = do_steps(context, plan);
  if (!done) {
    ready.refusal = done.error();
    return ready;
  }
  if (done->layers) {
    // Only the profile's own words have a placeholder; what was typed is taken as it is.
    order.what.command = with_layers(profile.command, done->layers->words);
    order.what.command.insert(order.what.command.end(), args.trailing().begin(),
                              args.trailing().end());
    for (std::string& variable : stamp_environment(stamp_of(*done->layers))) {
      order.what.environment.push_back(std::move(variable));
    }
  }
  return ready;
}

Result<int> run_profile(Context& context, const Args& args, os::Handle status) {
  const ProfileRun ready = HF_TRY(prepare_profile_run(context, args));
  if (ready.refusal) return refuse_run(context, ready.order, *ready.refusal, std::move(status));
  return perform_run(context, ready.order, std::move(status));
}

}  // namespace holdfast::cli
