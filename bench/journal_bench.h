// SPDX-License-Identifier: Apache-2.0
//
// What the journal's benchmark programs share. Each writes into a directory that it is given,
// checks afterwards that what it wrote is there, and prints one line `<ours> <tab> <peer>`, the
// medians of the rates (per second) that the rounds reached. Ours and the peer take turns, round by
// round.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "journal/journal.h"
#include "journal_sqlite.h"

namespace holdfast::bench {

struct Size {
  std::string dir;
  std::uint64_t events = 0;  // each side, all rounds together
  std::uint64_t rounds = 0;
  std::uint64_t processes = 1;
};

int append(const Size& size);  // journal_append.cc
int append_ours(const Size& size);
int durable(const Size& size, Waiting waiting);  // journal_durable.cc
int make(const Size& size);                      // journal_make.cc

[[noreturn]] void die(std::string_view what, std::string_view why);

template <typename T>
T must(Result<T> result) {
  if (!result) die("failed", to_sentence(result.error()));
  return *std::move(result);
}
inline void must(const Result<>& result) {
  if (!result) die("failed", to_sentence(result.error()));
}

// "4711.0": this process as a writer.
std::string writer_name();

// `dir` is made.
std::unique_ptr<journal::Journal> open_journal(const std::string& dir, const Clock& clock);
// Ends the program unless the journal verifies and holds `events` records beside its own.
void check_journal(const std::string& dir, std::uint64_t events);

// Seconds that `act` takes.
double seconds(const std::function<void()>& act);
struct Rates {
  double ours = 0;
  double peer = 0;
};
// Runs both `rounds` times, by turns; each returns the seconds that it took for `events`.
Rates take_turns(std::uint64_t rounds, std::uint64_t events, const std::function<double()>& ours,
                 const std::function<double()>& peer);
void print(const Rates& rates);

}  // namespace holdfast::bench
