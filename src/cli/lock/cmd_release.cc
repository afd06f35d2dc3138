// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_by_token.h"
#include "cli/lock/lock_options.h"
#include "run/lock/lock_environment.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

// A script with `acquire` and `release` works the same under a `holdfast lock` of that lock: what
// was only entered again is not its to release. A chain may be stale: a process that was left
// behind has it still when the command has ended, and then there is nobody to leave it to.
Result<bool> is_of_a_command_around(const lock::Place& place, const Id128& token,
                                    const Clock& clock) {
  for (const ChainEntry& entry : HF_TRY(run::chain_of_environment())) {
    if (entry.ledger != place.ledger_path || entry.token != token) continue;
    return HF_TRY(lock::check_by_token(place, token, clock)).answer == lock::TokenAnswer::kDone;
  }
  return false;
}

int leave_it(Context& context, const std::string& label) {
  context.note("the lock '" + label +
               "' is that of a `holdfast lock` around this command, which releases it at its end");
  context.emit({{"lock", label}, {"released", false}, {"mode", nullptr}, {"fence", nullptr}});
  return to_int(ExitCode::kDone);
}

Result<int> run_release(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const FoundLock lock = HF_TRY(find_lock_of_token(context, args));
  if (!lock.place) return fail(no_such_lock("release", lock.label));
  const Id128 token = HF_TRY(token_for(args, lock));
  if (HF_TRY(is_of_a_command_around(*lock.place, token, clock))) {
    return leave_it(context, lock.label);
  }
  const lock::TokenResult result =
      HF_TRY(lock::release_by_token(*lock.place, token, clock, lock.events));
  flush_events(context);
  HF_TRY(require_done(result.answer, "release", lock.label));
  context.emit({{"lock", lock.label},
                {"released", true},
                {"mode", to_text(result.mode)},
                {"fence", result.fence}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kReleaseOptions{kTokenOption, kSlotsOption, kLockFileOption, kLockPathOption};
constexpr std::array kReleaseArguments{kLockNameArgument};

constexpr std::array kReleaseExamples{
    Example{.line = "holdfast release deploy --token \"$T\"",
            .says = "Release what `T=$(holdfast acquire deploy)` took"},
    Example{.line = "HOLDFAST_TOKEN=$T holdfast release deploy",
            .says = "The same, without the token on the command line"},
};

constexpr std::array kReleaseExits{
    ExitNote{ExitCode::kDone,
             "it is free for others now; or it is that of a `holdfast lock` around this command"},
    ExitNote{ExitCode::kNo, "there is no such lock"},
    ExitNote{ExitCode::kBusy,
             "the lock of a file: released, but the process that has the flock has not let go"},
    ExitNote{ExitCode::kRefused,
             "the token does not hold it; nothing was changed, and the attempt is on record"},
};

constexpr std::array kReleaseFields{
    JsonField{"lock", "NAME, or `file:` and the absolute path"},
    JsonField{"released", "false where a `holdfast lock` around this command keeps it"},
    JsonField{"mode", "`exclusive` or `shared`; null where it was not released"},
    JsonField{"fence", "of the grant that has ended; null in the same way"},
};

}  // namespace

constinit const CommandSpec kReleaseCommand{
    .name = "release",
    .summary = "release a lock with its token",
    .description =
        "Frees the lock that `holdfast acquire` took, and ends its keeper. Whoever has the token "
        "may do it, from any process. A token that does not hold the lock, or holds it no more, "
        "changes nothing. Under a `holdfast lock` of the same lock (HOLDFAST_CHAIN) nothing is "
        "released: that command's end does it.",
    .options = kReleaseOptions,
    .arguments = kReleaseArguments,
    .examples = kReleaseExamples,
    .exits = kReleaseExits,
    .json_fields = kReleaseFields,
    .run = run_release,
};

}  // namespace holdfast::cli
