// SPDX-License-Identifier: Apache-2.0
//
// Many processes, each of which waits until its record is on stable storage: class `decision`
// against SQLite's FULL. They open first, then start together; the time ends with the last of them.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <vector>

#include "journal_bench.h"
#include "journal_sample.h"
#include "os/real_clock.h"

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

// `work` opens what it needs, calls the function that it is given, and writes when that returns.
using Work = std::function<void(std::uint64_t process, const std::function<void()>& ready)>;

double run_together(std::uint64_t processes, const Work& work) {
  Gate all_ready;
  Gate start;
  std::vector<pid_t> children;
  for (std::uint64_t process = 0; process < processes; ++process) {
    const pid_t pid = ::fork();
    if (pid < 0) die("no process", "fork");
    if (pid == 0) {
      work(process, [&] {
        all_ready.open();
        start.wait();
      });
      ::_exit(0);
    }
    children.push_back(pid);
  }
  all_ready.wait();
  return seconds([&] {
    start.open();
    for (const pid_t pid : children) {
      int status = 0;
      if (::waitpid(pid, &status, 0) != pid || status != 0) die("a writer failed", "durable");
    }
  });
}

}  // namespace

int durable(const Size& size, Waiting waiting) {
  const os::RealClock clock;
  const std::string dir = size.dir + "/durable";
  const std::string db = size.dir + "/durable.db";
  must(open_journal(dir, clock)->record(sample_event(0)));
  SqliteLog(db, Synchronous::kFull).insert(clock, writer_name(), sample_event(0));

  const std::uint64_t each = size.events / size.rounds / size.processes;
  const std::uint64_t together = each * size.processes;
  const Rates rates = take_turns(
      size.rounds, together,
      [&] {
        return run_together(size.processes, [&](std::uint64_t process, const auto& ready) {
          auto journal = open_journal(dir, clock);
          ready();
          for (std::uint64_t i = 0; i < each; ++i) {
            must(journal->record(sample_event(process * each + i, EventClass::kDecision)));
          }
        });
      },
      [&] {
        return run_together(size.processes, [&](std::uint64_t process, const auto& ready) {
          SqliteLog sqlite(db, Synchronous::kFull, waiting);
          const std::string writer = writer_name();
          ready();
          for (std::uint64_t i = 0; i < each; ++i) {
            sqlite.insert(clock, writer, sample_event(process * each + i, EventClass::kDecision));
          }
        });
      });
  check_journal(dir, 1 + together * size.rounds);
  if (SqliteLog(db, Synchronous::kFull).count() != 1 + together * size.rounds) {
    die("SQLite lost rows", db);
  }
  print(rates);
  return 0;
}

}  // namespace holdfast::bench
