// SPDX-License-Identifier: Apache-2.0
#include "os/lock/byte_holders.h"

#include <sys/sysmacros.h>

#include <charconv>
#include <string>
#include <string_view>

#include "os/dir/dir.h"
#include "os/process/proc_fs.h"

namespace holdfast::os {
namespace {

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
