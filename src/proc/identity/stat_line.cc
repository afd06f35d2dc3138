// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/stat_line.h"

#include <charconv>

namespace holdfast::proc {
namespace {

constexpr std::uint32_t kForkNoExec = 0x40;          // PF_FORKNOEXEC of the kernel
constexpr std::uint32_t kKernelThread = 0x00200000;  // PF_KTHREAD

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `end` is its size
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

// Cuts the next word off the front.
std::string_view next_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of(" \n"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

}  // namespace

std::optional<ProcessFacts> parse_stat_line(std::string_view line) {
  const std::size_t open = line.find(" (");
  const std::size_t close = line.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2 ||
      close + 2 > line.size()) {
    return std::nullopt;
  }
  int pid = 0;
  if (!read_number(line.substr(0, open), pid)) return std::nullopt;

  std::string_view rest = line.substr(close + 2);
  const std::string_view state = next_word(rest);
  int parent = 0;
  if (state.size() != 1 || !read_number(next_word(rest), parent)) return std::nullopt;
  next_word(rest);  // pgrp
  int session = 0;
  if (!read_number(next_word(rest), session)) return std::nullopt;
  for (int field = 7; field < 9; ++field) next_word(rest);  // tty_nr, tpgid
  std::uint32_t flags = 0;
  if (!read_number(next_word(rest), flags)) return std::nullopt;
  for (int field = 10; field < 20; ++field) next_word(rest);  // minflt to nice
  std::uint32_t threads = 0;
  if (!read_number(next_word(rest), threads)) return std::nullopt;
  next_word(rest);  // itrealvalue
  std::uint64_t start = 0;
  if (!read_number(next_word(rest), start)) return std::nullopt;
  return ProcessFacts{.pid = os::Pid{pid},
                      .parent = os::Pid{parent},
                      .state = state[0],
                      .start_ticks = start,
                      .name = std::string(line.substr(open + 2, close - open - 2)),
                      .threads = threads,
                      .session = os::Pid{session},
                      .forked_only = (flags & kForkNoExec) != 0,
                      .kernel_thread = (flags & kKernelThread) != 0};
}

}  // namespace holdfast::proc
