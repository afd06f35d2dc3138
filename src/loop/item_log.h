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
// The head, the first line, says how far the log was on stable storage; it is written over in place
// after the lines that it counts were synced, and is itself synced with the next ones. So on the
// disk it is never ahead of the lines, whatever the moment of a power cut, and lags at most one
// change behind. The log appears under its name with its head, so it is never empty.
//
// Guarantees: death in the middle of a change leaves the old state: a line without its end, or the
// zeros of a power cut, behind what the head counts is not there, and the next writer cuts it off.
// A log that is emptied, shorter than its head says, or damaged anywhere else is kCorrupt: nothing
// is appended to it and nothing is taken from it. kFull: on stable storage when change() returns.
//
// Logs of version 0.1 have no head and are read as they are; the first change writes them anew. One
// without a whole line is kCorrupt if an item was ever begun (items/ has its file), else it is new.
//
// Limits: a whole older log that was put in this one's place is not noticed. After a crash the head
// may count one change less than there is: damage to that change then looks like a torn line.
//
// Errors: kCorrupt `loop-log-gone`, `loop-log-emptied`, `loop-log-cut`, `bad-loop-log`; kBusy
// `loop-log-busy` where the lock was not had in 10 s; of session/own_file.h; kIo.
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
  // A log without items, if there is none and no item was ever begun.
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

  Result<bool> lock();
  Result<> take_new_lines();
  Result<> take_lines(const os::File& file);
  Result<> check_whole() const;
  [[nodiscard]] Error damaged(std::string_view cause, std::string_view how) const;
  Result<> take_line(std::string_view line);
  void apply(LoopLine line);
  Result<> cut_torn_tail();
  Result<> append(const std::vector<LoopLine>& lines, os::Durability durability);
  Result<> note_synced(os::File& file);
  Result<> write_anew();

  const os::Dir* dir_;
  std::optional<os::DirLock> lock_;
  std::optional<LoopHead> head_;
  os::FileId file_{};        // that was read; a log that was written anew is another
  std::uint64_t read_ = 0;   // bytes, to the end of the last whole line
  std::uint64_t lines_ = 0;  // that were read, without the head
  std::map<std::string, ItemRecord> items_;
  std::optional<LoopDay> day_;
};

}  // namespace holdfast::loop
