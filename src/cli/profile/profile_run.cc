// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_run.h"

#include "cli/file/file_options.h"
#include "cli/file/layers_exec.h"
#include "cli/file/layers_stamp.h"
#include "cli/frame/command_line.h"
#include "cli/profile/profile_plan.h"
#include "cli/profile/profile_steps.h"
#include "cli/session/run_options.h"
#include "cli/session/run_perform.h"

namespace holdfast::cli {

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
