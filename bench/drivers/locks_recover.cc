// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_locks recover DIR ROUNDS: a process holds the lock and is killed while another sleeps in
// its acquire. Prints `NAME us <tab>` and the microseconds from the kill to the grant, one for each
// round, for ours and for a blocking flock, which take turns (A B B A …). The dead holder stays a
// zombie until after the grant.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "locks_bench.h"

namespace holdfast::bench {
namespace {

constexpr useconds_t kAsleep = 5'000;  // by then the waiter has gone to sleep

struct Shared {
  std::atomic<bool> held;
  std::atomic<bool> wants;
  std::atomic<double> granted;
};

double one(Shared& shared, Side side, const std::string& dir) {
  shared.held = false;
  shared.wants = false;
  shared.granted = 0;
  const int holder = start_process([&] {
    const auto lock = contender(side, dir);
    lock->acquire();
    shared.held = true;
    for (;;) ::pause();
  });
  while (!shared.held) ::usleep(100);
  const int waiter = start_process([&] {
    const auto lock = contender(side, dir);
    shared.wants = true;
    lock->acquire();
    shared.granted = now_us();
    lock->release();
  });
  while (!shared.wants) ::usleep(100);
  ::usleep(kAsleep);
  if (shared.granted != 0) die("granted", "although it is held");
  const double killed = now_us();
  must(::kill(holder, SIGKILL) == 0, "kill");
  reap(waiter);
  reap(holder);
  return shared.granted - killed;
}

}  // namespace

int recover(const std::string& dir, int rounds) {
  auto& shared = *new (shared_bytes(sizeof(Shared))) Shared;
  std::vector<double> ours;
  std::vector<double> flock;
  for (int round = 0; round < rounds; ++round) {
    const bool ours_first = round % 2 == 0;
    if (ours_first) ours.push_back(one(shared, Side::kOurs, dir));
    flock.push_back(one(shared, Side::kFlock, dir));
    if (!ours_first) ours.push_back(one(shared, Side::kOurs, dir));
  }
  print("ours us", ours);
  print("flock us", flock);
  return 0;
}

}  // namespace holdfast::bench
