// SPDX-License-Identifier: Apache-2.0
#include "os/byte_holders.h"

#include <sys/sysmacros.h>

#include <charconv>
#include <string>
#include <string_view>

#include "os/dir.h"
#include "os/proc_fs.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMaxInfo = std::size_t{64} << 10U;

std::string hex(unsigned number) {
  std::string text(8, '\0');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16).ptr;
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text.size() < 2 ? "0" + text : text;
}

// As in `lock:  1: OFDLCK ADVISORY WRITE -1 fe:00:1234 1099511627776 1099511627776`.
std::string line_end(const FileId& file, std::uint64_t offset) {
  const std::string at = std::to_string(offset);
  return " " + hex(major(file.device)) + ":" + hex(minor(file.device)) + ":" +
         std::to_string(file.inode) + " " + at + " " + at + "\n";
}

bool has_it(const Dir& infos, std::string_view name, const std::string& wanted) {
  const auto safe = SafeName::make(name);
  if (!safe) return false;
  auto file = infos.open_file(*safe, Access::kRead);
  if (!file || !*file) return false;
  const auto text = (*file)->read_all(kMaxInfo);
  return text && text->find(wanted) != text->npos;
}

}  // namespace

std::vector<Pid> byte_holders(const FileId& file, std::uint64_t offset) {
  const std::string wanted = line_end(file, offset);
  std::vector<Pid> holders;
  const auto seen = each_process([&](Pid pid) {
    const auto infos = Dir::open("/proc/" + std::to_string(number(pid)) + "/fdinfo");
    if (!infos) return;
    const auto listed = infos->each_entry([&](std::string_view name, FileType) {
      if (!has_it(*infos, name, wanted)) return Visit::kContinue;
      holders.push_back(pid);
      return Visit::kStop;
    });
    static_cast<void>(listed);
  });
  static_cast<void>(seen);
  return holders;
}

}  // namespace holdfast::os
