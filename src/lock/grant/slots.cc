// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/slots.h"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/budget.h"
#include "base/cause.h"
#include "base/units.h"
#include "lock/ledger/exclusion_trial.h"
#include "lock/ledger/starts.h"
#include "lock/ledger/status.h"

namespace holdfast::lock {
namespace {

using Kind = AcquireOutcome::Kind;

// The threads of one wait record through it. That one of them did not get its slot is no event:
// whoever waits for all of them says it once.
class SlotSink final : public EventSink {
 public:
  explicit SlotSink(EventSink* sink) : sink_(sink) {}

  Result<EventReceipt> record(const Event& event) override {
    if (event.type == "lock.busy") return EventReceipt{};
    const std::scoped_lock held(mutex_);
    return sink_->record(event);
  }

 private:
  EventSink* sink_;
  std::mutex mutex_;
};

struct Slot {
  std::unique_ptr<LocalLock> lock{};
  std::optional<Result<AcquireOutcome>> got{};
};

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = bad == std::errc() && end == text.data() + text.size();
  if (!whole || text.starts_with('0') || number > kMostSlots) return std::nullopt;
  return number;
}

struct SlotParts {
  std::string name;
  std::string_view number;
  std::uint32_t count = 0;
};

std::optional<SlotParts> split_slot(std::string_view lock) {
  const std::size_t slash = lock.rfind('/');
  if (slash == lock.npos || slash == 0) return std::nullopt;
  const std::string_view tail = lock.substr(slash + 1);
  const std::size_t of = tail.find("of");
  if (of == tail.npos) return std::nullopt;
  const auto count = number_in(tail.substr(of + 2));
  if (!count) return std::nullopt;
  return SlotParts{
      .name = std::string(lock.substr(0, slash)), .number = tail.substr(0, of), .count = *count};
}

class Acquiring {
 public:
  Acquiring(const LocalBackend& backend, const Clock& clock, EventSink* events,
            const SlotsRequest& slots, const AcquireRequest& request)
      : backend_(backend),
        clock_(clock),
        events_(events),
        sink_(events),
        wanted_(slots),
        request_(request),
        begun_(clock.mono()) {}

  Result<SlotOutcome> run() {
    HF_TRY(open());
    if (auto again = HF_TRY(enter_again())) return *std::move(again);
    HF_TRY(refuse_other_counts());
    HF_TRY(try_each());
    if (!granted_ && needs_force()) HF_TRY(force_each());
    if (!granted_ && request_.wait != Duration::zero()) HF_TRY(wait_for_any());
    if (!granted_) return not_granted();
    slots_[*granted_].lock->tell(events_);
    const auto alone = refuse_other_counts();
    const auto due = alone ? keep_apart() : Result<bool>(fail(alone.error()));
    if (!due || !*due) {
      const auto released = slots_[*granted_].lock->release();
      static_cast<void>(released);  // it goes with this process
      if (!due) return fail(due.error());
      return not_granted();
    }
    Slot& slot = slots_[*granted_];
    SlotOutcome done{.lock = std::move(slot.lock), .outcome = std::move(**slot.got)};
    done.outcome.waited = clock_.mono() - begun_;
    return done;
  }

 private:
  Result<> open() {
    if (wanted_.count == 0 || wanted_.count > kMostSlots) {
      return fail({.code = ErrorCode::kUsage,
                   .op = "take a slot of",
                   .subject = "'" + wanted_.name + "'",
                   .cause = "bad-value",
                   .detail = "it has 1 to " + std::to_string(kMostSlots) + " slots"});
    }
    // The busy events of the tries are not wanted either.
    EventSink* const sink = events_ != nullptr ? &sink_ : nullptr;
    for (std::uint32_t number = 1; number <= wanted_.count; ++number) {
      Place place = HF_TRY(backend_.place_of(
          {.kind = LockId::Kind::kNamed,
           .text =
               to_text(SlotName{.name = wanted_.name, .number = number, .count = wanted_.count})}));
      if (!place.trusted) HF_TRY(try_exclusion(place));
      slots_.push_back(
          {.lock = std::make_unique<LocalLock>(std::move(place), backend_.fences(), clock_, sink)});
    }
    return {};
  }

  // Whoever runs under a slot of the name does not take another one.
  Result<std::optional<SlotOutcome>> enter_again() {
    for (Slot& slot : slots_) {
      const auto in_chain = [&](const ChainEntry& entry) {
        return entry.ledger == slot.lock->ledger_path();
      };
      if (std::ranges::none_of(request_.chain, in_chain)) continue;
      AcquireRequest request = request_;
      request.wait = Duration::zero();
      AcquireOutcome outcome = HF_TRY(slot.lock->acquire(request));
      if (!outcome.granted()) continue;  // it was lost, and another has it
      slot.lock->tell(events_);
      return SlotOutcome{.lock = std::move(slot.lock), .outcome = std::move(outcome)};
    }
    return std::nullopt;
  }

  // Any slot of the name under another count that somebody holds, or may hold.
  Result<> refuse_other_counts() {
    std::vector<std::string> others;
    HF_TRY(each_lock_name(
        backend_.dir(),
        [&](const std::string& name) {
          const auto slot = parse_slot(name);
          if (slot && slot->name == wanted_.name && slot->count != wanted_.count)
            others.push_back(name);
        },
        [](const std::string&) {}));
    for (const std::string& other : others) {
      const LockStatus status = HF_TRY(look_at_lock(
          HF_TRY(backend_.place_of({.kind = LockId::Kind::kNamed, .text = other})), clock_));
      if (status.state == Visible::kFree || status.state == Visible::kStale) continue;
      const bool unknown = status.state == Visible::kUnknown;
      const std::string count = std::to_string(parse_slot(other)->count);
      return fail(
          {.code = unknown ? ErrorCode::kCannotTell : ErrorCode::kUsage,
           .op = "take a slot of",
           .subject = "'" + wanted_.name + "'",
           .cause = "other-slots",
           .detail = "'" + other + "' is " + std::string(unknown ? "perhaps held" : "held") +
                     ": every caller must name the same number, and that one says " + count});
    }
    return {};
  }

  [[nodiscard]] bool needs_force() const {
    return request_.on_expired != OnExpired::kWait || request_.trust_kernel;
  }

  // The waits of slots are no edges of a cycle: another slot may be freed.
  [[nodiscard]] AcquireRequest plain(std::optional<Duration> wait) const {
    AcquireRequest request = request_;
    request.chain.clear();
    request.wait = wait;
    request.on_wait = nullptr;
    return request;
  }

  Result<> try_each() {
    AcquireRequest request = plain(Duration::zero());
    request.on_expired = OnExpired::kWait;
    for (std::size_t i = 0; i < slots_.size() && !granted_; ++i) {
      const LockStatus status = HF_TRY(look_at_lock(slots_[i].lock->place(), clock_));
      if (status.state == Visible::kHeld) {
        if (holder_.state != LockState::kHeld && !status.holders.empty())
          holder_ = status.holders.front();
        holder_.state = LockState::kHeld;
        continue;
      }
      HF_TRY(note(i, slots_[i].lock->acquire(request)));
    }
    return {};
  }

  Result<> force_each() {
    const AcquireRequest request = plain(Duration::zero());
    for (std::size_t i = 0; i < slots_.size() && !granted_; ++i) {
      if (slots_[i].got && !*slots_[i].got) continue;
      HF_TRY(note(i, slots_[i].lock->acquire(request)));
    }
    return {};
  }

  // A slot that cannot be judged is an error only if there is no other.
  Result<> note(std::size_t i, Result<AcquireOutcome> outcome) {
    const bool passable = outcome || outcome.error().code == ErrorCode::kCannotTell ||
                          outcome.error().code == ErrorCode::kCorrupt;
    if (!passable) return fail(outcome.error());
    if (!outcome && !passed_over_) passed_over_ = outcome.error();
    if (outcome && outcome->granted()) granted_ = i;
    if (outcome && !outcome->granted()) holder_ = outcome->holder;
    slots_[i].got = std::move(outcome);
    return {};
  }

  Result<> wait_for_any() {
    std::vector<std::size_t> waited;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (!slots_[i].got || *slots_[i].got) waited.push_back(i);
    }
    if (waited.empty()) return {};
    if (request_.on_wait != nullptr) (*request_.on_wait)(holder_);
    os::Flag enough;  // for the threads: one has it, or nobody wants it any more
    os::Flag done;    // for us
    std::atomic<std::size_t> left{waited.size()};
    AcquireRequest request = plain(request_.wait);
    request.cancel = &enough;
    const auto wait_for = [&](std::size_t i) {
      slots_[i].got = slots_[i].lock->acquire(request);
      const bool got = *slots_[i].got && (*slots_[i].got)->granted();
      if (got || left.fetch_sub(1) == 1) done.raise();
    };
    std::vector<std::thread> threads;
    std::optional<Error> no_thread;
    for (const std::size_t i : waited) {
      try {
        threads.emplace_back(wait_for, i);
      } catch (const std::system_error& error) {
        no_thread = Error{.code = ErrorCode::kOsRefused,
                          .op = "wait for a slot of",
                          .subject = "'" + wanted_.name + "'",
                          .cause = "no-thread",
                          .detail = error.what()};
        break;
      }
    }
    Result<os::Woken> woken = os::Woken::kGot;
    if (!no_thread) {
      woken = os::blocked_wait({.kind = os::BlockOn::Kind::kFlag, .flag = &done}, nullptr, 0,
                               request_.cancel, std::nullopt);
    }
    enough.raise();
    for (std::thread& thread : threads) thread.join();
    keep_one(waited);
    if (no_thread && !granted_) return fail(*no_thread);
    if (!woken && !granted_) return fail(woken.error());
    cancelled_ = woken && *woken == os::Woken::kCancelled;
    return {};
  }

  // The one that began first in order; what else came meanwhile goes to others.
  void keep_one(const std::vector<std::size_t>& waited) {
    for (const std::size_t i : waited) {
      const auto& got = slots_[i].got;
      if (!got || !*got || !(*got)->granted()) {
        if (got && !*got && !passed_over_) passed_over_ = got->error();
        if (got && *got && (*got)->kind == Kind::kBusy) busy_reason_ = (*got)->busy_reason;
        if (got && *got && (*got)->kind != Kind::kCancelled) holder_ = (*got)->holder;
        continue;
      }
      if (!granted_) {
        granted_ = i;
        continue;
      }
      slots_[i].lock->tell(events_);
      const auto released = slots_[i].lock->release();
      static_cast<void>(released);  // the file is closed with the seat, and that gives it back
    }
  }

  // Sleeps until our own start. False: it would be too late, or we are to give up.
  Result<bool> keep_apart() {
    if (wanted_.stagger == Duration::zero()) return true;
    std::optional<Duration> most;
    if (request_.wait) most = std::max(*request_.wait - (clock_.mono() - begun_), Duration::zero());
    const Allowed allowed = within_budget(most, clock_.mono());
    const auto left =
        HF_TRY(reserve_start(backend_.dir(), clock_, wanted_.name, wanted_.stagger, allowed.time));
    if (!left) {
      too_early_ = true;
      if (allowed.by_budget) busy_reason_ = cause::kBudget;
      return false;
    }
    if (*left == Duration::zero()) return true;
    const auto woken =
        HF_TRY(os::blocked_wait({}, nullptr, 0, request_.cancel, clock_.mono() + *left));
    cancelled_ = woken == os::Woken::kCancelled;
    return !cancelled_;
  }

  Result<SlotOutcome> not_granted() {
    const bool all_passed_over =
        std::ranges::all_of(slots_, [](const Slot& slot) { return slot.got && !*slot.got; });
    if (all_passed_over) return fail(*passed_over_);
    SlotOutcome none;
    none.outcome.kind = cancelled_ ? Kind::kCancelled : Kind::kBusy;
    none.outcome.busy_reason = busy_reason_;
    none.outcome.holder = holder_;
    none.outcome.detail = wanted_.count == 1
                              ? "its only slot is taken"
                              : "all " + std::to_string(wanted_.count) + " slots are taken";
    if (too_early_) none.outcome.detail = "--stagger keeps the next start apart from the last one";
    none.outcome.waited = clock_.mono() - begun_;
    LockEvents(events_, wanted_.name).busy(none.outcome);
    return none;
  }

  const LocalBackend& backend_;
  const Clock& clock_;
  EventSink* events_;
  SlotSink sink_;
  const SlotsRequest& wanted_;
  const AcquireRequest& request_;
  MonoTime begun_;
  std::vector<Slot> slots_;
  std::optional<std::size_t> granted_;
  std::optional<Error> passed_over_;
  HolderView holder_;
  std::string busy_reason_ = "timeout";
  bool cancelled_ = false;
  bool too_early_ = false;
};

}  // namespace

std::string to_text(const SlotName& slot) {
  return slot.name + "/" + std::to_string(slot.number) + "of" + std::to_string(slot.count);
}

std::optional<SlotName> parse_slot(std::string_view lock) {
  const auto parts = split_slot(lock);
  if (!parts) return std::nullopt;
  const auto number = number_in(parts->number);
  if (!number || *number > parts->count) return std::nullopt;
  return SlotName{.name = parts->name, .number = *number, .count = parts->count};
}

std::string any_slot(const SlotsRequest& slots) {
  return slots.name + "/?of" + std::to_string(slots.count);
}

std::optional<SlotsRequest> parse_any_slot(std::string_view lock) {
  const auto parts = split_slot(lock);
  if (!parts || parts->number != "?") return std::nullopt;
  return SlotsRequest{.name = parts->name, .count = parts->count};
}

Result<SlotOutcome> acquire_slot(const LocalBackend& backend, const Clock& clock, EventSink* events,
                                 const SlotsRequest& slots, const AcquireRequest& request) {
  return Acquiring(backend, clock, events, slots, request).run();
}

}  // namespace holdfast::lock
