// SPDX-License-Identifier: Apache-2.0
#include "run/session/log_file.h"

#include <algorithm>

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

}  // namespace

Result<LogFile> LogFile::create(const os::Dir& dir, std::uint64_t max) {
  if (HF_TRY(dir.info(session::log_name())))
    HF_TRY(dir.rename_over(session::log_name(), session::old_log_name()));
  return LogFile(dir, max, HF_TRY(create_log(dir)));
}

Result<LogFile> LogFile::go_on(const os::Dir& dir, std::uint64_t max, std::uint64_t bytes,
                               std::uint64_t lost) {
  auto file = HF_TRY(dir.open_file(session::log_name(), os::Access::kAppend));
  std::uint64_t size = 0;
  if (file) {
    size = HF_TRY(file->info()).size;
  } else {
    file = HF_TRY(create_log(dir));
  }
  LogFile log(dir, max, std::move(*file));
  log.size_ = size;
  log.bytes_ = std::max(bytes, size);
  log.lost_ = lost;
  return log;
}

// A part of a piece may have been written before it failed: the whole piece counts as lost, and the
// file keeps the part.
void LogFile::write(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, max_);
    bytes.remove_prefix(piece.size());
    const auto written = try_write(piece);
    if (written) continue;
    lost_ += piece.size();
    if (!why_lost_) why_lost_ = written.error();
  }
}

Result<> LogFile::try_write(std::string_view bytes) {
  const bool fits = bytes.size() <= max_ - std::min(size_, max_);
  if (staying_ && (!file_ || !fits)) return fail(log_is_full(*dir_));
  if (size_ > 0 && !fits) HF_TRY(rotate());
  if (!file_) {
    file_ = HF_TRY(create_log(*dir_));
    size_ = 0;
  }
  HF_TRY(file_->write_all(bytes));
  size_ += bytes.size();
  return {};
}

// Dying between the two steps leaves an old log and no new one.
Result<> LogFile::rotate() {
  auto renamed = dir_->rename_over(session::log_name(), session::old_log_name());
  // Somebody removed it: there is nothing to keep.
  if (!renamed && renamed.error().code != ErrorCode::kNotFound) return renamed;
  file_.reset();
  size_ = 0;
  return {};
}

void LogFile::stay() { staying_ = true; }

}  // namespace holdfast::run
