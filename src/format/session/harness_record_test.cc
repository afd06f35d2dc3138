// SPDX-License-Identifier: Apache-2.0
#include "format/session/harness_record.h"

#include <gtest/gtest.h>

#include "format/json/record_fixture.h"
#include "format/session/harness_test_values.h"

namespace holdfast {
namespace {

ErrorCode harness_record_code_of(std::string_view bytes) {
  const auto record = decode_harness_record(bytes, "harness.json");
  EXPECT_FALSE(record);
  return record ? ErrorCode::kInternal : record.error().code;
}

std::string harness_record_with(const std::string& path, const std::optional<Json>& value) {
  return changed(encode_harness_record(full_harness()), path, value);
}

TEST(HarnessRecord, ComesBackAsItWas) {
  for (const HarnessRecord& record : {small_harness(), full_harness()}) {
    const auto again = decode_harness_record(encode_harness_record(record), "harness.json");
    ASSERT_TRUE(again) << to_sentence(again.error());
    EXPECT_TRUE(*again == record);
  }
}

// These bytes are on people's disks: a format that needs others needs another version.
TEST(HarnessRecord, BytesAreThoseOfTheGoldenFile) {
  EXPECT_EQ(encode_harness_record(small_harness()) + encode_harness_record(full_harness()),
            golden("harness_record.jsonl"));
}

TEST(HarnessRecord, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  expect_corrupt_wherever_it_is_cut(encode_harness_record(full_harness()), harness_record_code_of);
}

TEST(HarnessRecord, NewerVersionIsCannotTellAlsoInsideAnIdentity) {
  EXPECT_EQ(harness_record_code_of(harness_record_with("/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(harness_record_code_of(harness_record_with("/authority/process/v", 2)),
            ErrorCode::kCannotTell);
  EXPECT_EQ(harness_record_code_of(harness_record_with("/attached/0/process/v", 2)),
            ErrorCode::kCannotTell);
  EXPECT_EQ(harness_record_code_of(harness_record_with("/v", std::nullopt)), ErrorCode::kCorrupt);
}

TEST(HarnessRecord, EveryFieldOfTheWrongKindIsCorrupt) {
  const Json whole = parse_json(encode_harness_record(full_harness()));
  const auto sweep = [](const Json& object, const std::string& above) {
    for (const auto& [key, value] : object.items()) {
      const std::string path = above + key;
      const Json wrong = value.is_object() ? Json(1) : Json(Json::array({1}));
      EXPECT_EQ(harness_record_code_of(harness_record_with(path, wrong)), ErrorCode::kCorrupt)
          << path;
      EXPECT_EQ(harness_record_code_of(harness_record_with(path, Json())), ErrorCode::kCorrupt)
          << path;
    }
  };
  sweep(whole, "/");
  sweep(whole["born"], "/born/");
  sweep(whole["renewed"], "/renewed/");
  sweep(whole["authority"], "/authority/");
  sweep(whole["attached"].front(), "/attached/0/");
  sweep(whole["ended"], "/ended/");
  sweep(whole["fields"], "/fields/");
}

TEST(HarnessRecord, ValuesOutOfRangeAreCorrupt) {
  const std::pair<const char*, Json> cases[] = {
      {"/name", ""},
      {"/name", std::string(129, 'x')},
      {"/id", "abc"},
      {"/change", 0},
      {"/state", "live"},
      {"/state", "ready"},  // and ended
      {"/directory", "relative"},
      {"/born/boot_ns", -1},
      {"/authority/kind", "lxc"},
      {"/authority/id", ""},
      {"/authority/id", "a\nb"},
      {"/authority/uid", 4294967296},
      {"/ttl_ms", 9223372036855},
      {"/attached", Json::array({Json::array()})},
  };
  for (const auto& [path, value] : cases) {
    EXPECT_EQ(harness_record_code_of(harness_record_with(path, value)), ErrorCode::kCorrupt)
        << path << " " << value.dump();
  }
}

TEST(HarnessRecord, NeitherAnEndNorAProcessMayBeMissingWhereItIsNamed) {
  EXPECT_EQ(harness_record_code_of(harness_record_with("/ended", std::nullopt)),
            ErrorCode::kCorrupt);
  HarnessRecord record = small_harness();
  record.authority = Authority{.kind = AuthorityKind::kProcess, .id = "4711"};
  EXPECT_EQ(harness_record_code_of(encode_harness_record(record)), ErrorCode::kCorrupt);
}

TEST(HarnessRecord, KeysThatAreNotKnownAreIgnored) {
  EXPECT_TRUE(decode_harness_record(harness_record_with("/later", 1), "x"));
}

TEST(Authority, IsSpelledKindAndId) {
  for (std::size_t i = 0; i < kAuthorityKinds; ++i) {
    const auto kind = static_cast<AuthorityKind>(i);
    const auto name = parse_authority(std::string(to_text(kind)) + ":a:b/c");
    ASSERT_TRUE(name);
    EXPECT_EQ(name->kind, kind);
    EXPECT_EQ(name->id, "a:b/c");
  }
  for (const char* text : {"", "podman", "podman:", ":x", "lxc:x", "Podman:x", "podman:a\tb"}) {
    const auto name = parse_authority(text);
    ASSERT_FALSE(name) << text;
    EXPECT_EQ(name.error().cause, "bad-authority");
    EXPECT_EQ(name.error().code, ErrorCode::kUsage);
  }
  EXPECT_FALSE(parse_authority("command:" + std::string(257, 'x')));
  EXPECT_TRUE(parse_authority("command:" + std::string(256, 'x')));
}

TEST(Authority, ThePoolOfACommandStandsBeforeTheSlash) {
  EXPECT_EQ(pool_of("jobs/17/2"), "jobs");
  EXPECT_EQ(pool_of("ab12"), "ab12");
}

}  // namespace
}  // namespace holdfast
