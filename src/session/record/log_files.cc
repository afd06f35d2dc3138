// SPDX-License-Identifier: Apache-2.0
//
// The writer appends to out.log and, when that is full, renames it to out.log.1 (which replaces the
// one before) and begins a new out.log. We read beside it without a lock. Three interleavings:
//
//   - Opening: out.log is opened, it is rotated, out.log.1 is opened: both are the same file. Seen
//     by its id; the pair is opened again.
//   - Following: we are at the end of our file, the writer appends to it and rotates. Were we to go
//     on to the new file at once, that last piece would be lost. So first it is seen that the name
//     leads elsewhere; then our file is read to its end once more (it is final by now), and only
//     then is it left.
//   - A new run begins: its out.log is not ours. The record names run n+1 before that log is made,
//     so a file counts as ours only if the record still names our run after the file was opened.
#include "session/record/log_files.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/cause.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"

namespace holdfast::session {
namespace {

constexpr std::size_t kPiece = std::size_t{64} * 1024;
constexpr int kMostTries = 16;

// Where the last `lines` lines of the file begin; `lines` becomes what is still missing.
Result<std::uint64_t> find_last_lines(const os::File& file, std::uint64_t& lines, bool ends_here) {
  const std::uint64_t size = HF_TRY(file.info()).size;
  std::uint64_t end = size;
  while (end > 0) {
    const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(end, kPiece));
    const std::string piece = HF_TRY(file.read_at(end - length, length));
    if (piece.size() != length) return 0;  // it became shorter: nothing of ours does that
    for (std::size_t i = length; i > 0; --i) {
      const std::uint64_t at = end - length + i;  // behind the byte that is looked at
      if (piece[i - 1] != '\n' || (ends_here && at == size)) continue;
      if (--lines == 0) return at;
    }
    end -= length;
  }
  return 0;
}

}  // namespace

Result<bool> LogReader::is_newest() const {
  const auto record = HF_TRY(dir_->read());
  return record && record->number == number_;
}

Result<std::optional<LogReader::Part>> LogReader::open_part(const os::Dir& dir,
                                                            const os::SafeName& name) {
  auto file = HF_TRY(open_own_file(dir, name));
  if (!file) return std::nullopt;
  const os::FileId id = HF_TRY(file->info()).id;
  return Part{.file = *std::move(file), .id = id};
}

Result<> LogReader::find_parts() {
  for (int i = 0; i < kMostTries; ++i) {
    std::optional<Part> log;
    std::optional<Part> old;
    if (HF_TRY(is_newest())) {
      log = HF_TRY(open_part(dir_->dir(), log_name()));
      old = HF_TRY(open_part(dir_->dir(), old_log_name()));
      if (!HF_TRY(is_newest())) continue;
    }
    // What is being archived goes from there to here and never back.
    if (const auto run = HF_TRY(dir_->run_dir(number_))) {
      if (!log) log = HF_TRY(open_part(*run, log_name()));
      if (!old) old = HF_TRY(open_part(*run, old_log_name()));
    }
    if (log && old && log->id == old->id) continue;
    parts_.clear();
    if (old) parts_.push_back(*std::move(old));
    if (log) parts_.push_back(*std::move(log));
    return {};
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "read the log of",
               .subject = "'" + dir_->name() + "'",
               .cause = cause::kChangedMeanwhile,
               .detail = "it is rotated faster than it can be opened"});
}

Result<std::optional<LogReader>> LogReader::open(const SessionDir& dir, std::uint64_t number) {
  LogReader reader(dir, number);
  HF_TRY(reader.find_parts());
  if (reader.parts_.empty()) return std::nullopt;
  return std::optional(std::move(reader));
}

Result<> LogReader::skip_to_last_lines(std::uint64_t lines) {
  bool ends_here = true;  // the newline at the very end begins no line
  for (std::size_t i = parts_.size(); i > 0; --i) {
    Part& part = parts_[i - 1];
    part.offset = lines == 0 ? HF_TRY(part.file.info()).size
                             : HF_TRY(find_last_lines(part.file, lines, ends_here));
    ends_here = ends_here && HF_TRY(part.file.info()).size == 0;
  }
  return {};
}

Result<std::string> LogReader::read_some() {
  while (!parts_.empty()) {
    Part& part = parts_.front();
    std::string bytes = HF_TRY(part.file.read_at(part.offset, kPiece));
    part.offset += bytes.size();
    if (!bytes.empty() || parts_.size() == 1) return bytes;
    parts_.pop_front();
  }
  return std::string();
}

// Several that are at or before `at`: the last of them is right.
Result<LogIndexReader::Said> LogIndexReader::look(std::uint64_t at) {
  for (;;) {
    if (!next_) HF_TRY(read_next());
    if (!next_ || next_->at > at) break;
    now_ = std::exchange(next_, std::nullopt);
  }
  const std::uint64_t until = next_ ? next_->at : std::numeric_limits<std::uint64_t>::max();
  if (!now_ || at - now_->at >= now_->length) return Said{.length = next_ ? until - at : 0};
  return Said{.entry = now_, .length = std::min(now_->at + now_->length, until) - at};
}

Result<> LogIndexReader::read_next() {
  for (;;) {
    if (bytes_.size() - used_ < kLogIndexBlock) {
      bytes_ = HF_TRY(file_.read_at(offset_, kPiece));
      used_ = 0;
      if (bytes_.size() < kLogIndexBlock) return {};  // the end, or one that is being written
    }
    const auto entry =
        decode_log_index_entry(std::string_view(bytes_).substr(used_, kLogIndexBlock));
    used_ += kLogIndexBlock;
    offset_ += kLogIndexBlock;
    if (!entry) continue;
    next_ = entry;
    return {};
  }
}

// By the inode that it names: both may have been renamed since the log was opened, each in its time.
void LogReader::find_index(Part& part) const {
  const auto try_in = [&](const os::Dir& dir) {
    for (const os::NameLiteral name : {index_name(), old_index_name()}) {
      auto file = open_own_file(dir, name);
      if (!file || !*file) continue;
      const auto head = (*file)->read_at(0, kLogIndexBlock);
      if (!head || decode_log_index_head(*head) != part.id.inode) continue;
      part.index.emplace(**std::move(file));
      return;
    }
  };
  try_in(dir_->dir());
  if (part.index) return;
  if (const auto run = dir_->run_dir(number_); run && *run) try_in(**run);
}

Result<LogPiece> LogReader::read_piece() {
  while (!parts_.empty()) {
    Part& part = parts_.front();
    if (!part.index) find_index(part);
    LogPiece piece;
    std::size_t most = kPiece;
    if (part.index) {
      if (const auto said = part.index->look(part.offset)) {
        if (said->length != 0) most = std::min<std::uint64_t>(most, said->length);
        if (said->entry) piece.from = said->entry->stream;
        if (said->entry) piece.time = said->entry->time;
      }
    }
    piece.bytes = HF_TRY(part.file.read_at(part.offset, most));
    part.offset += piece.bytes.size();
    if (!piece.bytes.empty() || parts_.size() == 1) return piece;
    parts_.pop_front();
  }
  return LogPiece();
}

Result<bool> LogReader::look_for_more() {
  const os::FileId mine = parts_.front().id;
  if (HF_TRY(dir_->dir().id_of(log_name())) == mine) return false;
  auto old = HF_TRY(open_part(dir_->dir(), old_log_name()));
  auto log = HF_TRY(open_part(dir_->dir(), log_name()));
  if (!log || (old && old->id == log->id)) return false;  // in the middle of it; it will wake us
  if (!HF_TRY(is_newest())) return false;
  const bool next_is_log = old && old->id == mine;
  if (!next_is_log && old) {
    overtaken_ = true;
    parts_.push_back(*std::move(old));
  }
  overtaken_ = overtaken_ || !next_is_log;
  parts_.push_back(*std::move(log));
  return true;
}

}  // namespace holdfast::session
