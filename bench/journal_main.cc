// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_journal WHAT DIR EVENTS ROUNDS [PROCESSES], see journal_bench.h; bench/journal.sh calls
// it.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "journal/snapshot.h"
#include "journal/verify.h"
#include "journal_bench.h"
#include "os/dir.h"

namespace holdfast::bench {

void die(std::string_view what, std::string_view why) {
  std::fprintf(stderr, "hf_bench_journal: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(why.size()), why.data());
  std::_Exit(1);  // a forked writer runs no destructor of its parent's
}

std::string writer_name() { return std::to_string(::getpid()) + ".0"; }

std::unique_ptr<journal::Journal> open_journal(const std::string& dir, const Clock& clock) {
  std::filesystem::create_directories(dir);
  return must(journal::Journal::open(
      must(os::Dir::open(dir)),
      {.writer = writer_name(), .clock = &clock, .lock_wait = std::chrono::minutes(1)}));
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

double seconds(const std::function<void()>& act) {
  const auto began = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) {
    die("not a number", text);
  }
  return value;
}

int run(const std::vector<std::string_view>& words) {
  if (words.size() < 4) die("usage", "hf_bench_journal WHAT DIR EVENTS ROUNDS [PROCESSES]");
  Size size{.dir = std::string(words[1]), .events = number(words[2]), .rounds = number(words[3])};
  if (words.size() > 4) size.processes = number(words[4]);
  if (words[0] == "append") return append(size);
  if (words[0] == "append-ours") return append_ours(size);
  if (words[0] == "durable") return durable(size, Waiting::kBusyTimeout);
  if (words[0] == "durable-eager") return durable(size, Waiting::kEager);
  if (words[0] == "make") return make(size);
  die("unknown", words[0]);
}

}  // namespace

Rates take_turns(std::uint64_t rounds, std::uint64_t events, const std::function<double()>& ours,
                 const std::function<double()>& peer) {
  std::vector<double> our_rates;
  std::vector<double> peer_rates;
  const auto count = static_cast<double>(events);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const bool ours_first = round % 2 == 0;
    if (ours_first) our_rates.push_back(count / ours());
    peer_rates.push_back(count / peer());
    if (!ours_first) our_rates.push_back(count / ours());
  }
  return {.ours = median(our_rates), .peer = median(peer_rates)};
}

void print(const Rates& rates) { std::printf("%.0f\t%.0f\n", rates.ours, rates.peer); }

}  // namespace holdfast::bench

int main(int argc, char** argv) {
  return holdfast::bench::run(std::vector<std::string_view>(argv + 1, argv + argc));
}
