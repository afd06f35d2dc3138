// SPDX-License-Identifier: Apache-2.0
#include "journal/read/line_reader.h"

#include <algorithm>
#include <random>

#include "journal/read/reader_fixture.h"
#include "journal/read/reverse_lines.h"

namespace holdfast::journal {
namespace {

struct Read {
  std::uint64_t offset;
  std::uint64_t bytes;
  Line::Kind kind;
  std::string text;
  bool operator==(const Read&) const = default;
};

class LineReaderTest : public ReaderTest {
 protected:
  static constexpr SegmentRef kRef{.first_seq = 1};

  template <typename Reader>
  static std::vector<Read> all(Reader reader) {
    std::vector<Read> out;
    for (Line line; reader.next(line).value();) {
      out.push_back({line.offset, line.bytes, line.kind, std::string(line.text)});
    }
    return out;
  }
  // What is expected, in the plainest way.
  static std::vector<Read> split(std::string_view text) {
    std::vector<Read> out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t newline = text.find('\n', at);
      const bool whole = newline != std::string_view::npos;
      const std::size_t end = whole ? newline + 1 : text.size();
      const bool fits = end - at <= kMaxRecordBytes;
      Line::Kind kind = fits ? Line::Kind::kWhole : Line::Kind::kTooLong;
      if (!whole) kind = Line::Kind::kUnfinished;
      const std::string_view line = text.substr(at, end - at - (whole ? 1 : 0));
      out.push_back({at, end - at, kind, std::string(fits ? line : std::string_view())});
      at = end;
    }
    return out;
  }
  void expect_same(const std::string& text) {
    put_file(temp_.dir(), segment_name(kRef).str(), text);
    const SegmentFile file{.ref = kRef, .size = text.size(), .live = true};
    auto expected = split(text);
    EXPECT_TRUE(all(*LineReader::open(temp_.dir(), file)) == expected) << text.size();
    std::ranges::reverse(expected);
    EXPECT_TRUE(all(*ReverseLineReader::open(temp_.dir(), file)) == expected) << text.size();
  }
};

TEST_F(LineReaderTest, BothDirectionsReadTheSameLines) {
  for (const char* text : {"", "\n", "a", "a\n", "a\nb", "\n\n\na\n\n", "a\n\nb\n"}) {
    expect_same(text);
  }
}

TEST_F(LineReaderTest, LinesAroundTheLimitsOfBuffersAndRecords) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  for (const std::size_t length : {kMaxRecordBytes - 2, kMaxRecordBytes - 1, kMaxRecordBytes,
                                   kMaxRecordBytes + 1, kMiB - 1, kMiB, kMiB + 1, 2 * kMiB + 7}) {
    expect_same(std::string(length, 'x'));
    expect_same(std::string(length, 'x') + "\n");
    expect_same("before\n" + std::string(length, 'x') + "\nbehind\n");
  }
}

TEST_F(LineReaderTest, RandomTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    const std::size_t size = random() % 3'000'000;
    while (text.size() < size) {
      const std::size_t longest = random() % 50 == 0 ? 400'000 : 500;
      text.append(random() % longest, static_cast<char>('a' + random() % 20)) += '\n';
    }
    if (random() % 2 == 0) text += "end";
    expect_same(text);
  }
}

TEST_F(LineReaderTest, APartIsReadAsIfItWereAll) {
  put_file(temp_.dir(), segment_name(kRef).str(), "a\nbb\nccc\n");
  const SegmentFile file{.ref = kRef, .size = 9, .live = true};
  const auto part = all(*LineReader::open(temp_.dir(), file, 2, 5));
  ASSERT_EQ(part.size(), 1U);
  EXPECT_EQ(part[0].text, "bb");
  EXPECT_EQ(part[0].offset, 2U);
}

TEST_F(LineReaderTest, ARemovedSegmentIsBusyAndSaysWhy) {
  const auto lines = LineReader::open(temp_.dir(), {.ref = kRef, .size = 9});
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().code, ErrorCode::kBusy);
  EXPECT_EQ(lines.error().cause, "segment-removed");
}

}  // namespace
}  // namespace holdfast::journal
