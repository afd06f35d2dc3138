// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_gc.h"

#include "cli/frame/commands.h"
#include "cli/gc/gc_options.h"
#include "cli/profile/profile_args.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

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
