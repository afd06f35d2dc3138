// SPDX-License-Identifier: Apache-2.0
//
// What the programs of the lock benchmark share. Each works in a directory that it is given, takes
// turns between ours and the kernel's bare flock(2), and prints lines `NAME <tab> VALUE VALUE …`,
// one value for each round; the suites make rows of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/event.h"
#include "base/result.h"
#include "lock/grant/local_lock.h"
#include "os/dir/dir.h"
#include "os/machine/real_clock.h"

namespace holdfast::bench {

[[noreturn]] void die(std::string_view what, std::string_view why);
void must(bool good, std::string_view what);  // else dies with errno
template <typename T>
T must(Result<T> result) {
  if (!result) die("failed", to_sentence(result.error()));
  return std::move(*result);
}

double now_us();  // on the monotonic clock, the same in all processes
double at_rank(std::vector<double> values, double rank);  // rank 0.99: the 99th percentile
void print(std::string_view name, const std::vector<double>& values);

// Forks; the child runs `work` and exits without any clean-up of its parent's.
int start_process(const std::function<void()>& work);
void reap(int pid);

// Memory that all processes started later see, too. Never unmapped.
void* shared_bytes(std::size_t size);

// Traces kept in memory as the journal of a library does, type and data; thrown away now and then.
class BufferingSink final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& event) override;

 private:
  std::vector<std::pair<std::string, std::string>> kept_;
};

// One process's way to the locks in `dir`.
class Locks {
 public:
  explicit Locks(const std::string& dir, EventSink* events = nullptr)
      : dir_(must(os::Dir::open(dir))), backend_(dir_, clock_, events) {}
  std::unique_ptr<lock::Lock> seat();

 private:
  os::Dir dir_;
  os::RealClock clock_;
  lock::LocalBackend backend_;
};
void acquire(lock::Lock& lock);  // however long it takes
void release(lock::Lock& lock);

// One of the two that are compared, as one process has it open.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual void acquire() = 0;
  virtual void release() = 0;
};
enum class Side : std::uint8_t { kOurs, kFlock };
std::unique_ptr<Contender> contender(Side side, const std::string& dir);

int pair(const std::string& dir, std::string_view way, int batch);
int contend(const std::string& dir, int think_us, Side side);
int idle(const std::string& dir, int processes, int threads);
int recover(const std::string& dir, int rounds);
int handover(const std::string& dir, int waiters, int rounds);

}  // namespace holdfast::bench
