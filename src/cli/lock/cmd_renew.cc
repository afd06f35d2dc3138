// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_by_token.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

constexpr Duration kRenewShortestTtl = std::chrono::milliseconds(100);

Result<int> run_renew(Context& context, const Args& args) {
  const auto ttl = args.duration("ttl");
  if (ttl && *ttl < kRenewShortestTtl)
    return bad_value("ttl", *args.text("ttl"), "a lease lasts at least 100ms");
  const Clock& clock = context.runtime().clock();
  const FoundLock lock = HF_TRY(find_lock_of_token(context, args));
  if (!lock.place) return fail(no_such_lock("renew", lock.label));
  const Id128 token = HF_TRY(token_for(args, lock));
  const auto beat = args.flag("progress") ? lock::Lock::Beat::kProgress : lock::Lock::Beat::kAlive;
  const lock::TokenResult result =
      HF_TRY(lock::renew_by_token(*lock.place, token, beat, ttl, clock));
  if (result.answer == lock::TokenAnswer::kNoLock) return fail(no_ledger("renew", lock.label));
  HF_TRY(require_done(result.answer, "renew", lock.label));
  HF_TRY(require_standing(result, "renew", lock.label));
  if (result.expired) context.note("the lease had run out; nobody had taken the lock");
  Json fields = token_json(lock.label, result, clock);
  fields["had_expired"] = result.expired;
  context.emit(fields);
  return to_int(ExitCode::kDone);
}

constexpr std::array kRenewOptions{
    kTokenOption,
    OptionSpec{.name = "progress",
               .help = "the work has come further: shown to others, beside the beat"},
    OptionSpec{.name = "ttl",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "another length of the lease from now on"},
    kSlotsOption,
    kLockFileOption,
    kLockPathOption,
};
constexpr std::array kRenewArguments{kLockNameArgument};

constexpr std::array kRenewExamples{
    Example{.line = "holdfast renew build --token \"$T\" || exit",
            .says = "Keep the lease of `T=$(holdfast acquire build --ttl 1m)`; stop if it is lost"},
    Example{.line = "holdfast renew build --progress --token @token",
            .says = "Say that the work goes on; the token is in a file"},
};

constexpr std::array kRenewExits{
    ExitNote{ExitCode::kDone, "renewed; also a lease that had run out and was taken by nobody"},
    ExitNote{ExitCode::kNo, "no lock was ever used in this home"},
    ExitNote{
        ExitCode::kRefused,
        "the token does not hold it, or its holder is dead or of an earlier boot, or it is not "
        "there any more: the lock is lost"},
    ExitNote{ExitCode::kCannotTell,
             "its lease is on the clock of another time namespace, or whether its holder lives "
             "cannot be told from here"},
};

constexpr std::array kRenewFields{
    JsonField{"lock", "NAME, or `file:` and the absolute path"},
    JsonField{"mode", "`exclusive` or `shared`"},
    JsonField{"fence", "of the grant"},
    JsonField{"ttl_ms", "the length of the lease; null without one"},
    JsonField{"deadline", "when it runs out if nobody renews it again; null without one"},
    JsonField{"had_expired", "it had run out, and nobody had taken the lock"},
};

}  // namespace

constinit const CommandSpec kRenewCommand{
    .name = "renew",
    .summary = "renew the lease of a lock",
    .description =
        "Says that the holder is alive: the lease counts from now on again. Renew at a third of "
        "its length, so that two renewals may fail. A lock without a lease is only marked as "
        "alive.",
    .options = kRenewOptions,
    .arguments = kRenewArguments,
    .examples = kRenewExamples,
    .exits = kRenewExits,
    .json_fields = kRenewFields,
    .run = run_renew,
};

}  // namespace holdfast::cli
