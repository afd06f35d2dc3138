// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_journal append DIR CLASS EVENTS ROUNDS WRITERS
// hf_bench_journal make DIR EVENTS
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "journal/read/snapshot.h"
#include "journal/read/verify.h"
#include "journal_bench.h"
#include "os/dir/dir.h"

namespace holdfast::bench {

void die(std::string_view what, std::string_view why) {
  std::fprintf(stderr, "hf_bench_journal: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(why.size()), why.data());
  std::_Exit(1);  // a forked writer runs no destructor of its parent's
}

std::string writer_name() { return std::to_string(::getpid()) + ".0"; }

std::unique_ptr<journal::Journal> open_journal(const std::string& dir, const Clock& clock) {
  std::filesystem::create_directories(dir);
  return must(
      journal::Journal::open(must(os::Dir::open(dir)), {.writer = writer_name(),
                                                        .clock = &clock,
                                                        .lock_wait = std::chrono::minutes(1),
                                                        .buffer_traces = true}));
}

void check_journal(const std::string& dir, std::uint64_t events) {
  const os::Dir at = must(os::Dir::open(dir));
  const auto snapshot = must(journal::Snapshot::open(at));
  const auto result = must(journal::verify(snapshot));
  if (!result.damaged.empty()) die("the journal is damaged", result.damaged.front().says);
  // Each segment opens with a record of its own, and each but the newest ends with one.
  const std::uint64_t own = 2 * result.segments - 1;
  if (result.records != events + own) {
    die("the journal holds another number of records", std::to_string(result.records));
  }
}

namespace {

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) {
    die("not a number", text);
  }
  return value;
}

int run(const std::vector<std::string_view>& words) {
  if (words.size() == 3 && words[0] == "make") return make(std::string(words[1]), number(words[2]));
  if (words.size() != 6 || words[0] != "append") die("usage", "append … or make …");
  const auto event_class = parse_event_class(words[2]);
  if (!event_class) die("no class of events", words[2]);
  return append(std::string(words[1]), {.event_class = *event_class,
                                        .events = number(words[3]),
                                        .rounds = number(words[4]),
                                        .writers = number(words[5])});
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  return holdfast::bench::run(std::vector<std::string_view>(argv + 1, argv + argc));
}
