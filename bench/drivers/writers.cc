// SPDX-License-Identifier: Apache-2.0
#include "writers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <vector>

#include "journal_bench.h"

namespace holdfast::bench {
namespace {

// A gate that opens for all at once: reading it ends when the last copy of its other side is
// closed.
class Gate {
 public:
  Gate() {
    if (::pipe(ends_.data()) != 0) die("no pipe", "pipe");
  }
  ~Gate() {
    ::close(ends_[0]);
    open();
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  Gate(Gate&&) = delete;
  Gate& operator=(Gate&&) = delete;

  void open() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  void wait() {
    open();
    char byte = 0;
    while (::read(ends_[0], &byte, 1) > 0) {
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

}  // namespace

double run_together(std::uint64_t writers, const Work& work) {
  Gate all_ready;
  Gate start;
  std::vector<pid_t> children;
  for (std::uint64_t writer = 0; writer < writers; ++writer) {
    const pid_t pid = ::fork();
    if (pid < 0) die("no process", "fork");
    if (pid == 0) {
      work(writer, [&] {
        all_ready.open();
        start.wait();
      });
      ::_exit(0);
    }
    children.push_back(pid);
  }
  all_ready.wait();
  const auto began = std::chrono::steady_clock::now();
  start.open();
  for (const pid_t pid : children) {
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid || status != 0) die("a writer failed", "its exit");
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace holdfast::bench
