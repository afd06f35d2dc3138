// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_args.h"

#include <algorithm>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/option_value.h"
#include "cli/gc/gc_options.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

Error as_config(Error error, const std::vector<ProfileOption>& options, const std::string& place) {
  if (error.code != ErrorCode::kUsage) return error;
  error.code = ErrorCode::kConfig;
  std::string where = place;
  for (const ProfileOption& option : options) {
    if (error.op != "use the value of --" + option.option) continue;
    if (error.subject != "'" + option.value + "'") continue;
    where = option.place;
    break;
  }
  error.detail = error.op + " " + error.subject + ": " + error.detail;
  error.op = "read";
  error.subject = where;
  return error;
}

Result<Args> checked_args(const CommandSpec& spec, const std::vector<ProfileOption>& options,
                          const std::string& place, std::optional<std::string> argument,
                          std::vector<std::string> command) {
  ArgsBuilder args(spec);
  for (const ProfileOption& option : options) {
    const auto known = std::ranges::find(spec.options, option.option, &OptionSpec::name);
    const auto checked = check_value(*known, option.value);
    if (!checked) return fail(as_config(checked.error(), options, place));
    args.option(option.option, option.value);
  }
  if (argument) args.argument(*std::move(argument));
  args.trailing(std::move(command));
  return args.build();
}

Result<> check_profile_gc(const Profile& profile) {
  const Args args = HF_TRY(checked_args(kGcCommand, profile.gc->options, profile.place));
  const auto call = gc_call(args);
  if (!call) return fail(as_config(call.error(), profile.gc->options, profile.place));
  return {};
}

Result<> profile_gc(Context& context, const ProfileGc& gc) {
  const Args args = HF_TRY(checked_args(kGcCommand, gc.options, ""));
  const auto swept = kGcCommand.run(context, args);
  // The supervisor of the session must not share an open journal with this process.
  context.runtime().events().forget();
  const int code = HF_TRY(swept);
  if (code == to_int(ExitCode::kDone)) return {};
  // What it did not do, and why, it has said through `context`.
  const bool interrupted = code == to_int(ExitCode::kBusy);
  return fail({.code = interrupted ? ErrorCode::kBusy : ErrorCode::kCannotTell,
               .op = "remove",
               .subject = "the dead sessions",
               .cause = std::string(interrupted ? kGcInterrupted : "not-swept"),
               .detail = "`holdfast gc` answered " + std::to_string(code)});
}

}  // namespace holdfast::cli
