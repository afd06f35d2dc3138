// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <string>

#include "format/journal/journal_record.h"
#include "journal/read/query.h"
#include "journal/write/journal.h"
#include "operation.h"
#include "os/dir/dir.h"
#include "os/machine/sha256.h"
#include "testing/manual_clock.h"

namespace holdfast::bench {
namespace {

constexpr std::string_view kWriter = "4711.88231";

// A free lock that is granted; the class is a trace unless `at_least` raises it.
Event granted(EventClass at_least) {
  Event event{.type = "lock.acquired", .data = {}, .at_least = at_least};
  event.data.text("lock", "deploy").text("mode", "exclusive").count("fence", 1025);
  event.data.number("pid", 4711).text("by", "make -j8 all");
  return event;
}

enum class Traces : std::uint8_t { kWritten, kBuffered };

std::unique_ptr<journal::Journal> open_journal(const Clock& clock, Traces traces) {
  return must(journal::Journal::open(must(os::Dir::open(".")),
                                     {.writer = std::string(kWriter),
                                      .clock = &clock,
                                      .buffer_traces = traces == Traces::kBuffered}));
}

void record(EventClass at_least, Traces traces, std::uint64_t times) {
  const testing::ManualClock clock;
  const auto journal = open_journal(clock, traces);
  for (std::uint64_t i = 0; i < times; ++i) look_at(must(journal->record(granted(at_least))));
}

// One write for each.
void append(std::uint64_t times) { record(EventClass::kEvent, Traces::kWritten, times); }

// One write for 256 of them; check.sh counts as many.
void trace(std::uint64_t times) { record(EventClass::kTrace, Traces::kBuffered, times); }

std::string sample_line() {
  const Event event = granted(EventClass::kEvent);
  std::string line;
  encode_record_body({.seq = 512,
                      .wall_us = 1'763'200'000'123'456,
                      .boot_us = 86'400'123'456,
                      .boot = "0f3c9a12",
                      .writer = kWriter,
                      .event_class = EventClass::kEvent,
                      .type = event.type,
                      .data = event.data.json()},
                     line);
  encode_record_tail(os::sha256(line), line);
  return line;
}

// The event, its line and the hash of the line.
void encode_line(std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) look_at(sample_line());
}

void decode_line(std::uint64_t times) {
  std::string line = sample_line();
  line.pop_back();  // its newline
  for (std::uint64_t i = 0; i < times; ++i) {
    look_at(line);
    must(decode_record(line).has_value(), "a line that was just written is none");
  }
}

// One match among 17 events, by type and by a field.
void query_some(std::uint64_t times) {
  constexpr int kEvents = 16;
  const testing::ManualClock clock;
  {
    const auto journal = open_journal(clock, Traces::kWritten);
    for (int i = 0; i < kEvents; ++i) must(journal->record(granted(EventClass::kEvent)));
    Event busy = granted(EventClass::kEvent);
    busy.type = "lock.busy";
    busy.data.text("reason", "timeout");
    must(journal->record(busy));
  }
  const os::Dir dir = must(os::Dir::open("."));
  journal::QueryRequest request;
  request.filter.types = {"lock.b*"};
  request.filter.where = {must(journal::parse_where("data.reason=timeout"))};
  for (std::uint64_t i = 0; i < times; ++i) {
    const auto snapshot = must(journal::Snapshot::open(dir));
    const auto found = must(query(snapshot, request, [](const journal::QueriedRecord& match) {
      look_at(match.data);
      return Result<os::Visit>(os::Visit::kContinue);
    }));
    must(found.visited == 1, "the query did not find its one record");
  }
}

constexpr std::array kOperations{
    Operation{"journal-append", append},      Operation{"journal-decode", decode_line},
    Operation{"journal-encode", encode_line}, Operation{"journal-query", query_some},
    Operation{"journal-trace", trace},
};

}  // namespace

std::span<const Operation> journal_operations() { return kOperations; }

}  // namespace holdfast::bench
