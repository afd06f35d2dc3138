// SPDX-License-Identifier: Apache-2.0
#include "format/session/process_identity.h"

#include <gtest/gtest.h>

#include <fstream>

namespace holdfast {
namespace {

Id128 identity_json_id(std::uint8_t first) {
  Id128 identity_json_id;
  for (std::size_t i = 0; i < identity_json_id.bytes.size(); ++i) {
    identity_json_id.bytes[i] = static_cast<std::uint8_t>(first + i);
  }
  return identity_json_id;
}

IdentityRecord identity_json_sample() {
  return {.process = {.boot = identity_json_id(0x10),
                      .machine = identity_json_id(0x80),
                      .pidns = 4026531836,
                      .timens = 4026531834,
                      .pid = 4711,
                      .start = 88231,
                      .pidfs = 70301,
                      .uid = 1000},
          .run = identity_json_id(0xe0)};
}

std::vector<std::string> golden_lines() {
  std::ifstream file(HF_FORMAT_GOLDEN "/identity.jsonl");
  EXPECT_TRUE(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

ErrorCode identity_json_code_of(std::string_view bytes) {
  const auto identity = decode_identity(bytes, "id");
  return identity ? ErrorCode::kInternal : identity.error().code;
}

// The sample with `from` replaced.
std::string changed(std::string_view from, std::string_view to) {
  std::string line = encode_identity(identity_json_sample());
  const std::size_t at = line.find(from);
  EXPECT_NE(at, line.npos) << from;
  return line.replace(at, from.size(), to);
}

TEST(IdentityJson, GoldenLinesAreWrittenAndRead) {
  IdentityRecord without_run = identity_json_sample();
  without_run.run.reset();
  const std::vector<std::string> lines = golden_lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(encode_identity(identity_json_sample()), lines[0]);
  EXPECT_EQ(encode_identity(without_run), lines[1]);
  EXPECT_EQ(decode_identity(lines[0], "id").value(), identity_json_sample());
  EXPECT_EQ(decode_identity(lines[1] + "\n", "id").value(), without_run);
}

TEST(IdentityJson, CutAtEveryByteItIsCorrupt) {
  const std::string line = encode_identity(identity_json_sample());
  for (std::size_t length = 0; length < line.size(); ++length) {
    EXPECT_EQ(identity_json_code_of(line.substr(0, length)), ErrorCode::kCorrupt) << length;
  }
}

TEST(IdentityJson, NewerVersionIsCannotTellAndNotCorrupt) {
  EXPECT_EQ(identity_json_code_of(changed("\"v\":1", "\"v\":2")), ErrorCode::kCannotTell);
  EXPECT_EQ(identity_json_code_of("{\"v\":99999999999999999999}"), ErrorCode::kCannotTell);
  EXPECT_EQ(identity_json_code_of(changed("\"v\":1", "\"v\":0")), ErrorCode::kCorrupt);
}

TEST(IdentityJson, FurtherKeysAreAllowedAndRunMayBeMissing) {
  EXPECT_EQ(decode_identity(changed("{", "{\"ok\":true,\"code\":0,"), "id").value(),
            identity_json_sample());
  IdentityRecord without_run = identity_json_sample();
  without_run.run.reset();
  EXPECT_EQ(
      decode_identity(changed(",\"run\":\"" + to_hex(identity_json_id(0xe0)) + "\"", ""), "id")
          .value(),
      without_run);
}

TEST(IdentityJson, WhatNoProcessCouldBeIsCorrupt) {
  for (const std::string& line :
       {changed("\"pid\":4711", "\"pid\":0"), changed("\"pid\":4711", "\"pid\":-4711"),
        changed("\"pid\":4711", "\"pid\":2147483648"), changed("\"pid\":4711", "\"pid\":\"4711\""),
        changed("\"pid\":4711", "\"pid\":4711.5"), changed("\"pid\":4711,", ""),
        changed("\"start\":88231", "\"start\":null"), changed("\"uid\":1000", "\"uid\":4294967296"),
        changed("\"pidfs\":70301", "\"pidfs\":1e30"), changed("\"boot\":\"10", "\"boot\":\"1G"),
        changed("\"boot\":\"10", "\"boot\":\""), changed("\"run\":\"e0", "\"run\":\"E0"),
        changed("\"run\":\"", "\"run\":7,\"x\":\""),
        changed("\"pid\":4711", "\"pid\":1,\"pid\":4711")}) {
    EXPECT_EQ(identity_json_code_of(line), ErrorCode::kCorrupt) << line;
  }
  for (const char* bytes : {"", "4711", "[]", "null", "{}", "{\"pid\":4711}"}) {
    EXPECT_EQ(identity_json_code_of(bytes), ErrorCode::kCorrupt) << bytes;
  }
  EXPECT_EQ(identity_json_code_of(encode_identity(identity_json_sample()) + '\0'),
            ErrorCode::kCorrupt);
  EXPECT_EQ(identity_json_code_of(encode_identity(identity_json_sample()) +
                                  std::string(kMaxIdentityBytes, ' ')),
            ErrorCode::kCorrupt);
}

TEST(PidFileText, NumbersAndObjectsAreRead) {
  const PidFileText bare{.pid = 1234};
  const PidFileText ticks{.pid = 1234, .start_ticks = 88231};
  for (const char* text : {"1234", "1234\n", "  1234 \n", "{\"pid\":1234}", "{\"pid\":\"1234\"}"}) {
    EXPECT_EQ(read_pid_file_text(text), bare) << text;
  }
  for (const char* text : {"1234 88231", "1234\n88231\n", "{\"pid\":1234,\"starttime\":88231}",
                           "{\"start_ticks\":88231,\"pid\":1234}"}) {
    EXPECT_EQ(read_pid_file_text(text), ticks) << text;
  }
  EXPECT_EQ(read_pid_file_text("1234\nbox\n"), (PidFileText{.pid = 1234, .host = "box"}));
  EXPECT_EQ(read_pid_file_text("{\"pid\":1234,\"host\":\"box\"}"),
            (PidFileText{.pid = 1234, .host = "box"}));
}

TEST(PidFileText, WhatNamesNobodyForCertainIsNothing) {
  for (const char* text :
       {"", "\n", "0", "-5", "+5", "1234x", "1234 x y", "99999999999", "4194305", "1234 5678 9012",
        "{\"pid\":0}", "{\"pid\":-1}", "{\"pid\":1234", "{}", "pid 1234", "0x10", "1234 -5"}) {
    EXPECT_EQ(read_pid_file_text(text), std::nullopt) << text;
  }
  EXPECT_EQ(read_pid_file_text("1234" + std::string(kMaxPidFileBytes, ' ')), std::nullopt);
}

// A number that is cut short is another number. Nothing in the bytes tells; that is why a number
// alone is never enough to signal anybody.
TEST(PidFileText, AnObjectCutAnywhereNamesNobody) {
  const std::string text = "{\"pid\":1234,\"starttime\":88231}";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(read_pid_file_text(text.substr(0, length)), std::nullopt) << length;
  }
}

}  // namespace
}  // namespace holdfast
