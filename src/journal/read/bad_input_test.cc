// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "journal/read/bad_input_cases.h"
#include "journal/read/count.h"
#include "journal/read/reader_fixture.h"
#include "journal/read/verify.h"

namespace holdfast::journal {
namespace {

namespace fs = std::filesystem;

class BadInputTest : public ReaderTest {
 protected:
  static fs::path golden(const BadInput& input) {
    return fs::path(HF_GOLDEN_JOURNALS) / input.name;
  }

  Snapshot open_copy(const BadInput& input) {
    temp_.clear();
    for (const auto& file : fs::directory_iterator(golden(input))) {
      fs::copy_file(file.path(), temp_.path(file.path().filename().string()));
    }
    return open();
  }
  static std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

// HF_WRITE_GOLDEN=1 makes them anew.
TEST_F(BadInputTest, GoldenFilesAreWhatTheyWere) {
  for (const BadInput& input : bad_inputs()) {
    JournalBuilder journal = input.make();
    if (std::getenv("HF_WRITE_GOLDEN") != nullptr) {
      fs::create_directories(golden(input));
      journal.save(*os::Dir::open(golden(input).string()));
    }
    for (std::size_t i = 0; i < journal.segments(); ++i) {
      const auto name = segment_name({.first_seq = journal.first_seq(i)}).str();
      ASSERT_TRUE(fs::exists(golden(input) / name)) << input.name;
      EXPECT_EQ(bytes_of(golden(input) / name), journal.segment(i)) << input.name;
    }
  }
}

TEST_F(BadInputTest, ScanVisitsWhatIsReadableAndReportsTheRestInBothDirections) {
  for (const BadInput& input : bad_inputs()) {
    const Snapshot now = open_copy(input);
    for (const bool reverse : {false, true}) {
      std::uint64_t visited = 0;
      const auto result =
          scan(now, {.reverse = reverse}, [&](const ScannedRecord&) -> Result<os::Visit> {
            ++visited;
            return os::Visit::kContinue;
          });
      if (input.newer) {
        ASSERT_FALSE(result) << input.name;
        EXPECT_EQ(result.error().code, ErrorCode::kCannotTell);
        EXPECT_EQ(visited, reverse ? 0U : input.visited);
        continue;
      }
      ASSERT_TRUE(result) << input.name << ": " << to_sentence(result.error());
      EXPECT_EQ(visited, input.visited) << input.name;
      EXPECT_EQ(kinds(result->damaged), input.scanned) << input.name << (reverse ? " reverse" : "");
      EXPECT_EQ(result->unfinished_bytes != 0, input.unfinished) << input.name;
    }
  }
}

TEST_F(BadInputTest, CountCountsWhatIsReadableAndReportsTheRest) {
  for (const BadInput& input : bad_inputs()) {
    const Snapshot now = open_copy(input);
    for (const bool use_index : {false, true, true}) {
      const auto result =
          count(now, {.by = {"type"}, .use_index = use_index, .index_live_from = 1});
      if (input.newer) {
        ASSERT_FALSE(result) << input.name;
        EXPECT_EQ(result.error().code, ErrorCode::kCannotTell);
        continue;
      }
      ASSERT_TRUE(result) << input.name << ": " << to_sentence(result.error());
      EXPECT_EQ(result->count, input.visited) << input.name;
      EXPECT_EQ(kinds(result->damaged), input.scanned) << input.name;
      EXPECT_EQ(result->unfinished_bytes != 0, input.unfinished) << input.name;
    }
  }
}

TEST_F(BadInputTest, VerifyFindsWhatIsWrong) {
  for (const BadInput& input : bad_inputs()) {
    const auto result = verify(open_copy(input));
    if (input.newer) {
      ASSERT_FALSE(result) << input.name;
      EXPECT_EQ(result.error().code, ErrorCode::kCannotTell);
      continue;
    }
    ASSERT_TRUE(result) << input.name << ": " << to_sentence(result.error());
    EXPECT_EQ(kinds(result->damaged), input.verified) << input.name;
    EXPECT_EQ(result->records, input.visited) << input.name;
  }
}

}  // namespace
}  // namespace holdfast::journal
