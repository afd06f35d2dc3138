// SPDX-License-Identifier: Apache-2.0
//
// ItemLog: `items.log` of a loop, in memory and on the disk.
//
// Every change is appended as a whole line (format/loop_item.h) under the lock of the loop's
// directory, after what others appended was read: `loop retry` and a working loop may both change
// items. The newest line of an item is its state. When most lines are old the log is written anew,
// whole, beside the old one, and takes its name.
//
//   ItemLog log = HF_TRY(ItemLog::open(dir));
//   HF_TRY(log.change(os::Durability::kFull, [](const ItemLog& now) ->
//   Result<std::vector<LoopLine>>
//     { … }));
//
// Guarantees: death in the middle of a change leaves the old state: a line without its end is not
// there, and the next writer cuts it off. A damaged log is kCorrupt: nothing is appended to it and
// nothing is taken from it. kFull: on stable storage when change() returns.
//
// Errors: kBusy `loop-log-busy` where the lock was not had in 10 s; of session/own_file.h; kIo.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/loop_item.h"
#include "os/dir.h"
#include "os/dir_lock.h"
#include "os/staged_file.h"

namespace holdfast::loop {

class ItemLog {
 public:
  // An empty log, where there is none.
  static Result<> create(const os::Dir& dir);
  // `dir` must outlive it. kCorrupt `loop-log-gone` where there is none: a loop that has worked has
  // one, and must not begin anew because somebody removed it.
  static Result<ItemLog> open(const os::Dir& dir);

  using Change = std::function<Result<std::vector<LoopLine>>(const ItemLog& now)>;
  // What `change` returns is appended; nothing where it is empty.
  Result<> change(os::Durability durability, const Change& change);
  // Reads what others appended since.
  Result<> catch_up();
  // In a child by fork: closes its copy of the parent's lock. Where it fails, changes fail.
  Result<> open_lock_anew();

  [[nodiscard]] const std::map<std::string, ItemRecord>& items() const { return items_; }
  [[nodiscard]] const ItemRecord* find(const std::string& id) const;
  [[nodiscard]] const std::optional<LoopDay>& day() const { return day_; }

 private:
  ItemLog(const os::Dir& dir, os::DirLock lock) : dir_(&dir), lock_(std::move(lock)) {}

  Result<> take_new_lines();
  Result<> take_line(std::string_view line);
  void apply(LoopLine line);
  Result<> cut_torn_tail();
  Result<> append(const std::vector<LoopLine>& lines, os::Durability durability);
  Result<> write_anew();

  const os::Dir* dir_;
  std::optional<os::DirLock> lock_;
  os::FileId file_{};        // that was read; a log that was written anew is another
  std::uint64_t read_ = 0;   // bytes, to the end of the last whole line
  std::uint64_t lines_ = 0;  // that were read
  std::map<std::string, ItemRecord> items_;
  std::optional<LoopDay> day_;
};

}  // namespace holdfast::loop
