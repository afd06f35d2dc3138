// SPDX-License-Identifier: Apache-2.0
//
// What the two jobs of the journal's benchmark program share. Each works in a directory that it is
// given, and ends the program where anything is not as it must be: figures of a journal that lost
// something would be lies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/event.h"
#include "base/result.h"
#include "journal/write/journal.h"

namespace holdfast::bench {

struct Load {
  EventClass event_class = EventClass::kEvent;
  std::uint64_t events = 0;  // in each round, of all writers together
  std::uint64_t rounds = 0;
  std::uint64_t writers = 1;
};

int append(const std::string& dir, const Load& load);    // journal_append.cc
int make(const std::string& dir, std::uint64_t events);  // journal_make.cc

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

// `dir` is made. Traces are buffered.
std::unique_ptr<journal::Journal> open_journal(const std::string& dir, const Clock& clock);
// Ends the program unless the journal verifies and holds `events` records beside its own.
void check_journal(const std::string& dir, std::uint64_t events);

}  // namespace holdfast::bench
