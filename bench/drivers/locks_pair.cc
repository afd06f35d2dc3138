// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_locks pair DIR WAY BATCH: acquire and release of a lock that nobody else wants, in turns
// (turns.h). WAY is one of
//
//   raw              open, flock, close of a file
//   cached           a seat that is used again
//   opened           a new seat for each
//   cached-traced, opened-traced   with a sink that buffers, as the journal of a library does
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "locks_bench.h"
#include "turns.h"

namespace holdfast::bench {
namespace {

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

}  // namespace

int pair(const std::string& dir, std::string_view way, int batch) {
  BufferingSink sink;
  Locks locks(dir, way.ends_with("-traced") ? &sink : nullptr);
  if (way == "raw") {
    take_turns(batch, [&] { raw_pair(dir + "/flock"); });
  } else if (way.starts_with("cached")) {
    const auto seat = locks.seat();
    take_turns(batch, [&] { one_pair(*seat); });
  } else if (way.starts_with("opened")) {
    take_turns(batch, [&] { one_pair(*locks.seat()); });
  } else {
    die("unknown way", way);
  }
  return 0;
}

}  // namespace holdfast::bench
