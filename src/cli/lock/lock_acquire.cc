// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_acquire.h"

#include "base/cause.h"
#include "base/path_text.h"
#include "base/units.h"
#include "cli/lock/lock_options.h"
#include "cli/lock/lock_owner.h"
#include "cli/lock/lock_view.h"
#include "cli/session/if_busy.h"
#include "format/json/json.h"
#include "lock/grant/keeper.h"
#include "lock/grant/slots.h"
#include "os/spawn/env.h"
#include "run/lock/lock_text.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

using LockAcquireKind = lock::AcquireOutcome::Kind;

std::int64_t lock_acquire_milliseconds(Duration duration) {
  return std::chrono::floor<std::chrono::milliseconds>(duration).count();
}

Json identity_json(const proc::Identity& identity) {
  return {{"boot", to_hex(identity.boot)},   {"machine", to_hex(identity.machine)},
          {"pidns", identity.pidns},         {"timens", identity.timens},
          {"pid", os::number(identity.pid)}, {"start", identity.start},
          {"pidfs", identity.pidfs},         {"uid", identity.uid}};
}

std::string why_not(const lock::AcquireOutcome& outcome) {
  if (outcome.kind == LockAcquireKind::kDeadlock || outcome.kind == LockAcquireKind::kSurvivors)
    return outcome.detail;
  if (outcome.busy_reason == cause::kReadersFull) return "it has as many readers as it can have";
  std::string text = "held by " + run::holder_text(outcome.holder);
  if (outcome.waited >= std::chrono::milliseconds(1))
    text += "; gave up after " + format_duration(outcome.waited);
  return text;
}

std::string_view cause_of(const lock::AcquireOutcome& outcome) {
  switch (outcome.kind) {
    case LockAcquireKind::kDeadlock:
      return "deadlock";
    case LockAcquireKind::kSurvivors:
      return "survivors";
    case LockAcquireKind::kCancelled:
      return "cancelled";
    default:
      break;
  }
  return outcome.busy_reason;
}

// Where there is no fork the keeper is another start of this program (lock/grant/keeper.h): the words
// that lead it to is_keeper(), and what that start asks first. True: it was one, and its work is
// done.
std::vector<std::string> keeper_words(const lock::LocalBackend& locks, const Args& args) {
  std::vector<std::string> words{"acquire", "--home", std::string(parent_path(locks.dir().path()))};
  if (args.flag("allow-fs")) words.emplace_back("--allow-fs");
  words.emplace_back("keeper");  // any name: the order says which lock
  return words;
}

}  // namespace

Result<int> not_acquired(Context& context, const std::string& label,
                         const lock::AcquireOutcome& outcome, const proc::Identity* owner) {
  context.emit({{"lock", label},
                {"holder", holder_json(outcome.holder)},
                {"waited_ms", lock_acquire_milliseconds(outcome.waited)}});
  Error error{.code = ErrorCode::kBusy,
              .op = "acquire",
              .subject = "'" + label + "'",
              .cause = std::string(cause_of(outcome)),
              .detail = why_not(outcome)};
  if (outcome.kind == LockAcquireKind::kBusy && owner != nullptr &&
      outcome.holder.pid == os::number(owner->pid)) {
    error.detail += "; that is the caller itself, which has its token";
  }
  if (outcome.kind != LockAcquireKind::kSurvivors) return fail(std::move(error));
  context.report(error);
  return to_int(ExitCode::kSurvivors);
}

Result<> try_to_acquire(Context& context, const Args& args, const lock::LockId& id,
                        const Clock& clock, const std::optional<proc::Pinned>& owner,
                        lock::AcquireRequest& request, Trying& tried) {
  const auto* locks = HF_TRY(context.runtime().locks(any_file_system(args)));
  runtime::BufferedEvents& events = context.runtime().events();
  const lock::OnWait on_wait = [&](const lock::HolderView& holder) {
    context.note(run::waiting_text(tried.label, holder, request.wait));
  };
  if (tells_of_waits(context)) request.on_wait = &on_wait;
  if (const std::uint32_t slots = HF_TRY(slots_value(args, id)); slots != 0) {
    // A slot of its own, also below another one: each is held for its own owner.
    lock::SlotOutcome got =
        HF_TRY(lock::acquire_slot(*locks, clock, &events,
                                  {.name = id.text,
                                   .count = slots,
                                   .stagger = args.duration("stagger").value_or(Duration::zero())},
                                  request));
    tried.lock = std::move(got.lock);
    tried.outcome = std::move(got.outcome);
    if (tried.lock) tried.label = tried.lock->label();
    return {};
  }
  lock::Place place = HF_TRY(locks->place_of(id));
  tried.lock = std::make_unique<lock::LocalLock>(std::move(place), locks->fences(), clock, &events);
  tried.label = tried.lock->label();
  request.chain = HF_TRY(chain_for_owner(args, owner, tried.lock->ledger_path()));
  tried.outcome = HF_TRY(tried.lock->acquire(request));
  return {};
}

Result<std::optional<int>> go_on_without(Context& context, const Args& args, Trying& tried,
                                         std::optional<std::string_view> reason) {
  const run::FailOpenReasons allowed = HF_TRY(fail_open_reasons(args));
  if (!reason || !allowed.contains(*reason)) return std::nullopt;
  const lock::HolderView& holder = tried.outcome.holder;
  HF_TRY(run::record_fail_open(context.runtime().events(),
                               {.lock = tried.label,
                                .reason = *reason,
                                .waited = tried.outcome.waited,
                                .holder = holder.state == LockState::kHeld ? &holder : nullptr}));
  context.warn("the script goes on WITHOUT the lock '" + tried.label + "' (" +
               std::string(*reason) + "), as --fail-open allows; this is on record");
  context.emit({{"lock", tried.label}, {"token", nullptr}, {"open_reason", *reason}});
  return to_int(ExitCode::kDone);
}

Result<bool> is_keeper(const Context& context, const Args& args, const Clock& clock) {
  if (!os::env("HOLDFAST_KEEPER")) return false;
  HF_TRY(context.runtime().locks(any_file_system(args)));
  runtime::BufferedEvents& events = context.runtime().events();
  const bool kept = HF_TRY(lock::keep_if_asked(clock, &events));
  if (kept) HF_TRY(events.flush());
  return kept;
}

Json acquired_json(const lock::Lock& lock, const lock::AcquireOutcome& outcome,
                   const proc::Identity* owner, const Clock& clock) {
  const lock::Grant& grant = *lock.grant();
  Json fields = {{"lock", lock.label()}, {"token", to_hex(grant.token)}, {"fence", grant.fence}};
  fields["deadline"] = grant.deadline ? Json(run::wall_of(*grant.deadline, clock)) : Json(nullptr);
  fields["owner"] = owner != nullptr ? identity_json(*owner) : Json(nullptr);
  fields["mode"] = to_text(grant.mode);
  fields["ttl_ms"] = grant.ttl ? Json(lock_acquire_milliseconds(*grant.ttl)) : Json(nullptr);
  fields["cause"] = outcome.cause ? Json(to_text(*outcome.cause)) : Json(nullptr);
  fields["evidence"] = outcome.evidence.empty() ? Json(nullptr) : Json(outcome.evidence);
  fields["reentered"] = outcome.kind == LockAcquireKind::kReentered;
  fields["waited_ms"] = lock_acquire_milliseconds(outcome.waited);
  return fields;
}

Result<> hand_out(Context& context, lock::LocalLock& lock, const Args& args,
                  std::optional<proc::Pinned> owner) {
  const std::string token = to_hex(lock.grant()->token) + "\n";
  if (!owner) {
    context.print(token);
    HF_TRY(context.flush());
    lock.leave();
    return {};
  }
  runtime::BufferedEvents& events = context.runtime().events();
  const auto* locks = HF_TRY(context.runtime().locks(any_file_system(args)));
  const auto end = [&events] {
    const auto flushed = events.flush();
    static_cast<void>(flushed);  // a trace; nobody is there to be told
  };
  lock::Keeper keeper =
      HF_TRY(lock::Keeper::start(lock, std::move(*owner),
                                 {.renew_every = renewal_option(args),
                                  .begin = [&context] { context.runtime().forget(); },
                                  .end = end,
                                  .again = keeper_words(*locks, args)}));
  context.print(token);
  HF_TRY(context.flush());
  return keeper.confirm(lock);
}

void note_how(Context& context, const lock::AcquireOutcome& outcome) {
  if (!outcome.before || !outcome.cause) return;
  std::string how;
  switch (*outcome.cause) {
    case LockCause::kDead:
    case LockCause::kRebooted:
      how = "recovered from a holder that is gone";
      break;
    case LockCause::kExpired:
      how = "taken from a holder whose lease had run out";
      break;
    case LockCause::kReplaced:
      how =
          "the lock file was replaced under a holder that may live: a program that is not "
          "holdfast is not fenced off";
      break;
    default:
      return;
  }
  context.note(how + ": " + run::holder_text(*outcome.before) + " (" + outcome.evidence + ")");
}

}  // namespace holdfast::cli
