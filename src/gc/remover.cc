// SPDX-License-Identifier: Apache-2.0
#include "gc/remover.h"

#include <system_error>

#include "base/printable.h"
#include "os/signal/signals.h"

namespace holdfast::gc {
namespace {

constexpr std::size_t kRemoverWorthAThread = 256;

}  // namespace

Remover::Remover(const session::SessionStore& sessions, const os::Dir& trash, const os::Flag& stop,
                 std::size_t expected)
    : sessions_(sessions),
      trash_(trash),
      stop_(stop),
      worth_a_thread_(expected >= kRemoverWorthAThread) {}

void Remover::start() {
  if (!worth_a_thread_ || thread_) return;
  const os::SignalHold no_signals;  // the thread inherits it
  try {
    thread_.emplace([this] { work(); });
  } catch (const std::system_error&) {
    worth_a_thread_ = false;  // none to be had: the caller does it at the end
  }
}

void Remover::rest() {
  if (!thread_) return;
  {
    const std::lock_guard<std::mutex> held(mutex_);
    resting_ = true;
  }
  more_.notify_all();
  thread_->join();
  thread_.reset();
  resting_ = false;
}

void Remover::add(std::string session, os::SafeName file, Outsides outsides) {
  {
    const std::lock_guard<std::mutex> held(mutex_);
    items_.push_back(
        {.session = std::move(session), .file = std::move(file), .outsides = outsides});
  }
  more_.notify_one();
  start();
}

void Remover::finish() {
  {
    const std::lock_guard<std::mutex> held(mutex_);
    closed_ = true;
  }
  more_.notify_all();
  while (const auto item = next(false)) remove(*item);
  if (thread_) thread_->join();
  thread_.reset();
}

void Remover::work() {
  while (const auto item = next(true)) remove(*item);
}

std::optional<Remover::Item> Remover::next(bool wait) {
  std::unique_lock<std::mutex> held(mutex_);
  if (wait) more_.wait(held, [&] { return closed_ || resting_ || !items_.empty(); });
  if (items_.empty() || (wait && resting_)) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  return item;
}

void Remover::remove(const Item& item) {
  if (stop_.raised()) return;  // it lies in the trash, for the next one
  const Purge result = purge_moved(sessions_, trash_, item.file, item.outsides, &stop_);
  if (result.gone) ++removed_;
  // What another clean-up is at, or is left for the next one, is no failure.
  if (result.gone || result.busy || result.interrupted) return;
  std::string failure = printable(item.session) + ": not all of it could be removed (" +
                        result.reason + "); it is in the trash";
  failure += faults_text(result.faults);
  const std::lock_guard<std::mutex> held(mutex_);
  failures_.push_back(std::move(failure));
}

}  // namespace holdfast::gc
