// SPDX-License-Identifier: Apache-2.0
#include "format/session/workspace_record.h"

#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <vector>

#include "format/json/record_fixture.h"
#include "format/session/session_test_values.h"

namespace holdfast {
namespace {

ErrorCode workspace_record_code_of(std::string_view bytes) {
  const auto record = decode_workspace_record(bytes, "harness.json");
  EXPECT_FALSE(record);
  return record ? ErrorCode::kInternal : record.error().code;
}

std::string workspace_record_with(const std::string& path, const std::optional<Json>& value) {
  return changed(encode_workspace_record(full_workspace()), path, value);
}

TEST(WorkspaceRecord, ComesBackAsItWas) {
  for (const WorkspaceRecord& record : {small_workspace(), full_workspace()}) {
    const auto again = decode_workspace_record(encode_workspace_record(record), "harness.json");
    ASSERT_TRUE(again) << to_sentence(again.error());
    EXPECT_TRUE(*again == record);
  }
}

// These bytes are on people's disks: a format that needs others needs another version.
TEST(WorkspaceRecord, BytesAreThoseOfTheGoldenFile) {
  EXPECT_EQ(encode_workspace_record(small_workspace()) + encode_workspace_record(full_workspace()),
            golden("workspace_record.jsonl"));
}

TEST(WorkspaceRecord, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  expect_corrupt_wherever_it_is_cut(encode_workspace_record(full_workspace()),
                                    workspace_record_code_of);
}

TEST(WorkspaceRecord, NewerVersionIsCannotTellAlsoInsideAnIdentity) {
  EXPECT_EQ(workspace_record_code_of(workspace_record_with("/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(workspace_record_code_of(workspace_record_with("/authority/process/v", 2)),
            ErrorCode::kCannotTell);
  EXPECT_EQ(workspace_record_code_of(workspace_record_with("/attached/0/process/v", 2)),
            ErrorCode::kCannotTell);
  EXPECT_EQ(workspace_record_code_of(workspace_record_with("/v", std::nullopt)),
            ErrorCode::kCorrupt);
}

TEST(WorkspaceRecord, EveryFieldOfTheWrongKindIsCorrupt) {
  const Json whole = parse_json(encode_workspace_record(full_workspace()));
  const auto sweep = [](const Json& object, const std::string& above) {
    for (const auto& [key, value] : object.items()) {
      const std::string path = above + key;
      const Json wrong = value.is_object() ? Json(1) : Json(Json::array({1}));
      EXPECT_EQ(workspace_record_code_of(workspace_record_with(path, wrong)), ErrorCode::kCorrupt)
          << path;
      EXPECT_EQ(workspace_record_code_of(workspace_record_with(path, Json())), ErrorCode::kCorrupt)
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

TEST(WorkspaceRecord, ValuesOutOfRangeAreCorrupt) {
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
    EXPECT_EQ(workspace_record_code_of(workspace_record_with(path, value)), ErrorCode::kCorrupt)
        << path << " " << value.dump();
  }
}

TEST(WorkspaceRecord, NeitherAnEndNorAProcessMayBeMissingWhereItIsNamed) {
  EXPECT_EQ(workspace_record_code_of(workspace_record_with("/ended", std::nullopt)),
            ErrorCode::kCorrupt);
  WorkspaceRecord record = small_workspace();
  record.authority = Authority{.kind = AuthorityKind::kProcess, .id = "4711"};
  EXPECT_EQ(workspace_record_code_of(encode_workspace_record(record)), ErrorCode::kCorrupt);
}

TEST(WorkspaceRecord, KeysThatAreNotKnownAreIgnored) {
  EXPECT_TRUE(decode_workspace_record(workspace_record_with("/later", 1), "x"));
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

using std::literals::operator""sv;

// A blank is JSON, but not how we write it: only the library reads this.
Result<WorkspaceRecord> by_library(const std::string& bytes) {
  std::string spaced = bytes;
  if (!spaced.empty()) spaced.insert(1, " ");
  return decode_workspace_record(spaced, "harness.json");
}

// Everything that can be plain, in all its combinations.
std::vector<WorkspaceRecord> plain_records() {
  using Change = std::function<void(WorkspaceRecord&)>;
  const std::vector<Change> changes{
      [](WorkspaceRecord& record) {
        record.outside = true;
        record.directory = "/srv/agents/one";
        record.device = 2049;
        record.inode = 4711;
      },
      [](WorkspaceRecord& record) { record.adopted = true; },
      [](WorkspaceRecord& record) {
        record.authority = Authority{.kind = AuthorityKind::kPodman,
                                     .id = "web",
                                     .full_id = "0a1b",
                                     .daemon = "x 1",
                                     .endpoint = "/run/x",
                                     .uid = 4'294'967'295U};
      },
      [](WorkspaceRecord& record) {
        record.resume_id = "5b1c";
        record.resumes = 3;
      },
      [](WorkspaceRecord& record) { record.ttl = std::chrono::milliseconds(1); },
      [](WorkspaceRecord& record) { record.renewed.timens = 7; },
      [](WorkspaceRecord& record) {
        record.state = WorkspaceState::kEnded;
        record.ended = WorkspaceEnd{.at = session_test_time(4), .reason = "merged"};
      },
  };
  std::vector<WorkspaceRecord> records;
  for (std::size_t bits = 0; bits < (std::size_t{1} << changes.size()); ++bits) {
    WorkspaceRecord record = small_workspace();
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if ((bits >> i & 1U) != 0) changes[i](record);
    }
    records.push_back(std::move(record));
  }
  return records;
}

TEST(WorkspaceRecordPlain, ReadsWhatIsWrittenAsTheLibraryDoes) {
  for (const WorkspaceRecord& record : plain_records()) {
    const std::string bytes = encode_workspace_record(record);
    const auto plain = read_plain_workspace_record(bytes);
    ASSERT_TRUE(plain) << bytes;
    EXPECT_TRUE(*plain == record) << bytes;
    const auto library = by_library(bytes);
    ASSERT_TRUE(library);
    EXPECT_TRUE(*library == *plain) << bytes;
  }
}

// Whatever a byte becomes: nothing is read, or what the library reads.
TEST(WorkspaceRecordPlain, NoDamageIsReadAsSomethingThatTheLibraryDoesNotRead) {
  const std::string whole = encode_workspace_record(plain_records().back());
  std::size_t read = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char c : "\0\x01\"\\ 09-+.eE{}[],:ntuAz/\x7f\x80\xff\n"sv) {
      for (const bool insert : {false, true}) {
        std::string bytes = whole;
        if (insert) bytes.insert(at, 1, c);
        if (!insert) bytes[at] = c;
        const auto plain = read_plain_workspace_record(bytes);
        if (!plain) continue;
        ++read;
        const auto library = by_library(bytes);
        ASSERT_TRUE(library) << bytes;
        ASSERT_TRUE(*library == *plain) << bytes;
      }
    }
    const auto cut = read_plain_workspace_record(whole.substr(0, at));
    ASSERT_EQ(cut.has_value(), at + 1 == whole.size()) << at;
  }
  EXPECT_GT(read, 100U);
}

TEST(WorkspaceRecordPlain, WhatIsUnusualIsLeftToTheLibrary) {
  EXPECT_FALSE(read_plain_workspace_record(encode_workspace_record(full_workspace())));
  EXPECT_FALSE(read_plain_workspace_record(""));
  WorkspaceRecord record = small_workspace();
  record.name = "grün";
  EXPECT_FALSE(read_plain_workspace_record(encode_workspace_record(record)));
  record.name = "a\"b";
  EXPECT_FALSE(read_plain_workspace_record(encode_workspace_record(record)));
  std::string newer = encode_workspace_record(small_workspace());
  newer.replace(newer.find("\"v\":1"), 5, "\"v\":2");
  EXPECT_FALSE(read_plain_workspace_record(newer));
}

OutsideEntryRecord outside_sample() {
  return {.id = *parse_id128("00112233445566778899aabbccddeeff"),
          .name = "fix \xff",
          .directory = "/srv/agents/ab12 \xff",
          .device = 2049,
          .inode = 4711,
          .birth_ns = -1};
}

// These bytes are on people's disks: a format that needs others needs another version.
constexpr std::string_view kBytes =
    R"({"v":1,"kind":"holdfast-outside-directory","id":"00112233445566778899aabbccddeeff",)"
    R"("name":{"hex":"66697820ff"},"directory":{"hex":"2f7372762f6167656e74732f6162313220ff"},)"
    R"("device":2049,"inode":4711,"birth_ns":-1})"
    "\n";

TEST(OutsideEntry, ComesBackAsItWasFromTheBytesThatItAlwaysHas) {
  EXPECT_EQ(encode_outside_entry(outside_sample()), kBytes);
  const auto again = decode_outside_entry(kBytes, "entry");
  ASSERT_TRUE(again) << to_sentence(again.error());
  EXPECT_TRUE(*again == outside_sample());
}

TEST(OutsideEntry, CutAtEveryByteItIsCorruptAndNeverNothing) {
  for (std::size_t length = 0; length + 1 < kBytes.size(); ++length) {
    const auto cut = decode_outside_entry(kBytes.substr(0, length), "entry");
    ASSERT_FALSE(cut) << length;
    EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt) << length;
    EXPECT_EQ(cut.error().cause, "bad-outside-entry") << length;
  }
}

TEST(OutsideEntry, ANewerOneIsCannotTell) {
  std::string newer(kBytes);
  newer.replace(newer.find("\"v\":1"), 5, "\"v\":2");
  EXPECT_EQ(decode_outside_entry(newer, "entry").error().code, ErrorCode::kCannotTell);
}

}  // namespace
}  // namespace holdfast
