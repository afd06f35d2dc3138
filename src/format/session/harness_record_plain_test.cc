// SPDX-License-Identifier: Apache-2.0
#include "format/session/harness_record_plain.h"

#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <vector>

#include "format/session/harness_test_values.h"

namespace holdfast {
namespace {

using std::literals::operator""sv;

// A blank is JSON, but not how we write it: only the library reads this.
Result<HarnessRecord> by_library(const std::string& bytes) {
  std::string spaced = bytes;
  if (!spaced.empty()) spaced.insert(1, " ");
  return decode_harness_record(spaced, "harness.json");
}

// Everything that can be plain, in all its combinations.
std::vector<HarnessRecord> plain_records() {
  using Change = std::function<void(HarnessRecord&)>;
  const std::vector<Change> changes{
      [](HarnessRecord& record) {
        record.outside = true;
        record.directory = "/srv/agents/one";
        record.device = 2049;
        record.inode = 4711;
      },
      [](HarnessRecord& record) { record.adopted = true; },
      [](HarnessRecord& record) {
        record.authority = Authority{.kind = AuthorityKind::kPodman,
                                     .id = "web",
                                     .full_id = "0a1b",
                                     .daemon = "x 1",
                                     .endpoint = "/run/x",
                                     .uid = 4'294'967'295U};
      },
      [](HarnessRecord& record) {
        record.resume_id = "5b1c";
        record.resumes = 3;
      },
      [](HarnessRecord& record) { record.ttl = std::chrono::milliseconds(1); },
      [](HarnessRecord& record) { record.renewed.timens = 7; },
      [](HarnessRecord& record) {
        record.state = HarnessState::kEnded;
        record.ended = HarnessEnd{.at = session_test_time(4), .reason = "merged"};
      },
  };
  std::vector<HarnessRecord> records;
  for (std::size_t bits = 0; bits < (std::size_t{1} << changes.size()); ++bits) {
    HarnessRecord record = small_harness();
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if ((bits >> i & 1U) != 0) changes[i](record);
    }
    records.push_back(std::move(record));
  }
  return records;
}

TEST(HarnessRecordPlain, ReadsWhatIsWrittenAsTheLibraryDoes) {
  for (const HarnessRecord& record : plain_records()) {
    const std::string bytes = encode_harness_record(record);
    const auto plain = read_plain_harness_record(bytes);
    ASSERT_TRUE(plain) << bytes;
    EXPECT_TRUE(*plain == record) << bytes;
    const auto library = by_library(bytes);
    ASSERT_TRUE(library);
    EXPECT_TRUE(*library == *plain) << bytes;
  }
}

// Whatever a byte becomes: nothing is read, or what the library reads.
TEST(HarnessRecordPlain, NoDamageIsReadAsSomethingThatTheLibraryDoesNotRead) {
  const std::string whole = encode_harness_record(plain_records().back());
  std::size_t read = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char c : "\0\x01\"\\ 09-+.eE{}[],:ntuAz/\x7f\x80\xff\n"sv) {
      for (const bool insert : {false, true}) {
        std::string bytes = whole;
        if (insert) bytes.insert(at, 1, c);
        if (!insert) bytes[at] = c;
        const auto plain = read_plain_harness_record(bytes);
        if (!plain) continue;
        ++read;
        const auto library = by_library(bytes);
        ASSERT_TRUE(library) << bytes;
        ASSERT_TRUE(*library == *plain) << bytes;
      }
    }
    const auto cut = read_plain_harness_record(whole.substr(0, at));
    ASSERT_EQ(cut.has_value(), at + 1 == whole.size()) << at;
  }
  EXPECT_GT(read, 100U);
}

TEST(HarnessRecordPlain, WhatIsUnusualIsLeftToTheLibrary) {
  EXPECT_FALSE(read_plain_harness_record(encode_harness_record(full_harness())));
  EXPECT_FALSE(read_plain_harness_record(""));
  HarnessRecord record = small_harness();
  record.name = "grün";
  EXPECT_FALSE(read_plain_harness_record(encode_harness_record(record)));
  record.name = "a\"b";
  EXPECT_FALSE(read_plain_harness_record(encode_harness_record(record)));
  std::string newer = encode_harness_record(small_harness());
  newer.replace(newer.find("\"v\":1"), 5, "\"v\":2");
  EXPECT_FALSE(read_plain_harness_record(newer));
}

}  // namespace
}  // namespace holdfast
