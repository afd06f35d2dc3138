// SPDX-License-Identifier: Apache-2.0
//
// WRITERS processes append events of one class. Beside ours: SQLite in WAL mode with the durability
// nearest to the class (off, normal, full), where there are several writers also with a busy
// handler that looks again soon; and the bare calls, one write(2) of a line to an O_APPEND file,
// with fdatasync where it must be durable: no number, no checksum, no chain, no lock. They take
// turns, every second round backwards, after a first one that does not count; prints
// `NAME <tab> RATE RATE …`, events per second.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "journal_bench.h"
#include "journal_sample.h"
#include "journal_sqlite.h"
#include "os/machine/real_clock.h"
#include "writers.h"

namespace holdfast::bench {
namespace {

struct Contestant {
  std::string name;
  std::function<double()> round;  // seconds
  std::vector<double> rates{};
};

class Appending {
 public:
  Appending(const std::string& dir, const Load& load)
      : dir_(dir), load_(load), each_(load.events / load.writers) {}

  double ours() {
    return run_together(load_.writers, [&](std::uint64_t writer, const auto& ready) {
      auto journal = open_journal(journal_dir(), clock_);
      ready();
      for (std::uint64_t i = 0; i < each_; ++i) must(journal->record(event(writer, i)));
      must(journal->flush());
    });
  }

  double sqlite(Waiting waiting) {
    return run_together(load_.writers, [&](std::uint64_t writer, const auto& ready) {
      SqliteLog log(database(), synchronous(), waiting);
      const std::string name = writer_name();
      ready();
      for (std::uint64_t i = 0; i < each_; ++i) log.insert(clock_, name, event(writer, i));
    });
  }

  double bare() {
    return run_together(load_.writers, [&](std::uint64_t writer, const auto& ready) {
      const int fd = ::open(plain_file().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      if (fd < 0) die("open", plain_file());
      ready();
      for (std::uint64_t i = 0; i < each_; ++i) {
        std::string line = event(writer, i).data.json();
        line.resize(kLineBytes - 1, ' ');
        line += '\n';
        if (::write(fd, line.data(), line.size()) != kLineBytes) die("write", plain_file());
        if (load_.event_class == EventClass::kDecision && ::fdatasync(fd) != 0) {
          die("fdatasync", plain_file());
        }
      }
    });
  }

  // The journal and the database are there before the first round.
  void prepare() {
    must(open_journal(journal_dir(), clock_)->record(sample_event(0)));
    SqliteLog(database(), synchronous()).insert(clock_, writer_name(), sample_event(0));
  }

  // After so many rounds of each.
  void check(std::uint64_t rounds, std::uint64_t sqlite_contestants) {
    const std::uint64_t round = each_ * load_.writers;
    check_journal(journal_dir(), 1 + round * rounds);
    if (SqliteLog(database(), synchronous()).count() != 1 + round * rounds * sqlite_contestants) {
      die("SQLite lost rows", database());
    }
    struct stat info{};
    if (::stat(plain_file().c_str(), &info) != 0 ||
        static_cast<std::uint64_t>(info.st_size) != kLineBytes * round * rounds) {
      die("lines are missing", plain_file());
    }
  }

  [[nodiscard]] double events() const { return static_cast<double>(each_ * load_.writers); }

 private:
  static constexpr std::size_t kLineBytes = 240;  // about what a line of the journal has

  [[nodiscard]] Event event(std::uint64_t writer, std::uint64_t i) const {
    const std::uint64_t number = writer * each_ + i;
    return load_.event_class == EventClass::kTrace ? sample_trace(number)
                                                   : sample_event(number, load_.event_class);
  }
  [[nodiscard]] Synchronous synchronous() const {
    if (load_.event_class == EventClass::kTrace) return Synchronous::kOff;
    return load_.event_class == EventClass::kEvent ? Synchronous::kNormal : Synchronous::kFull;
  }
  [[nodiscard]] std::string journal_dir() const { return dir_ + "/journal"; }
  [[nodiscard]] std::string database() const { return dir_ + "/events.db"; }
  [[nodiscard]] std::string plain_file() const { return dir_ + "/plain"; }

  std::string dir_;
  Load load_;
  std::uint64_t each_;
  os::RealClock clock_;
};

}  // namespace

int append(const std::string& dir, const Load& load) {
  Appending appending(dir, load);
  appending.prepare();
  std::vector<Contestant> contestants{
      {"ours", [&] { return appending.ours(); }},
      {"bare", [&] { return appending.bare(); }},
      {"sqlite", [&] { return appending.sqlite(Waiting::kBusyTimeout); }},
  };
  if (load.writers > 1) {
    contestants.push_back({"sqlite-eager", [&] { return appending.sqlite(Waiting::kEager); }});
  }
  for (std::uint64_t round = 0; round <= load.rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      Contestant& contestant = contestants[round % 2 == 1 ? i : contestants.size() - 1 - i];
      const double seconds = contestant.round();
      if (round > 0) contestant.rates.push_back(appending.events() / seconds);
    }
  }
  appending.check(load.rounds + 1, contestants.size() - 2);
  for (const Contestant& contestant : contestants) {
    std::printf("%s\t", contestant.name.c_str());
    for (const double rate : contestant.rates) std::printf("%.1f ", rate);
    std::printf("\n");
  }
  return 0;
}

}  // namespace holdfast::bench
