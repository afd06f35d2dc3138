// SPDX-License-Identifier: Apache-2.0
//
// One writer, class `event`: in the journal when the call returns, not synced; as SQLite's NORMAL.
#include "journal_bench.h"
#include "journal_sample.h"
#include "os/real_clock.h"

namespace holdfast::bench {

int append(const Size& size) {
  const os::RealClock clock;
  const std::string writer = writer_name();
  const std::string dir = size.dir + "/append";
  auto journal = open_journal(dir, clock);
  SqliteLog sqlite(size.dir + "/append.db", Synchronous::kNormal);
  const std::uint64_t each = size.events / size.rounds;
  std::uint64_t ours = 0;
  std::uint64_t theirs = 0;
  const Rates rates = take_turns(
      size.rounds, each,
      [&] {
        return seconds([&] {
          for (std::uint64_t i = 0; i < each; ++i) must(journal->record(sample_event(ours++)));
        });
      },
      [&] {
        return seconds([&] {
          for (std::uint64_t i = 0; i < each; ++i) {
            sqlite.insert(clock, writer, sample_event(theirs++));
          }
        });
      });
  journal.reset();
  check_journal(dir, ours);
  if (sqlite.count() != theirs) die("SQLite lost rows", std::to_string(sqlite.count()));
  print(rates);
  return 0;
}

// Ours alone, for a profiler: `perf record hf_bench_journal append-ours DIR 200000 1`.
int append_ours(const Size& size) {
  const os::RealClock clock;
  const auto journal = open_journal(size.dir + "/append-ours", clock);
  for (std::uint64_t i = 0; i < size.events; ++i) must(journal->record(sample_event(i)));
  return 0;
}

}  // namespace holdfast::bench
