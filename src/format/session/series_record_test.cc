// SPDX-License-Identifier: Apache-2.0
#include "format/session/series_record.h"

#include <gtest/gtest.h>

#include "format/json/record_fixture.h"
#include "format/loop/step_test_values.h"

namespace holdfast {
namespace {

ErrorCode series_record_code_of(std::string_view bytes) {
  const auto record = decode_series_record(bytes, "series.json");
  EXPECT_FALSE(record);
  return record ? ErrorCode::kInternal : record.error().code;
}

std::string series_record_with(const std::string& path, const std::optional<Json>& value) {
  return changed(encode_series_record(full_series()), path, value);
}

TEST(SeriesRecord, ComesBackAsItWas) {
  for (const SeriesRecord& record : {small_series(), full_series()}) {
    const auto again = decode_series_record(encode_series_record(record), "series");
    ASSERT_TRUE(again) << to_sentence(again.error());
    EXPECT_TRUE(*again == record);
  }
}

// These bytes are on people's disks: a format that needs others needs another version.
TEST(SeriesRecord, BytesAreThoseOfTheGoldenFile) {
  EXPECT_EQ(encode_series_record(small_series()) + encode_series_record(full_series()),
            golden("series_record.jsonl"));
}

TEST(SeriesRecord, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  expect_corrupt_wherever_it_is_cut(encode_series_record(full_series()), series_record_code_of);
}

TEST(SeriesRecord, NewerVersionIsCannotTell) {
  EXPECT_EQ(series_record_code_of(series_record_with("/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(series_record_code_of(series_record_with("/v", std::nullopt)), ErrorCode::kCorrupt);
}

TEST(SeriesRecord, AFieldOfAnotherKindIsDamage) {
  for (const auto& [path, value] :
       std::vector<std::pair<std::string, std::optional<Json>>>{{"/kind", "holdfast-session"},
                                                                {"/name", ""},
                                                                {"/name", std::string(200, 'x')},
                                                                {"/since", std::nullopt},
                                                                {"/command", Json::array()},
                                                                {"/command", "./agent"},
                                                                {"/iterations", 0},
                                                                {"/done", std::nullopt},
                                                                {"/done", -1},
                                                                {"/errors", "2"},
                                                                {"/mark", "xy"},
                                                                {"/pending", Json::array()},
                                                                {"/pending/n", 0},
                                                                {"/pending/begun", std::nullopt},
                                                                {"/pending/since", 1},
                                                                {"/over", "interrupted"},
                                                                {"/over", "whenever"},
                                                                {"/code", 256},
                                                                {"/answered", 1},
                                                                {"/history", Json::object()},
                                                                {"/history/0", 1},
                                                                {"/history/0/state", "running"},
                                                                {"/history/0/code", 256},
                                                                {"/history/0/progress", "perhaps"},
                                                                {"/history/1/signal", 0}}) {
    EXPECT_EQ(series_record_code_of(series_record_with(path, value)), ErrorCode::kCorrupt) << path;
  }
}

TEST(SeriesRecord, AHistoryThatIsTooLongIsDamage) {
  SeriesRecord record = small_series();
  record.history.assign(kMaxSeriesHistory, full_series().history.front());
  const std::string longest = encode_series_record(record);
  EXPECT_LT(longest.size(), kMaxSeriesRecordBytes / 2);
  EXPECT_TRUE(decode_series_record(longest, "series"));
  record.history.push_back(record.history.front());
  EXPECT_EQ(series_record_code_of(encode_series_record(record)), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace holdfast
