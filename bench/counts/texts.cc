// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "base/units.h"
#include "format/session/session_record.h"
#include "format/session/session_test_values.h"
#include "operation.h"
#include "os/machine/sha256.h"

namespace holdfast::bench {
namespace {

void duration_both_ways(std::uint64_t times) {
  const std::string typed = "1h30m";
  for (std::uint64_t i = 0; i < times; ++i) {
    look_at(typed);
    must(format_duration(must(parse_duration(typed))) == typed, "the duration is another");
  }
}

void hash_4k(std::uint64_t times) {
  const std::string bytes(4096, 'x');
  for (std::uint64_t i = 0; i < times; ++i) look_at(os::sha256(bytes));
}

void session_both_ways(std::uint64_t times) {
  const SessionRecord record = full_session();
  for (std::uint64_t i = 0; i < times; ++i) {
    const std::string bytes = encode_session_record(record);
    must(must(decode_session_record(bytes, "session.json")) == record, "the record is another");
  }
}

constexpr std::array kOperations{
    Operation{"duration", duration_both_ways},
    Operation{"session-record", session_both_ways},
    Operation{"sha256-4k", hash_4k},
};

}  // namespace

std::span<const Operation> text_operations() { return kOperations; }

}  // namespace holdfast::bench
