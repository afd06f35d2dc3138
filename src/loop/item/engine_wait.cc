// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "loop/item/engine.h"
#include "os/signal/signals.h"
#include "os/watch/poll.h"

namespace holdfast::loop {
namespace {

constexpr Duration kLookAgain = std::chrono::seconds(1);
constexpr Duration kLongest = std::chrono::hours(1);

// Signals are blocked only here: everything else may be killed at any point, and commands must not
// inherit the block.
class EngineWaitHeldBack {
 public:
  EngineWaitHeldBack() : state_(os::block_signals()) {}
  EngineWaitHeldBack(const EngineWaitHeldBack&) = delete;
  EngineWaitHeldBack& operator=(const EngineWaitHeldBack&) = delete;
  ~EngineWaitHeldBack() {
    if (!state_) return;
    const auto restored = os::restore_signals(*state_);
    static_cast<void>(restored);
  }
  [[nodiscard]] const Result<os::SignalState>& state() const { return state_; }

 private:
  Result<os::SignalState> state_;
};

}  // namespace

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
  const EngineWaitHeldBack held;
  if (!held.state()) return fail(held.state().error());
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
