// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_by_token.h"
#include "cli/lock/lock_view.h"
#include "run/lock/lock_text.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<std::string> required(const Args& args, std::string_view option, std::string_view why) {
  auto text = args.text(option);
  if (text && !text->empty()) return std::move(*text);
  return fail(usage_error("missing-option", "break", "a lock",
                          "--" + std::string(option) + " is missing; " + std::string(why)));
}

Error not_held(const std::string& label) {
  return {.code = ErrorCode::kNotFound,
          .op = "break",
          .subject = "'" + label + "'",
          .cause = "not-held",
          .detail = "nobody holds it; nothing was changed"};
}

Result<> require_broken(lock::TokenAnswer answer, const std::string& label) {
  if (answer == lock::TokenAnswer::kNoLock) return fail(not_held(label));
  if (answer != lock::TokenAnswer::kNotHolder) return require_done(answer, "break", label);
  return fail({.code = ErrorCode::kRefused,
               .op = "break",
               .subject = "'" + label + "'",
               .cause = "other-hold",
               .detail = "the id is not that of the hold of now: it is another's by now, or the id "
                         "is wrong; look again with `holdfast locks`. Nothing was changed"});
}

Result<int> run_break(Context& context, const Args& args) {
  const std::string id = HF_TRY(required(args, "id", "`holdfast locks` shows it"));
  const std::string reason = HF_TRY(required(args, "reason", "it goes on record"));
  const Clock& clock = context.runtime().clock();
  const FoundLock lock = HF_TRY(find_lock(context, args));
  if (!lock.place) return fail(not_held(lock.label));
  // The decision needs a journal, and a damaged record the fences of the home.
  const auto* locks = HF_TRY(context.runtime().locks(lock::AnyFileSystem::kAllow));
  const lock::BreakResult result = HF_TRY(lock::break_lock(*lock.place, locks->fences(), id, reason,
                                                           clock, &context.runtime().events()));
  flush_events(context);
  context.emit({{"lock", lock.label}, {"holder", holder_json(result.holder)}});
  HF_TRY(require_broken(result.answer, lock.label));
  context.note("broken: it was held by " + run::holder_text(result.holder));
  return to_int(ExitCode::kDone);
}

constexpr std::array kBreakOptions{
    OptionSpec{.name = "id",
               .kind = OptionKind::kText,
               .value = "ID",
               .help = "which hold is meant: the break id that `holdfast locks NAME` shows"},
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "why; it goes on record before anything is changed"},
    kLockFileOption,
    kLockPathOption,
};
constexpr std::array kBreakArguments{kLockNameArgument};

constexpr std::array kBreakExamples{
    Example{.line = "holdfast locks deploy --json | jq -r .break_id", .says = "Which hold is it?"},
    Example{.line = "holdfast break deploy --id 5c1f0a9b3d7e2468 --reason 'host is gone'",
            .says = "End that hold, whose holder cannot be judged or will not end"},
};

constexpr std::array kBreakExits{
    ExitNote{ExitCode::kDone, "the lock is free; its old token is refused everywhere"},
    ExitNote{ExitCode::kUsage, "--id or --reason is missing"},
    ExitNote{ExitCode::kNo, "nobody holds it"},
    ExitNote{ExitCode::kCannotTell, "the journal cannot take the decision; nothing was changed"},
    ExitNote{ExitCode::kBusy,
             "a process still holds it in the kernel; it is free when that one ends"},
    ExitNote{ExitCode::kRefused, "somebody else holds it by now; nothing was changed"},
};

constexpr std::array kBreakFields{
    JsonField{"lock", "NAME, or `file:` and the absolute path"},
    JsonField{"holder", "whom it was taken from, as in `locks`"},
};

}  // namespace

constinit const CommandSpec kBreakCommand{
    .name = "break",
    .summary = "take a lock away from its holder, by order of a person",
    .description =
        "Ends one hold, whoever has it. The id says which: if the lock has come into other hands "
        "since you looked, nothing happens. The decision is on stable storage before anything is "
        "changed.\n\n"
        "The holder is not told and not killed. Its token is refused from now on, by `renew`, "
        "`check`, `release`, and by `write` and `update` at their commit; whatever else it does "
        "goes on. End it first where you can.\n\n"
        "A damaged record is written anew, where no process holds the lock, with a fence above "
        "every earlier one.",
    .options = kBreakOptions,
    .arguments = kBreakArguments,
    .examples = kBreakExamples,
    .exits = kBreakExits,
    .json_fields = kBreakFields,
    .run = run_break,
};

}  // namespace holdfast::cli
