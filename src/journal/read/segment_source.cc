// SPDX-License-Identifier: Apache-2.0
#include "journal/read/segment_source.h"

#include <algorithm>

#include "base/cause.h"

namespace holdfast::journal {
namespace {

class PlainSource final : public SegmentSource {
 public:
  PlainSource(os::File file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    if (offset >= size_) return std::size_t{0};
    return file_.read_into(offset, out.first(std::min<std::uint64_t>(out.size(), size_ - offset)));
  }
  Result<std::uint64_t> size() override { return size_; }

 private:
  os::File file_;
  std::uint64_t size_;  // at the time of the snapshot
};

class NoFile final : public SegmentSource {
 public:
  explicit NoFile(Error fault) : fault_(std::move(fault)) {}

  Result<std::size_t> read_at(std::uint64_t /*offset*/, std::span<char> /*out*/) override {
    return std::size_t{0};
  }
  Result<std::uint64_t> size() override { return std::uint64_t{0}; }
  [[nodiscard]] std::optional<Error> fault() const override { return fault_; }

 private:
  Error fault_;
};

std::string_view what(os::FileType type) {
  switch (type) {
    case os::FileType::kDirectory:
      return "a directory";
    case os::FileType::kLink:
      return "a link";
    default:
      return "a pipe, socket or device";
  }
}

}  // namespace

Error segment_removed(const os::Dir& dir, const SegmentRef& segment) {
  return {.code = ErrorCode::kBusy,
          .op = "read the segment",
          .subject = dir.path_of(segment_name(segment)),
          .cause = cause::kSegmentRemoved,
          .detail = "it was removed while the journal was being read"};
}

Result<std::unique_ptr<SegmentSource>> open_segment(const os::Dir& dir,
                                                    const SegmentFile& segment) {
  auto file = HF_TRY(dir.open_file(segment_name(segment.ref), os::Access::kRead));
  if (file && segment.ref.compressed) return open_zstd_source(*std::move(file));
  if (file) {
    return std::unique_ptr<SegmentSource>(
        std::make_unique<PlainSource>(*std::move(file), segment.size));
  }
  if (!segment.ref.compressed) {  // compressed since the snapshot?
    const SegmentRef twin{.first_seq = segment.ref.first_seq, .compressed = true};
    file = HF_TRY(dir.open_file(segment_name(twin), os::Access::kRead));
    if (file) return open_zstd_source(*std::move(file));
  }
  return fail(segment_removed(dir, segment.ref));
}

Result<std::unique_ptr<SegmentSource>> open_segment_to_read(const os::Dir& dir,
                                                            const SegmentFile& segment) {
  auto source = open_segment(dir, segment);
  if (source || source.error().code != ErrorCode::kRefused) return source;
  const os::SafeName name = segment_name(segment.ref);
  const auto info = HF_TRY(dir.info(name));
  if (!info || info->type == os::FileType::kRegular) return source;
  return std::make_unique<NoFile>(
      Error{.code = ErrorCode::kCorrupt,
            .op = "read the segment",
            .subject = dir.path_of(name),
            .cause = std::string(kNoFileCause),
            .detail = std::string(what(info->type)) + " stands in the place of the segment"});
}

}  // namespace holdfast::journal
