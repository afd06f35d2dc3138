// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/process_facts.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "os/process/proc_fs.h"

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

// The `word`th number of the line that begins with `key`, which is not the first line.
template <typename Number>
std::optional<Number> number_in(std::string_view text, std::string_view key, int word) {
  std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  for (; word > 0; --word) {
    at = text.find_first_of("\t\n");
    if (at == std::string_view::npos || text[at] == '\n') return std::nullopt;
    text.remove_prefix(at + 1);
  }
  Number number{};
  const char* const end = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `end` is its size
  const auto read = std::from_chars(text.data(), end, number);
  // Behind the number the line goes on or ends; a text that was cut there proves nothing.
  if (read.ec != std::errc() || read.ptr == end || (*read.ptr != '\t' && *read.ptr != '\n')) {
    return std::nullopt;
  }
  return number;
}

// The numbers in the line that begins with `key`; 0 without such a line, or where it was cut.
int count_in(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  const std::size_t end = text.find('\n', at + 1);
  if (end == std::string_view::npos) return 0;
  return static_cast<int>(std::ranges::count(text.substr(at + 1, end - at), '\t'));
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

std::optional<StatusFacts> parse_status_text(std::string_view text) {
  const auto process = number_in<int>(text, "\nTgid:\t", 0);
  const auto uid = number_in<std::uint32_t>(text, "\nUid:\t", 1);  // real, effective, saved, fs
  if (!process || !uid) return std::nullopt;
  const int levels = count_in(text, "\nNSpid:\t");
  return StatusFacts{
      .process = os::Pid{*process},
      .uid = *uid,
      .pid_levels = levels,
      .namespace_init = levels > 1 && number_in<int>(text, "\nNSpid:\t", levels - 1) == 1};
}

std::vector<ProcessFacts> descendants_of(os::Pid root, const std::vector<ProcessFacts>& table) {
  std::multimap<os::Pid, const ProcessFacts*> children;
  for (const ProcessFacts& facts : table) children.emplace(facts.parent, &facts);
  std::vector<ProcessFacts> found;
  // Each row has one parent and is taken out when visited, so a table that contradicts itself
  // (numbers recycled while it was read) cannot lead in a circle.
  const auto take = [&](os::Pid parent) {
    const auto [first, last] = children.equal_range(parent);
    for (auto it = first; it != last; ++it) found.push_back(*it->second);
    children.erase(first, last);
  };
  take(root);
  for (std::size_t next = 0; next < found.size(); ++next) take(found[next].pid);
  return found;
}

std::string program_of(os::Pid pid) {
  const auto line = os::read_proc_file(pid, "cmdline");
  if (!line || !*line) return {};
  // A blank, too: a process that shows a title of its own leaves one text for all words.
  constexpr std::string_view kEnds("\0 ", 2);
  return (*line)->substr(0, (*line)->find_first_of(kEnds));
}

}  // namespace holdfast::proc
