// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_locks pair DIR ROUNDS: acquire and release of a lock that nobody else wants, in batches
// that take turns. Prints lines `NAME <tab> microseconds of one pair`, medians over the batches:
//
//   raw          open, flock, close of a file
//   cached       a seat that is used again
//   cached, traced / opened, traced   with a sink that buffers, as the journal of a library does
//   opened       a new seat for each
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "locks_bench.h"

namespace holdfast::bench {
namespace {

constexpr int kBatch = 200;

void raw_pair(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  must(fd >= 0, "open");
  must(::flock(fd, LOCK_EX) == 0, "flock");
  ::close(fd);
}

void one_pair(lock::Lock& lock) {
  acquire(lock);
  release(lock);
}

struct Way {
  std::string name;
  std::function<void()> act;
  std::vector<double> took{};
};

}  // namespace

int pair(const std::string& dir, int rounds) {
  const std::string path = dir + "/flock";
  BufferingSink sink;
  Locks plain(dir);
  Locks traced(dir, &sink);
  const auto seat = plain.seat();
  const auto traced_seat = traced.seat();
  std::array ways{
      Way{"raw", [&] { raw_pair(path); }},
      Way{"cached", [&] { one_pair(*seat); }},
      Way{"cached, traced", [&] { one_pair(*traced_seat); }},
      Way{"opened", [&] { one_pair(*plain.seat()); }},
      Way{"opened, traced", [&] { one_pair(*traced.seat()); }},
  };
  for (int round = 0; round < rounds; ++round) {
    for (Way& way : ways) {
      const double began = now_us();
      for (int i = 0; i < kBatch; ++i) way.act();
      way.took.push_back((now_us() - began) / kBatch);
    }
  }
  for (const Way& way : ways) std::printf("%s\t%.2f\n", way.name.c_str(), median(way.took));
  return 0;
}

}  // namespace holdfast::bench
