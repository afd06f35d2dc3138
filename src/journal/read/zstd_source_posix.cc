// SPDX-License-Identifier: Apache-2.0
//
// The text of a compressed segment. It is one frame or several behind each other; what stands
// behind the last one is damage, as is a frame that ends early.
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "journal/read/segment_source.h"

namespace holdfast::journal {
namespace {

constexpr std::size_t kBlock = ZSTD_BLOCKSIZE_MAX;
constexpr int kMaxWindowLog = 23;  // 8 MiB; level 3 needs 2

struct ZstdSourceFreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdSource final : public SegmentSource {
 public:
  explicit ZstdSource(os::File file)
      : file_(std::move(file)), context_(ZSTD_createDCtx()), packed_(ZSTD_DStreamInSize()) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    if (offset < position_) HF_TRY(restart());
    while (position_ < offset) {
      skipped_.resize(kBlock);
      const auto step = std::min<std::uint64_t>(skipped_.size(), offset - position_);
      if (HF_TRY(unpack(std::span(skipped_).first(step))) == 0) return std::size_t{0};
    }
    std::size_t filled = 0;
    while (filled < out.size()) {
      const Result<std::size_t> more = unpack(out.subspan(filled));
      if (!more && (filled == 0 || !stuck_)) return fail(more.error());
      if (!more || *more == 0) break;
      filled += *more;
    }
    return filled;
  }

  Result<std::uint64_t> size() override {
    if (size_) return *size_;
    skipped_.resize(kBlock);
    for (;;) {
      const Result<std::size_t> more = unpack(skipped_);
      if (more && *more != 0) continue;
      if (!more && !stuck_) return fail(more.error());
      break;
    }
    size_ = position_;
    HF_TRY(restart());
    return *size_;
  }

  [[nodiscard]] std::optional<Error> fault() const override { return fault_; }

 private:
  Result<> restart() {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    position_ = file_at_ = 0;
    input_ = {};
    in_frame_ = stuck_ = false;
    return {};
  }

  // Some bytes of text; none at the end.
  Result<std::size_t> unpack(std::span<char> out) {
    if (stuck_) return fail(*fault_);
    if (position_ == 0) {
      ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
    }
    // A call that fails gives nothing, also not what it unpacked before: so none goes beyond a
    // block.
    const std::size_t room = std::min<std::size_t>(out.size(), kBlock - position_ % kBlock);
    ZSTD_outBuffer output{.dst = out.data(), .size = room, .pos = 0};
    while (output.pos == 0) {
      if (input_.pos == input_.size) {
        const std::size_t got = HF_TRY(file_.read_into(file_at_, packed_));
        file_at_ += got;
        input_ = {.src = packed_.data(), .size = got, .pos = 0};
      }
      const bool at_end = input_.size == 0;
      if (at_end && !in_frame_) return std::size_t{0};
      const std::size_t left = ZSTD_decompressStream(context_.get(), &output, &input_);
      if (ZSTD_isError(left) != 0) return cannot(ZSTD_getErrorName(left));
      if (at_end && output.pos == 0) return cannot("the file ends in the middle");
      in_frame_ = left != 0;
    }
    position_ += output.pos;
    return output.pos;
  }

  std::unexpected<Error> cannot(const char* why) {
    stuck_ = true;
    fault_ = Error{.code = ErrorCode::kCorrupt,
                   .op = "unpack the segment",
                   .subject = file_.path(),
                   .cause = "bad-compression",
                   .detail = std::string(why) + "; it was left as it is"};
    return fail(*fault_);
  }

  os::File file_;
  std::unique_ptr<ZSTD_DCtx, ZstdSourceFreeContext> context_;
  std::vector<char> packed_;
  std::vector<char> skipped_;
  ZSTD_inBuffer input_{};
  std::uint64_t file_at_ = 0;
  std::uint64_t position_ = 0;  // in the text
  std::optional<std::uint64_t> size_;
  std::optional<Error> fault_;
  bool in_frame_ = false;
  bool stuck_ = false;  // unpacking failed at position_, for the reason in fault_
};

}  // namespace

Result<std::unique_ptr<SegmentSource>> open_zstd_source(os::File file) {
  return std::unique_ptr<SegmentSource>(std::make_unique<ZstdSource>(std::move(file)));
}

}  // namespace holdfast::journal
