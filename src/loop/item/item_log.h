// SPDX-License-Identifier: Apache-2.0
//
// ItemLog: `items.log` of a loop, in memory and on the disk.
//
// Every change is appended as a whole line (format/loop/loop_item.h) under the lock of the loop's
// directory, after what others appended was read: `loop retry` and a working loop may both change
// items. The newest line of an item is its state. When most lines are old the log is written anew,
// whole, beside the old one, and takes its name.
//
//   ItemLog log = HF_TRY(ItemLog::open(dir));
//   HF_TRY(log.change(os::Durability::kFull, [](const ItemLog& now) ->
//   Result<std::vector<LoopLine>>
//     { … }));
//
// The heads, the first two lines, say how far the log was on stable storage. After lines were
// synced, the older head is written over with their end, and is itself synced with the next lines.
// So on the disk no head is ahead of the lines, whatever the moment of a power cut; death in the
// middle of writing one leaves the other. The log appears under its name with its heads, so it is
// never empty.
//
// Guarantees: death in the middle of a change leaves the old state: a line without its end, or the
// zeros of a power cut, behind what the heads count is not there, and the next writer cuts it off.
// A log that is emptied, shorter than a head says, or damaged anywhere else is kCorrupt: nothing
// is appended to it and nothing is taken from it. kFull: on stable storage when change() returns.
//
// Logs of version 0.1 have no heads and are read as they are; the first change writes them anew.
// One without a whole line is kCorrupt if an item was ever begun (items/ has its file), else it is
// new.
//
// Limits: a whole older log that was put in this one's place is not noticed. After a crash the
// heads may count one change less than there is: damage to that change then looks like a torn line.
//
// Errors: kCorrupt `loop-log-gone`, `loop-log-emptied`, `loop-log-cut`, `bad-loop-log`; kBusy
// `loop-log-busy` where the lock was not had in 10 s; of session/record/own_file.h; kIo.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/loop/loop_item.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"
#include "os/lock/dir_lock.h"

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

  [[nodiscard]] const os::Dir& dir() const { return *dir_; }
  [[nodiscard]] const std::map<std::string, ItemRecord>& items() const { return items_; }
  [[nodiscard]] const ItemRecord* find(const std::string& id) const;
  [[nodiscard]] const std::optional<LoopDay>& day() const { return day_; }

 private:
  ItemLog(const os::Dir& dir, os::DirLock lock) : dir_(&dir), lock_(std::move(lock)) {}

  Result<> take_new_lines();
  Result<> read_heads(const os::File& file);
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
  std::optional<LoopHead> head_;  // the one that counts
  bool both_heads_ = false;       // the other one can be read, too
  std::uint64_t older_ = 0;       // its offset
  os::FileId file_{};             // that was read; a log that was written anew is another
  std::uint64_t read_ = 0;        // bytes, to the end of the last whole line
  std::uint64_t lines_ = 0;       // that were read, without the heads
  std::map<std::string, ItemRecord> items_;
  std::optional<LoopDay> day_;
};

}  // namespace holdfast::loop
