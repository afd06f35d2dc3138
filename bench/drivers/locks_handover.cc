// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_locks handover DIR WAITERS ROUNDS: WAITERS processes sleep in their acquire; then the
// holder releases, and each that is granted the lock releases at once. Prints `NAME us <tab>` and
// the microseconds from the first release to the last grant, one for each round, for ours and for a
// blocking flock, which take turns.
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "locks_bench.h"

namespace holdfast::bench {
namespace {

constexpr useconds_t kAsleep = 30'000;  // by then the last waiter has gone to sleep

struct Shared {
  std::atomic<int> wants;
  std::atomic<int> inside;
  std::atomic<int> granted;
  std::atomic<double> last;
};

void pass(Shared& shared, Side side, const std::string& dir) {
  const auto lock = contender(side, dir);
  shared.wants.fetch_add(1);
  lock->acquire();
  if (shared.inside.fetch_add(1) != 0) die("overlap", "two held the lock at once");
  shared.last = now_us();
  shared.granted.fetch_add(1);
  shared.inside.fetch_sub(1);
  lock->release();
}

double one(Shared& shared, Side side, const std::string& dir, int waiters) {
  shared.wants = 0;
  shared.inside = 0;
  shared.granted = 0;
  const auto holder = contender(side, dir);
  holder->acquire();
  std::vector<int> pids;
  for (int i = 0; i < waiters; ++i) {
    pids.push_back(start_process([&] { pass(shared, side, dir); }));
  }
  while (shared.wants < waiters) ::usleep(1000);
  ::usleep(kAsleep);
  if (shared.granted != 0) die("granted", "although it is held");
  const double released = now_us();
  holder->release();
  for (const int pid : pids) reap(pid);
  if (shared.granted != waiters) die("lost", "not every waiter was granted the lock");
  return shared.last - released;
}

}  // namespace

int handover(const std::string& dir, int waiters, int rounds) {
  auto& shared = *new (shared_bytes(sizeof(Shared))) Shared;
  std::vector<double> ours;
  std::vector<double> flock;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(one(shared, Side::kOurs, dir, waiters));
    flock.push_back(one(shared, Side::kFlock, dir, waiters));
  }
  print("ours us", ours);
  print("flock us", flock);
  return 0;
}

}  // namespace holdfast::bench
