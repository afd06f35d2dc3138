// SPDX-License-Identifier: Apache-2.0
//
// Remover: removes what the clean-up has just put into the trash, while it goes on collecting: a
// thread of its own once there is enough to do, else the caller at the end.
//
// Whoever is about to fork (a rescue, a probe) calls rest() first: a child of two threads would be
// a copy in which the other one holds locks for ever. The thread takes no signals: they are for
// the caller, whose waits they must end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gc/options.h"
#include "gc/purge.h"
#include "os/dir/dir.h"

namespace holdfast::gc {

class Remover {
 public:
  // All must outlive it. `expected`: how many will come, at most.
  Remover(const session::SessionStore& sessions, const os::Dir& trash, const os::Flag& stop,
          std::size_t expected);
  ~Remover() { finish(); }
  Remover(const Remover&) = delete;
  Remover& operator=(const Remover&) = delete;

  // The thread ends when it is done with what it is at. add() begins a new one.
  void rest();
  void add(std::string session, os::SafeName file, Outsides outsides);
  // Helps until nothing is left, and waits for the thread.
  void finish();

  [[nodiscard]] std::uint64_t removed() const { return removed_; }
  // After finish(): "NAME: what could not be removed".
  [[nodiscard]] std::vector<std::string> take_failures() { return std::move(failures_); }

 private:
  struct Item {
    std::string session;
    os::SafeName file;
    Outsides outsides;
  };
  void work();
  void remove(const Item& item);
  std::optional<Item> next(bool wait);

  void start();

  const session::SessionStore& sessions_;
  const os::Dir& trash_;
  const os::Flag& stop_;
  bool worth_a_thread_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Item> items_;
  bool closed_ = false;  // nothing more comes
  bool resting_ = false;
  std::atomic<std::uint64_t> removed_ = 0;
  std::vector<std::string> failures_;
  std::optional<std::thread> thread_;
};

}  // namespace holdfast::gc
