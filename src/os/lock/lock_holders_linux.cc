// SPDX-License-Identifier: Apache-2.0
#include "os/lock/lock_holders.h"

#include <sys/sysmacros.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "os/dir/dir.h"
#include "os/process/proc_fs.h"

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

constexpr std::size_t kMaxInfo = std::size_t{64} << 10U;

std::string byte_holders_hex(unsigned number) {
  std::string text(8, '\0');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16).ptr;
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text.size() < 2 ? "0" + text : text;
}

// What stands before the first and the last byte of a lock, as in
// `lock:  1: OFDLCK ADVISORY WRITE -1 fe:00:1234 1099511627776 1099511627777`.
std::string before_range(const FileId& file) {
  return " " + byte_holders_hex(major(file.device)) + ":" + byte_holders_hex(minor(file.device)) +
         ":" + std::to_string(file.inode) + " ";
}

// `text` begins with the two numbers. The kernel shows neighbouring locks of one description as one
// range.
bool begins_with_range_over(std::string_view text, std::uint64_t offset) {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const char* const end = text.data() + text.size();
  const auto [behind_first, bad_first] = std::from_chars(text.data(), end, first);
  if (bad_first != std::errc() || behind_first == end) return false;
  const auto [behind, bad_last] = std::from_chars(behind_first + 1, end, last);
  const bool to_the_end = bad_last != std::errc();  // `EOF`
  return first <= offset && (to_the_end || offset <= last);
}

bool has_it(const Dir& infos, std::string_view name, const std::string& before,
            std::uint64_t offset) {
  const auto safe = SafeName::make(name);
  if (!safe) return false;
  auto file = infos.open_file(*safe, Access::kRead);
  if (!file || !*file) return false;
  const auto text = (*file)->read_all(kMaxInfo);
  if (!text) return false;
  for (std::size_t at = text->find(before); at != text->npos; at = text->find(before, at + 1)) {
    const std::string_view range = std::string_view(*text).substr(at + before.size());
    if (begins_with_range_over(range, offset)) return true;
  }
  return false;
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

std::vector<Pid> byte_holders(const FileId& file, std::uint64_t offset) {
  const std::string before = before_range(file);
  std::vector<Pid> holders;
  const auto seen = each_process([&](Pid pid) {
    const auto infos = Dir::open("/proc/" + std::to_string(number(pid)) + "/fdinfo");
    if (!infos) return;
    const auto listed = infos->each_entry([&](std::string_view name, FileType) {
      if (!has_it(*infos, name, before, offset)) return Visit::kContinue;
      holders.push_back(pid);
      return Visit::kStop;
    });
    static_cast<void>(listed);
  });
  static_cast<void>(seen);
  return holders;
}

}  // namespace holdfast::os
