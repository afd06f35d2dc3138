// SPDX-License-Identifier: Apache-2.0
#include "helper/line_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast::helper {
namespace {

// Gives `text`, `step` bytes at a time.
ByteSource in_steps(std::string text, std::size_t step) {
  return [text = std::move(text), step, at = std::size_t{0}](std::span<char> buffer) mutable {
    const std::size_t size = std::min({step, buffer.size(), text.size() - at});
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), size, buffer.begin());
    at += size;
    return Result<std::size_t>(size);
  };
}

std::vector<std::string> lines_of(const std::string& text, std::size_t step, std::size_t max) {
  const ByteSource bytes = in_steps(text, step);
  LineSource source(bytes, max);
  std::vector<std::string> lines;
  for (;;) {
    const auto line = source.next();
    if (!line) return {"(" + line.error().cause + ")"};
    if (!*line) return lines;
    lines.emplace_back(**line);
  }
}

TEST(LineSource, LinesAreTheSameHoweverTheBytesCome) {
  for (const std::size_t step : {1U, 2U, 3U, 100U}) {
    EXPECT_EQ(lines_of("one\n\nthree\n", step, 100),
              (std::vector<std::string>{"one", "", "three"}));
    EXPECT_EQ(lines_of("one\nlast", step, 100), (std::vector<std::string>{"one", "last"}));
    EXPECT_EQ(lines_of("", step, 100), std::vector<std::string>{});
  }
}

TEST(LineSource, LineThatIsTooLongIsAnError) {
  const std::string line(3U << 20U, 'x');
  EXPECT_EQ(lines_of(line + "\n", 1 << 20, 2 << 20), std::vector<std::string>{"(line-too-long)"});
  EXPECT_EQ(lines_of(line + "\n", 1 << 20, 4 << 20), std::vector<std::string>{line});
}

TEST(LineSource, FailureOfTheBytesIsItsOwn) {
  const ByteSource bytes = [](std::span<char>) -> Result<std::size_t> {
    return fail({.code = ErrorCode::kIo, .cause = "eio"});
  };
  EXPECT_EQ(LineSource(bytes, 100).next().error().cause, "eio");
}

}  // namespace
}  // namespace holdfast::helper
