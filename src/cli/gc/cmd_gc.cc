// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/gc/gc_options.h"
#include "cli/lock/lock_options.h"
#include "gc/sweep.h"
#include "lock/ledger/retire.h"
#include "loop/intent/claims.h"
#include "loop/step/step_forget.h"
#include "loop/step/step_store.h"
#include "os/signal/signal_flag.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<> carry_out(const gc::Services& services, const GcRequest& call, gc::Report& report) {
  if (call.apply) return gc::apply(services, *call.apply, call.overrides, report);
  if (!call.plan_only) return gc::sweep(services, call.options, report);
  GcPlan plan = HF_TRY(gc::plan_only(services, call.options, report));
  for (GcPlanEntry& entry : plan.entries) {
    report.removed.push_back({.name = std::move(entry.name), .reason = std::move(entry.reason)});
  }
  return {};
}

// As long as the dead lie in the trash, idle locks keep their ledgers, and steps that decide
// nothing any more their records. Without a plan: nobody can lose anything by it (lock/ledger/retire.h,
// loop/step/step_forget.h).
Result<> retire(runtime::Runtime& runtime, const gc::Services& services, Duration idle,
                gc::Report& report) {
  lock::LocalBackend& backend = *HF_TRY(runtime.locks());
  const auto go_on = [&] { return !services.stop.raised(); };
  const auto locks = HF_TRY(lock::retire_idle_locks(backend, idle, services.clock, go_on));
  report.retired = locks.ledgers;
  for (const std::string& why : locks.failed) report.warnings.push_back(why);
  auto once = HF_TRY(runtime.find_steps());
  if (!once) return {};
  const loop::StepStore store(*std::move(once));
  const auto steps = HF_TRY(loop::retire_lapsed_steps({.clock = services.clock,
                                                       .events = services.events,
                                                       .sessions = services.sessions,
                                                       .steps = store},
                                                      idle, go_on));
  report.lapsed = steps.records;
  for (const std::string& why : steps.failed) report.warnings.push_back(why);
  return {};
}

Result<int> run_gc(Context& context, const Args& args) {
  const GcRequest call = HF_TRY(gc_call(args));
  runtime::Runtime& runtime = context.runtime();
  const os::Dir& home = HF_TRY(runtime.home())->dir();
  const auto& sessions = *HF_TRY(runtime.sessions());
  lock::LocalBackend& locks = *HF_TRY(runtime.locks());
  const os::SignalFlag signals = HF_TRY(os::SignalFlag::listen());
  const gc::Services services{
      .sessions = sessions,
      .home = home,
      .locks = locks,
      .events = runtime.events(),
      .clock = runtime.clock(),
      .stop = signals.flag(),
      .claims = [&home] { return loop::claims_in(home); },
      .progress = [&context](std::string_view what, std::uint64_t done,
                             std::uint64_t total) { context.progress(what, done, total); },
      .waiting = [&context](std::string_view whom) { return context.waiting(whom); },
      .dead_groups = true};
  gc::Report report;
  std::optional<gc::Adopted> adopted;
  if (call.adopt) {
    adopted = HF_TRY(gc::adopt(services, *call.adopt));
    report.failed = adopted->failed;
    for (const std::string& name : adopted->unmarked) {
      report.warnings.push_back("'" + name +
                                "' was adopted without a mark, which its file system cannot keep: "
                                "another home may adopt it too");
    }
    if (adopted->matched == 0) {
      report.warnings.push_back("nothing in " + call.adopt->directory + " has a name like '" +
                                call.adopt->pattern + "'; nothing was adopted");
    }
  }
  const auto done = carry_out(services, call, report);
  if (done && !call.plan_only && !call.apply) {
    const auto retired = retire(runtime, services, call.options.trash_for, report);
    if (!retired) report.warnings.push_back(to_sentence(retired.error()));
  }
  flush_events(context);
  if (!done) return fail(done.error());
  return answer_gc(context, report, adopted ? &*adopted : nullptr,
                   call.plan_only ? GcDone::kPlanned : GcDone::kSwept, args.flag("verbose"));
}

constexpr std::array kGcExits{
    ExitNote{ExitCode::kDone, "the sweep ran; what failed is listed"},
    ExitNote{ExitCode::kNo, "--apply: there is no such plan, or it was applied already"},
    ExitNote{ExitCode::kCannotTell,
             "an authority did not answer as it must, or another one did: its workspaces are kept; "
             "or the journal could not be written, and nothing was removed"},
    ExitNote{ExitCode::kOsRefused, "the home cannot be written at all; nothing was removed"},
    ExitNote{ExitCode::kBusy, "a signal ended it; what is listed was done"},
    ExitNote{ExitCode::kRefused,
             "the brake: a probe that can only list knows none of its workspaces, or less than "
             "half of five or more; or the plan of --apply is outdated"},
};

constexpr std::array kGcFields{
    JsonField{"plan_id", "the plan"},
    JsonField{"applied", "false with --plan: nothing was removed"},
    JsonField{"removed", "`name` and `reason` of each that went, or with --plan would go"},
    JsonField{"kept", "of each that stays, and why"},
    JsonField{"failed", "of each that is dead and could not be removed"},
    JsonField{"unknown", "of each of which it cannot be told; it stays"},
    JsonField{"skipped", "`authority`, `reason` and `detail` of those who did not answer"},
    JsonField{"braked", "`authority`, `reason`, `gone` and `known`"},
    JsonField{"purged", "how many were removed for good"},
    JsonField{"retired", "how many records of locks that nobody used for so long were removed"},
    JsonField{"lapsed", "how many records of steps that decide nothing any more were removed"},
    JsonField{"adopted", "the names that --adopt-dir added, or with --plan would add"},
    JsonField{"interrupted", "a signal ended it early"},
};

}  // namespace

constinit const CommandSpec kGcCommand{
    .name = "gc",
    .summary = "remove workspaces that are proven dead",
    .description = kGcDescription,
    .options = kGcOptions,
    .examples = kGcExamples,
    .exits = kGcExits,
    .json_fields = kGcFields,
    .brief = kGcBrief,
    .run = run_gc,
};

}  // namespace holdfast::cli
