// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_by_token.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_check_here(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const FoundLock lock = HF_TRY(find_lock_of_token(context, args));
  if (!lock.place) return fail(no_such_lock("check", lock.label));
  const Id128 token = HF_TRY(token_for(args, lock));
  const lock::TokenResult result = HF_TRY(lock::check_by_token(*lock.place, token, clock));
  if (result.answer == lock::TokenAnswer::kNoLock) return fail(no_ledger("check", lock.label));
  HF_TRY(require_done(result.answer, "check", lock.label));
  HF_TRY(require_standing(result, "check", lock.label));
  Json fields = token_json(lock.label, result, clock);
  fields["expired"] = result.expired;
  context.emit(fields);
  if (!result.expired) return to_int(ExitCode::kDone);
  return fail({.code = ErrorCode::kRefused,
               .op = "rely on",
               .subject = "'" + lock.label + "'",
               .cause = "lease-expired",
               .detail = "its lease has run out, and others may take it at any moment; `holdfast "
                         "renew` renews it if nobody has"});
}

constexpr std::array kCheckOptions{kTokenOption, kSlotsOption, kLockFileOption, kLockPathOption};
constexpr std::array kCheckArguments{kLockNameArgument};

constexpr std::array kCheckExamples{
    Example{.line = "holdfast check deploy --token \"$T\" || exit",
            .says = "Go on only if the lock is still held"},
};

constexpr std::array kCheckExits{
    ExitNote{ExitCode::kDone, "the token holds the lock, and its lease has not run out"},
    ExitNote{ExitCode::kNo, "no lock was ever used in this home"},
    ExitNote{ExitCode::kRefused,
             "the token does not hold the lock, or its lease has run out, or its holder is dead or "
             "of an earlier boot, or the lock is not there any more"},
    ExitNote{ExitCode::kCannotTell,
             "whether its lease has run out, or its holder lives, cannot be told from here"},
    ExitNote{ExitCode::kOsRefused,
             "the system does not let the lock be read, which takes the right to write its file"},
};

constexpr std::array kCheckFields{
    JsonField{"lock", "NAME, or `file:` and the absolute path"},
    JsonField{"mode", "`exclusive` or `shared`"},
    JsonField{"fence", "of the grant"},
    JsonField{"ttl_ms", "the length of the lease; null without one"},
    JsonField{"deadline", "when it runs out; null without one"},
    JsonField{"expired", "it has run out, and nobody has taken the lock yet"},
};

}  // namespace

constinit const CommandSpec kCheckCommand{
    .name = "check",
    .summary = "is the lock still held by this token?",
    .description =
        "Asks whether the token holds the lock at this moment, and changes nothing. It prints "
        "nothing; the exit code is the answer.\n\n"
        "The answer can be out of date when it arrives. What must not happen late goes through "
        "`holdfast write` or `update`, which check and commit in one step.",
    .options = kCheckOptions,
    .arguments = kCheckArguments,
    .examples = kCheckExamples,
    .exits = kCheckExits,
    .json_fields = kCheckFields,
    .run = run_check_here,
};

}  // namespace holdfast::cli
