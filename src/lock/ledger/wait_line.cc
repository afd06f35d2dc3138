// SPDX-License-Identifier: Apache-2.0
//
// A turn may come in the very moment in which its owner gives up. Both happen under the mutex of
// the line, so either the owner is found in the queue and removed, or it has the turn and passes it
// on.
//
// A child made by fork may inherit a line whose first place is a thread that it does not have; it
// makes lines of its own.
#include "lock/ledger/wait_line.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>

#include "os/process/pid.h"

namespace holdfast::lock {

class WaitLine {
 public:
  // True: `flag` is the first and need not wait.
  bool enter(os::Flag& flag) {
    const std::scoped_lock held(mutex_);
    waiting_.push_back(&flag);
    return waiting_.size() == 1;
  }
  // True: it gave up its place in the queue. False: it has the turn already.
  bool give_up(os::Flag& flag) {
    const std::scoped_lock held(mutex_);
    if (!waiting_.empty() && waiting_.front() == &flag) return false;
    std::erase(waiting_, &flag);
    return true;
  }
  void pass_on() {
    const std::scoped_lock held(mutex_);
    waiting_.pop_front();
    if (!waiting_.empty()) waiting_.front()->raise();
  }

 private:
  std::mutex mutex_;
  std::deque<os::Flag*> waiting_;  // the first one has the turn
};

namespace {

// Of one process: a child made by fork gets another, because its parent's mutex may have been
// locked by a thread that the child does not have. The parent's copy is left where it is.
struct Lines {
  std::int64_t process = 0;
  std::mutex mutex;
  std::map<LineKey, std::weak_ptr<WaitLine>> by_key;
};

Lines& lines() {
  static std::atomic<Lines*> current{nullptr};
  const std::int64_t process = os::process_mark();
  Lines* known = current.load();
  while (known == nullptr || known->process != process) {
    auto fresh = std::make_unique<Lines>();
    fresh->process = process;
    if (current.compare_exchange_strong(known, fresh.get())) return *fresh.release();
  }
  return *known;
}

std::shared_ptr<WaitLine> line_of(const LineKey& key) {
  Lines& all = lines();
  const std::scoped_lock held(all.mutex);
  std::erase_if(all.by_key, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<WaitLine>& known = all.by_key[key];
  if (auto line = known.lock()) return line;
  auto line = std::make_shared<WaitLine>();
  known = line;
  return line;
}

}  // namespace

Turn::~Turn() {
  if (line_) line_->pass_on();
}

Result<std::optional<Turn>> stand_in_line(const LineKey& key, const os::Flag* cancel,
                                          std::optional<MonoTime> until) {
  std::shared_ptr<WaitLine> line = line_of(key);
  os::Flag flag;
  if (line->enter(flag)) return Turn(std::move(line));
  const os::BlockOn turn{.kind = os::BlockOn::Kind::kFlag, .flag = &flag};
  const auto woken = os::blocked_wait(turn, nullptr, 0, cancel, until);
  if (woken && *woken == os::Woken::kGot) return Turn(std::move(line));
  if (!line->give_up(flag)) line->pass_on();
  if (!woken) return fail(woken.error());
  return std::nullopt;
}

}  // namespace holdfast::lock
