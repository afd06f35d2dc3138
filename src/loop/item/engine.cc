// SPDX-License-Identifier: Apache-2.0
#include "loop/item/engine.h"

#include <algorithm>

#include "os/signal/signals.h"
#include "os/watch/poll.h"
#include "supervise/pass_signals.h"

namespace holdfast::loop {
namespace {

// The supervisor of a dead loop has its descriptor until it is let in (intent.h).
constexpr Duration kEngineLockPatience = std::chrono::seconds(3);
constexpr Duration kLookAgain = std::chrono::seconds(1);
constexpr Duration kLongest = std::chrono::hours(1);

// A full disk, a lock that somebody has for long: a loop that works for weeks waits for better
// times.
bool may_pass(const Error& error) {
  return error.code == ErrorCode::kBusy || error.code == ErrorCode::kIo ||
         error.code == ErrorCode::kOsRefused || error.code == ErrorCode::kNotDurable;
}

Error engine_busy(const LoopFile& file, const lock::HolderView& holder) {
  std::string who = "another loop";
  if (holder.pid) who = "process " + std::to_string(*holder.pid);
  return {.code = ErrorCode::kBusy,
          .op = "work on",
          .subject = "the loop '" + file.name + "'",
          .cause = "loop-busy",
          .detail = who + " works on it already; nothing was done"};
}

}  // namespace

Result<LoopReport> Engine::run(const LoopRequest& request) {
  HF_TRY(take_lock());
  // Without watches left in the kernel it looks each second.
  if (auto watch = os::DirWatch::open(dir_.dir())) watch_.emplace(*std::move(watch));
  const bool one_pass = request.once || request.no_wait;
  for (;;) {
    const auto round_done = round(request);
    if (!round_done && (one_pass || !may_pass(round_done.error()))) {
      return fail(round_done.error());
    }
    if (report_.signal) break;
    if (!round_done) {
      listener_.warn(to_sentence(round_done.error()) + "; it is tried again");
      must_poll_ = true;
    } else if (*round_done) {
      continue;
    }
    if (one_pass && (request.no_wait || under_.empty())) break;
    HF_TRY(wait());
    if (report_.signal) break;
  }
  const auto released = lock_->release();
  static_cast<void>(released);  // nobody but us could have it
  if (one_pass && report_.source && !report_.signal) return fail(*report_.source);
  if (source_) {
    for (SourceItem& item : source_->parsed.items) report_.ids.push_back(std::move(item.id));
  }
  return std::move(report_);
}

Result<> Engine::take_lock() {
  lock_ = HF_TRY(
      services_.locks.open({.kind = lock::LockId::Kind::kNamed, .text = "loop:" + file_.name}));
  lock::AcquireRequest request;
  request.wait = kEngineLockPatience;
  request.command = "holdfast loop " + file_.path;
  request.chain = services_.chain;
  const lock::AcquireOutcome outcome = HF_TRY(lock_->acquire(request));
  if (outcome.kind != lock::AcquireOutcome::Kind::kGranted) {
    return fail(engine_busy(file_, outcome.holder));
  }
  return {};
}

// One look at everything. True: something moved, so that there may be more to do at once.
Result<bool> Engine::round(const LoopRequest& request) {
  must_poll_ = false;
  HF_TRY(log_.catch_up());
  bool moved = HF_TRY(account_for_all());
  HF_TRY(look_at_source(request));
  if (report_.signal) return false;
  moved = HF_TRY(start_due_acts()) || moved;
  if (report_.signal) return false;
  const auto paused = dir_.paused();
  report_.paused.reset();
  if (!paused) report_.paused = to_sentence(paused.error());
  if (paused && *paused) report_.paused = (*paused)->reason;
  if (report_.paused || report_.source || !source_) return moved;
  return HF_TRY(start_due_runs(request)) || moved;
}

void Engine::tell(std::string_view type, const ItemRecord& item) {
  EventData data;
  data.text("loop", file_.name).text("item", item.id);
  data.text("state", std::string(to_text(item.state)));
  if (item.attempts != 0) data.number("attempt", static_cast<std::int64_t>(item.attempts));
  if (!item.reason.empty()) data.text("reason", item.reason);
  const auto told = services_.events.record({.type = type, .data = std::move(data)});
  if (!told) listener_.warn("this is not on record: " + to_sentence(told.error()));
}

std::optional<Duration> Engine::until_next() const {
  const auto mark = now();
  if (!mark) return kLookAgain;
  Duration least = kLongest;
  // What is due already and was not begun waits for something else: a place, the budget, the end of
  // a pause. The clock would only wake us for nothing.
  const auto consider = [&](const std::optional<DueTime>& next) {
    if (!next) return;
    const Duration left = left_of(*next, *mark);
    if (left > Duration::zero()) least = std::min(least, left);
  };
  if (asked_) least = std::min(least, file_.every - passed_since(*asked_, *mark));
  if (must_poll_ || !watch_) least = std::min(least, kLookAgain);
  for (const auto& [id, item] : log_.items()) {
    if (!item.act && !is_over(item.state)) consider(item.next);
    if (!item.notice.act && !item.notice.wanted.empty()) consider(item.notice.next);
  }
  // A hair more, so that it is due when we look.
  return std::max(least, Duration::zero()) + std::chrono::milliseconds(1);
}

// A supervisor that has ended says nothing more, whatever its record says or does not say.
void Engine::drop_ended() {
  for (auto it = under_.begin(); it != under_.end();) {
    const bool ended =
        it->second.supervisor.valid() && os::is_readable(it->second.supervisor).value_or(false);
    if (ended && it->second.child) children_.push_back(*it->second.child);
    it = ended ? under_.erase(it) : std::next(it);
  }
}

Result<> Engine::wait() {
  // Signals are held back only here: everything else may be killed at any point, and commands must
  // not inherit the block.
  const auto held = HF_TRY(supervise::HeldSignals::hold());
  auto inbox = HF_TRY(os::SignalInbox::open());
  std::vector<const os::Handle*> handles{&inbox.handle()};
  if (watch_) handles.push_back(&watch_->handle());
  for (const auto& [run, under] : under_) {
    if (under.supervisor.valid()) handles.push_back(&under.supervisor);
  }
  const auto limit = std::chrono::ceil<std::chrono::milliseconds>(*until_next());
  HF_TRY(os::wait_readable(handles, limit));
  for (;;) {
    const auto signal = HF_TRY(inbox.next());
    if (!signal) break;
    if (os::asks_to_end(signal->number)) report_.signal = signal->number;
  }
  if (watch_) HF_TRY(watch_->drain());
  drop_ended();
  return {};
}

}  // namespace holdfast::loop
