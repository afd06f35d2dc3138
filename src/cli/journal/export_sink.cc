// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/export_sink.h"

#include "os/dir/dir.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{256} * 1024;

std::unexpected<Error> exists(const std::string& path) {
  return fail({.code = ErrorCode::kRefused,
               .op = "export to",
               .subject = path,
               .cause = "exists",
               .detail = "it is there already, and is never replaced; name a new file"});
}

}  // namespace

Result<std::unique_ptr<ExportSink>> ExportSink::open(Context& context,
                                                     const std::optional<std::string>& path) {
  auto sink = std::unique_ptr<ExportSink>(new ExportSink(context));
  if (!path || *path == "-") {
    context.begin_stream();
    return sink;
  }
  sink->path_ = *path;
  sink->at_ = HF_TRY(locate_file(*path));
  if (HF_TRY(sink->at_->dir.info(sink->at_->name))) return exists(*path);
  sink->staged_.emplace(HF_TRY(os::StagedFile::create(sink->at_->dir, kPrivateFile)));
  return sink;
}

Result<> ExportSink::write(std::string_view lines) {
  if (!staged_) return context_.stream(lines);
  pending_ += lines;
  if (pending_.size() < kWriteBytes) return {};
  const auto written = staged_->write_all(pending_);
  pending_.clear();
  return written;
}

Result<> ExportSink::finish() {
  if (!staged_) return context_.flush();
  HF_TRY(staged_->write_all(pending_));
  if (HF_TRY(staged_->publish_new(at_->name)) == os::Placed::kNameTaken) return exists(path_);
  return {};
}

}  // namespace holdfast::cli
