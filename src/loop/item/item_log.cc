// SPDX-License-Identifier: Apache-2.0
//
// Two writers, and a reader without the lock. A writer reads to the end under the lock before it
// decides, so its line follows from the newest state. A log that is written anew gets its name by a
// rename under the same lock: whoever has the old file open sees by the inode that it is another
// one, and reads the new one from the start. A reader without the lock may meet a line that is
// being written: it has no newline yet, and is left for the next look. Of the heads it may meet one
// that is being written over: the other one counts then.
#include "loop/item/item_log.h"

#include <algorithm>
#include <utility>

#include "os/dir/dir.h"
#include "session/record/own_file.h"

namespace holdfast::loop {
namespace {

using os::operator""_name;

constexpr Duration kItemLogLockPatience = std::chrono::seconds(10);
constexpr std::size_t kPiece = std::size_t{1} << 20U;
// Old lines are let be until there are so many more of them than items.
constexpr std::uint64_t kOldLinesPerItem = 4;
constexpr std::uint64_t kOldLinesAtLeast = 256;

constexpr std::uint64_t kHeadsBytes = 2 * kLoopHeadBytes;

std::string heads(const LoopHead& head) { return encode_loop_head(head) + encode_loop_head(head); }

os::SafeName log_name() { return "items.log"_name; }

// What an item's commands read is kept before the item is claimed, and until it is forgotten.
Result<bool> has_begun_items(const os::Dir& dir) {
  const auto items = HF_TRY(session::open_own_dir(dir, "items"_name));
  bool any = false;
  if (!items) return any;
  HF_TRY(items->each_entry([&any](std::string_view entry, os::FileType /*type*/) {
    any = any || !os::is_stage_name(entry);
    return os::Visit::kContinue;
  }));
  return any;
}

class Unlock {
 public:
  explicit Unlock(os::DirLock& lock) : lock_(lock) {}
  Unlock(const Unlock&) = delete;
  Unlock& operator=(const Unlock&) = delete;
  ~Unlock() { lock_.unlock(); }

 private:
  os::DirLock& lock_;
};

}  // namespace

Result<> ItemLog::create(const os::Dir& dir) {
  if (HF_TRY(dir.info(log_name())) || HF_TRY(has_begun_items(dir))) return {};
  os::StagedFile staged = HF_TRY(os::StagedFile::create(dir, kPrivateFile));
  HF_TRY(staged.write_all(heads({.synced = kHeadsBytes})));
  HF_TRY(staged.publish_new(log_name()));  // or there is one now
  return {};
}

Result<ItemLog> ItemLog::open(const os::Dir& dir) {
  auto lock = os::DirLock::open(dir);
  if (!lock) return fail(lock.error());
  ItemLog log(dir, std::move(*lock));
  HF_TRY(log.catch_up());
  return log;
}

const ItemRecord* ItemLog::find(const std::string& id) const {
  const auto found = items_.find(id);
  return found != items_.end() ? &found->second : nullptr;
}

Result<> ItemLog::catch_up() { return take_new_lines(); }

Result<> ItemLog::open_lock_anew() {
  lock_.reset();
  auto lock = os::DirLock::open(*dir_);
  if (!lock) return fail(lock.error());
  lock_.emplace(*std::move(lock));
  return {};
}

Result<> ItemLog::change(os::Durability durability, const Change& change) {
  const bool locked = lock_ && HF_TRY(lock_->lock(kItemLogLockPatience));
  if (!locked) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "change",
                 .subject = dir_->path_of(log_name()),
                 .cause = "loop-log-busy",
                 .detail = "somebody else has it for longer than 10 seconds; nothing was changed"});
  }
  const Unlock unlock(*lock_);
  HF_TRY(take_new_lines());
  HF_TRY(cut_torn_tail());
  if (!head_) HF_TRY(write_anew());
  const auto lines = change(*this);
  if (!lines) return fail(lines.error());
  if (lines->empty()) return {};
  if (lines_ > kOldLinesAtLeast + kOldLinesPerItem * items_.size()) HF_TRY(write_anew());
  return append(*lines, durability);
}

Error ItemLog::damaged(std::string_view cause, std::string_view how) const {
  return {.code = ErrorCode::kCorrupt,
          .op = "read",
          .subject = dir_->path_of(log_name()),
          .cause = std::string(cause),
          .detail = std::string(how) +
                    "; restore it from a backup, or remove the directory of the loop to begin "
                    "anew, which does again what was done before"};
}

Result<> ItemLog::take_new_lines() {
  const auto file = HF_TRY(session::open_own_file(*dir_, log_name()));
  if (!file) return fail(damaged("loop-log-gone", "the states of all items were in it"));
  const os::FileInfo info = HF_TRY(file->info());
  if (info.id != file_ || info.size < read_) {
    items_.clear();
    day_.reset();
    read_ = 0;
    lines_ = 0;
    file_ = info.id;
  }
  HF_TRY(read_heads(*file));
  if (head_ && read_ == 0) read_ = kHeadsBytes;
  HF_TRY(take_lines(*file));
  return check_whole();
}

Result<> ItemLog::read_heads(const os::File& file) {
  const std::string bytes = HF_TRY(file.read_at(0, kHeadsBytes));
  const auto first = decode_loop_head(bytes);
  const auto second =
      decode_loop_head(std::string_view(bytes).substr(std::min(bytes.size(), kLoopHeadBytes)));
  const bool first_counts = first && (!second || first->synced >= second->synced);
  head_ = first_counts ? first : second;
  both_heads_ = first && second;
  older_ = first_counts ? kLoopHeadBytes : 0;
  return {};
}

Result<> ItemLog::take_lines(const os::File& file) {
  std::string rest;
  std::uint64_t at = read_;
  for (;;) {
    const std::string piece = HF_TRY(file.read_at(at, kPiece));
    if (piece.empty()) return {};
    at += piece.size();
    rest += piece;
    std::size_t from = 0;
    for (std::size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n', from)) {
      HF_TRY(take_line(std::string_view(rest).substr(from, end - from)));
      read_ += end + 1 - from;
      from = end + 1;
    }
    rest.erase(0, from);
  }
}

// Behind what the heads count a line may be missing; before it, none. Where a writer died in the
// middle of a head, the lines that it was to count are there.
Result<> ItemLog::check_whole() const {
  if (head_ && (both_heads_ ? read_ >= head_->synced : read_ > head_->synced)) return {};
  if (head_ && read_ >= head_->synced) {
    return fail(damaged("loop-log-cut", "one of its first two lines cannot be read"));
  }
  if (head_) {
    return fail(damaged("loop-log-cut", "it had " + std::to_string(head_->synced) +
                                            " bytes on the disk, and only " +
                                            std::to_string(read_) + " of them can be read"));
  }
  if (lines_ != 0 || !HF_TRY(has_begun_items(*dir_))) return {};
  return fail(damaged("loop-log-emptied", "the loop has begun items, and not one is in it"));
}

Result<> ItemLog::take_line(std::string_view line) {
  const std::string place = dir_->path_of(log_name()) + ":" + std::to_string(lines_ + 1);
  auto read = decode_loop_line(line, place);
  if (!read && read.error().code == ErrorCode::kCorrupt) {
    Error error = damaged(read.error().cause, read.error().detail);
    error.subject = place;
    return fail(std::move(error));
  }
  if (!read) return fail(read.error());
  ++lines_;
  apply(*std::move(read));
  return {};
}

void ItemLog::apply(LoopLine line) {
  if (auto* item = std::get_if<ItemRecord>(&line)) {
    std::string id = item->id;
    items_.insert_or_assign(std::move(id), std::move(*item));
  } else if (auto* day = std::get_if<LoopDay>(&line)) {
    day_ = std::move(*day);
  } else {
    items_.erase(std::get<ItemForgotten>(line).id);
  }
}

// Under the lock nobody is writing: what has no end never gets one.
Result<> ItemLog::cut_torn_tail() {
  auto file = HF_TRY(dir_->open_file(log_name(), os::Access::kReadWrite));
  if (!file) return {};
  if (HF_TRY(file->info()).size > read_) HF_TRY(file->truncate(read_));
  return {};
}

Result<> ItemLog::append(const std::vector<LoopLine>& lines, os::Durability durability) {
  std::string bytes;
  for (const LoopLine& line : lines) {
    // What could not be read again would be damage of our own making.
    const std::string encoded = encode_loop_line(line);
    const auto read = decode_loop_line(std::string_view(encoded).substr(0, encoded.size() - 1),
                                       dir_->path_of(log_name()));
    if (!read) {
      Error error = read.error();
      error.code = ErrorCode::kInternal;
      error.op = "write a line of the loop's log";
      return fail(std::move(error));
    }
    bytes += encoded;
  }
  auto file = HF_TRY(dir_->open_file(log_name(), os::Access::kReadWrite));
  if (!file) return take_new_lines();  // it went this moment
  HF_TRY(file->write_at(read_, bytes));
  if (durability == os::Durability::kFull) HF_TRY(file->sync_data());
  read_ += bytes.size();
  lines_ += lines.size();
  for (const LoopLine& line : lines) apply(line);
  return durability == os::Durability::kFull ? note_synced(*file) : Result<>();
}

// Only after the lines are on stable storage.
Result<> ItemLog::note_synced(os::File& file) {
  head_ = LoopHead{.synced = read_};
  both_heads_ = true;
  const std::uint64_t at = std::exchange(older_, kLoopHeadBytes - older_);
  return file.write_at(at, encode_loop_head(*head_));
}

Result<> ItemLog::write_anew() {
  std::string bytes;
  if (day_) bytes += encode_loop_line(*day_);
  for (const auto& [id, item] : items_) bytes += encode_loop_line(item);
  const LoopHead head{.synced = kHeadsBytes + bytes.size()};
  bytes.insert(0, heads(head));
  HF_TRY(session::replace_own_file(*dir_, log_name(), bytes, os::Durability::kFull));
  const auto info = HF_TRY(dir_->info(log_name()));
  if (info) file_ = info->id;
  head_ = head;
  both_heads_ = true;
  older_ = 0;
  read_ = bytes.size();
  lines_ = items_.size() + (day_ ? 1 : 0);
  return {};
}

}  // namespace holdfast::loop
