// SPDX-License-Identifier: Apache-2.0
#include "run/session/log_file.h"

#include <algorithm>
#include <array>

#include "base/cause.h"
#include "os/dir/dir.h"
#include "os/path/safe_name.h"
#include "session/record/layout.h"

namespace holdfast::run {
namespace {

Result<os::File> create_log(const os::Dir& dir) {
  auto file = HF_TRY(dir.create_file(session::log_name(), kPrivateFile));
  if (file) return std::move(*file);
  return fail({.code = ErrorCode::kRefused,
               .op = "begin the log",
               .subject = dir.path_of(session::log_name()),
               .cause = cause::kNameTaken,
               .detail = "something of that name is there already"});
}

Error log_is_full(const os::Dir& dir) {
  return {.code = ErrorCode::kRefused,
          .op = "write to the log",
          .subject = dir.path_of(session::log_name()),
          .cause = "log-full",
          .detail = "it has reached its limit, and the next run may have its name by now"};
}

// The index of the log that is replaced goes first: a log that is made later may get its inode. Death
// between the steps leaves logs without an index, or one that names its log.
Result<> put_aside(const os::Dir& dir) {
  static_cast<void>(dir.remove_file(session::old_index_name()));
  const auto renamed = dir.rename_over(session::log_name(), session::old_log_name());
  if (!renamed) return renamed;
  static_cast<void>(dir.rename_over(session::index_name(), session::old_index_name()));
  return {};
}

// An index may be so long without regard to its log.
constexpr std::uint64_t kFreeIndex = std::uint64_t{64} << 10U;
// Beyond, an entry is of so much at least.
constexpr std::size_t kCoarse = 4096;

}  // namespace

Result<LogFile> LogFile::create(const os::Dir& dir, const Clock& clock, std::uint64_t max) {
  if (HF_TRY(dir.info(session::log_name()))) HF_TRY(put_aside(dir));
  return LogFile(dir, clock, max, HF_TRY(create_log(dir)));
}

Result<LogFile> LogFile::go_on(const os::Dir& dir, const Clock& clock, std::uint64_t max,
                               std::uint64_t bytes, std::uint64_t lost) {
  auto file = HF_TRY(dir.open_file(session::log_name(), os::Access::kAppend));
  std::uint64_t size = 0;
  if (file) {
    size = HF_TRY(file->info()).size;
  } else {
    file = HF_TRY(create_log(dir));
  }
  LogFile log(dir, clock, max, std::move(*file));
  log.size_ = size;
  log.bytes_ = std::max(bytes, size);
  log.lost_ = lost;
  static_cast<void>(log.find_index());  // else it gets a new one
  return log;
}

// A part of a piece may have been written before it failed: the whole piece counts as lost, and the
// file keeps the part.
void LogFile::write(std::string_view bytes, LogStream from) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, max_);
    bytes.remove_prefix(piece.size());
    const auto written = try_write(piece, from);
    if (written) continue;
    lost_ += piece.size();
    if (!why_lost_) why_lost_ = written.error();
  }
}

Result<> LogFile::try_write(std::string_view bytes, LogStream from) {
  const bool fits = bytes.size() <= max_ - std::min(size_, max_);
  if (staying_ && (!file_ || !fits)) return fail(log_is_full(*dir_));
  if (size_ > 0 && !fits) HF_TRY(rotate());
  if (!file_) {
    file_ = HF_TRY(create_log(*dir_));
    size_ = 0;
  }
  note(bytes.size(), from);
  if (const auto written = file_->write_all(bytes); !written) {
    if (const auto info = file_->info()) size_ = info->size;  // a part of it may be there
    return written;
  }
  size_ += bytes.size();
  return {};
}

// Dying between the two steps leaves an old log and no new one.
Result<> LogFile::rotate() {
  auto renamed = put_aside(*dir_);
  // Somebody removed it: there is nothing to keep.
  if (!renamed && renamed.error().code != ErrorCode::kNotFound) return renamed;
  file_.reset();
  size_ = 0;
  index_.reset();
  no_index_ = false;
  indexed_to_ = 0;
  return {};
}

// Of `length` bytes that are written next.
void LogFile::note(std::size_t length, LogStream from) {
  if (no_index_ || size_ + length <= indexed_to_ || size_ > kMaxIndexedAt) return;
  LogIndexEntry entry{
      .at = size_,
      .length = static_cast<std::uint32_t>(std::min<std::size_t>(length, kMaxIndexed)),
      .stream = from,
      .time = clock_->wall()};
  if (index_size_ + kLogIndexBlock > kFreeIndex + size_ / 2) {
    entry.length = std::max<std::uint32_t>(entry.length, kCoarse);
    entry.stream = LogStream::kMixed;
    indexed_to_ = size_ + entry.length;
  }
  const LogIndexBlock block = encode_log_index_entry(entry);
  if (!index_) {
    const auto begun = begin_index(block);
    no_index_ = !begun.has_value();
    return;
  }
  // One that fails is tried again for the next piece, at the same place.
  if (index_->write_at(index_size_, {block.data(), block.size()})) index_size_ += block.size();
}

Result<> LogFile::begin_index(const LogIndexBlock& first) {
  if (staying_) return fail(log_is_full(*dir_));  // the name may be another's
  const LogIndexBlock head = encode_log_index_head(HF_TRY(file_->info()).id.inode);
  HF_TRY(dir_->remove_file(session::index_name()));
  auto file = HF_TRY(dir_->create_file(session::index_name(), kPrivateFile));
  if (!file) return fail(log_is_full(*dir_));
  std::array<char, 2 * kLogIndexBlock> bytes{};
  std::ranges::copy(head, bytes.begin());
  std::ranges::copy(first, bytes.begin() + kLogIndexBlock);
  HF_TRY(file->write_at(0, {bytes.data(), bytes.size()}));
  index_.emplace(*std::move(file));
  index_size_ = bytes.size();
  return {};
}

Result<> LogFile::find_index() {
  auto file = HF_TRY(dir_->open_file(session::index_name(), os::Access::kReadWrite));
  if (!file) return {};
  const std::string head = HF_TRY(file->read_at(0, kLogIndexBlock));
  if (decode_log_index_head(head) != HF_TRY(file_->info()).id.inode) return {};
  const std::uint64_t size = HF_TRY(file->info()).size;
  index_.emplace(*std::move(file));
  index_size_ = size - size % kLogIndexBlock;  // what was torn is written over
  return {};
}

void LogFile::stay() { staying_ = true; }

}  // namespace holdfast::run
