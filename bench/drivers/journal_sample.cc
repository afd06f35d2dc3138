// SPDX-License-Identifier: Apache-2.0
#include "journal_sample.h"

#include <array>
#include <string>
#include <string_view>

namespace holdfast::bench {
namespace {

// The frequent ones first; an event's place among its 64 neighbours chooses (see pick).
constexpr std::array<std::string_view, 20> kTypes{
    "x.lock.acquired",    "x.lock.released",  "x.lock.busy",      "x.session.running",
    "x.session.ended",    "x.file.replaced",  "x.gc.removed",     "x.lock.recovered",
    "x.session.started",  "x.block.changed",  "x.loop.attempt",   "x.loop.claimed",
    "x.gc.planned",       "x.process.killed", "x.lock.fail_open", "x.ensure.created",
    "x.layers.assembled", "x.file.refused",   "x.loop.gave_up",   "x.process.survivors"};

constexpr std::array<std::string_view, 4> kReasons{"timeout", "operator", "holder-died", "retry"};

// Multiplies and folds: numbers that look unrelated, and are the same in each run.
std::uint64_t scramble(std::uint64_t i) {
  std::uint64_t x = i * 0x9e3779b97f4a7c15U;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9U;
  return x ^ (x >> 32);
}

std::string_view pick(std::uint64_t random) {
  const std::uint64_t at = random % 64;
  if (at < 20) return kTypes[0];
  if (at < 40) return kTypes[1];
  return kTypes[2 + (random >> 8) % 18];
}

EventData data(std::uint64_t random) {
  EventData data;
  data.text("lock", "deploy-" + std::to_string((random >> 16) % 50))
      .count("pid", 1000 + (random >> 24) % 60000)
      .count("waited_ms", (random >> 40) % 5000)
      .text("reason", kReasons[(random >> 54) % kReasons.size()]);
  return data;
}

}  // namespace

Event sample_event(std::uint64_t i, EventClass at_least) {
  const std::uint64_t random = scramble(i);
  return {.type = pick(random), .data = data(random), .at_least = at_least};
}

Event sample_trace(std::uint64_t i) {
  return {.type = i % 2 == 0 ? "lock.acquired" : "lock.released", .data = data(scramble(i))};
}

}  // namespace holdfast::bench
