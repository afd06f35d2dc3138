// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_locks idle DIR PROCESSES THREADS: what waiting costs. PROCESSES processes wait for a
// lock that this one holds, then THREADS threads of one process do; each time two seconds of it are
// measured. Prints
//
//   processes ms   <tab> CPU milliseconds of all, in two seconds
//   threads ms     <tab> the same
//   threads bytes  <tab> of heap for each waiter (its seat included)
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "locks_bench.h"

namespace holdfast::bench {
namespace {

constexpr auto kSettle = std::chrono::milliseconds(1500);
constexpr auto kMeasured = std::chrono::seconds(2);

double cpu_ms(clockid_t clock) {
  timespec used{};
  must(::clock_gettime(clock, &used) == 0, "clock_gettime");
  return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

double cpu_ms_of(const std::vector<int>& pids) {
  double sum = 0;
  for (const int pid : pids) {
    clockid_t clock{};
    must(::clock_getcpuclockid(pid, &clock) == 0, "clock_getcpuclockid");
    sum += cpu_ms(clock);
  }
  return sum;
}

void processes_wait(const std::string& dir, int count) {
  std::vector<int> pids;
  for (int i = 0; i < count; ++i) {
    pids.push_back(start_process([&] {
      Locks locks(dir);
      acquire(*locks.seat());
    }));
  }
  std::this_thread::sleep_for(kSettle);
  const double before = cpu_ms_of(pids);
  std::this_thread::sleep_for(kMeasured);
  print("processes ms", {cpu_ms_of(pids) - before});
  for (const int pid : pids) ::kill(pid, SIGKILL);
  for (const int pid : pids) reap(pid);
}

struct Waiters {
  Locks& locks;
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
};

void* wait_in_thread(void* argument) {
  auto& waiters = *static_cast<Waiters*>(argument);
  waiters.ready.fetch_add(1);
  waiters.ready.notify_one();
  waiters.go.wait(false);
  acquire(*waiters.locks.seat());
  die("acquire", "granted although it is held");
}

// All in one arena, so that mallinfo2 counts every thread's heap.
void threads_wait(const std::string& dir, int count) {
  ::mallopt(M_ARENA_MAX, 1);
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  must(::setrlimit(RLIMIT_NOFILE, &files) == 0, "setrlimit");
  Locks locks(dir);
  Waiters waiters{.locks = locks};
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, std::size_t{256} << 10U);
  for (int i = 0; i < count; ++i) {
    pthread_t thread{};
    errno = ::pthread_create(&thread, &small, wait_in_thread, &waiters);
    must(errno == 0, "pthread_create");
  }
  for (int ready = 0; ready < count; ready = waiters.ready) waiters.ready.wait(ready);
  const auto heap_before = ::mallinfo2();
  waiters.go = true;
  waiters.go.notify_all();
  std::this_thread::sleep_for(kSettle);
  const auto heap = ::mallinfo2();
  const double before = cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
  std::this_thread::sleep_for(kMeasured);
  const double used = cpu_ms(CLOCK_PROCESS_CPUTIME_ID) - before;
  const auto bytes = static_cast<double>(heap.uordblks + heap.hblkhd) -
                     static_cast<double>(heap_before.uordblks + heap_before.hblkhd);
  print("threads ms", {used});
  print("threads bytes", {bytes / count});
  std::fflush(stdout);
}

}  // namespace

int idle(const std::string& dir, int processes, int threads) {
  Locks locks(dir);
  const auto holder = locks.seat();
  acquire(*holder);
  processes_wait(dir, processes);
  std::fflush(stdout);
  reap(start_process([&] { threads_wait(dir, threads); }));
  release(*holder);
  return 0;
}

}  // namespace holdfast::bench
