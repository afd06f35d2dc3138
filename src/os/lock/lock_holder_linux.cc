// SPDX-License-Identifier: Apache-2.0
#include "os/lock/lock_holder.h"

#include <sys/sysmacros.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "os/dir/dir.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMaxList = std::size_t{16} << 20U;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t start = line.find_first_not_of(' ', at);
    if (start == line.npos) break;
    at = std::min(line.find(' ', start), line.size());
    words.push_back(line.substr(start, at - start));
  }
  return words;
}

// "MAJOR:MINOR:INODE", the device in hexadecimal, as /proc/locks spells it.
std::string spelled(const FileId& id) {
  const auto hex = [](unsigned number) {
    std::string text(8, '\0');
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16).ptr;
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text.size() < 2 ? "0" + text : text;
  };
  return hex(major(id.device)) + ":" + hex(minor(id.device)) + ":" + std::to_string(id.inode);
}

}  // namespace

// A line: `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`; a waiter's has `->` behind the number.
Result<std::optional<LockHolder>> flock_holder(const FileId& id) {
  const Dir proc = HF_TRY(Dir::open("/proc"));
  auto file = HF_TRY(proc.open_file("locks"_name, Access::kRead));
  if (!file) return std::nullopt;
  const std::string list = HF_TRY(file->read_all(kMaxList));
  const std::string wanted = spelled(id);
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find('\n', at), list.size());
    const auto words = words_of(std::string_view(list).substr(at, end - at));
    at = end + 1;
    if (words.size() < 6 || words[1] != "FLOCK" || words[5] != wanted) continue;
    int pid = 0;
    std::from_chars(words[4].data(), words[4].data() + words[4].size(), pid);
    LockHolder holder;
    if (pid > 0) holder.pid = Pid{pid};
    return holder;
  }
  return std::nullopt;
}

}  // namespace holdfast::os
