// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_locks contend DIR THINK_US ours|flock: for one second, eight processes want one lock,
// ours or a blocking flock, hold it for 20 µs of work and think for THINK_US (asleep) before they
// want it again. Prints the lines `grants` (per second), `jain` (Jain's index), `p99` (of the wait,
// in us) and `cpu` (seconds per second).
//
// Every grant checks a word that only the holder may change: an overlap ends the run.
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <numeric>

#include "locks_bench.h"

namespace holdfast::bench {
namespace {

constexpr int kProcesses = 8;
constexpr double kHoldUs = 20;
constexpr double kSecondUs = 1e6;
constexpr std::size_t kMostWaits = 200'000;  // of one process

struct Shared {
  std::atomic<int> ready;
  std::atomic<double> begins;
  std::atomic<int> inside;
  std::array<std::uint64_t, kProcesses> grants;
  std::array<std::array<float, kMostWaits>, kProcesses> waits;
};

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void work(Shared& shared, std::size_t self, Side side, const std::string& dir, int think_us) {
  const auto lock = contender(side, dir);
  shared.ready.fetch_add(1);
  while (shared.begins.load() == 0 || now_us() < shared.begins.load()) ::usleep(1000);
  const double until = shared.begins.load() + kSecondUs;
  for (double wanted = now_us(); wanted < until; wanted = now_us()) {
    lock->acquire();
    const double got = now_us();
    if (shared.inside.fetch_add(1) != 0) die("overlap", "two held the lock at once");
    while (now_us() < got + kHoldUs) {
    }
    shared.inside.fetch_sub(1);
    lock->release();
    const std::uint64_t grant = shared.grants[self]++;
    if (grant < kMostWaits) shared.waits[self][grant] = static_cast<float>(got - wanted);
    if (think_us > 0) ::usleep(static_cast<useconds_t>(think_us));
  }
}

}  // namespace

int contend(const std::string& dir, int think_us, Side side) {
  auto& shared = *new (shared_bytes(sizeof(Shared))) Shared;
  shared.grants = {};
  {
    const auto first = contender(side, dir);  // the file is there
    first->acquire();
    first->release();
  }
  std::array<int, kProcesses> pids{};
  for (std::size_t i = 0; i < kProcesses; ++i) {
    pids[i] = start_process([&] { work(shared, i, side, dir, think_us); });
  }
  while (shared.ready.load() < kProcesses) ::usleep(1000);
  shared.begins = now_us() + 20'000;
  for (const int pid : pids) reap(pid);

  double sum = 0;
  double squares = 0;
  std::vector<double> waits;
  for (std::size_t i = 0; i < kProcesses; ++i) {
    const auto grants = static_cast<double>(shared.grants[i]);
    sum += grants;
    squares += grants * grants;
    const std::size_t kept = std::min<std::size_t>(shared.grants[i], kMostWaits);
    waits.insert(waits.end(), shared.waits[i].begin(), shared.waits[i].begin() + kept);
  }
  print("grants", {sum});
  print("jain", {sum * sum / (kProcesses * squares)});
  print("p99", {at_rank(std::move(waits), 0.99)});
  print("cpu", {cpu_seconds()});
  return 0;
}

}  // namespace holdfast::bench
