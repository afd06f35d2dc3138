// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "format/journal/journal_payload.h"
#include "format/journal/journal_record.h"
#include "journal/read/segment_source.h"
#include "journal/store/compress.h"
#include "journal/store/layout.h"
#include "os/file/staged_file.h"
#include "os/machine/sha256.h"

namespace holdfast::journal {
namespace {

constexpr int kLevel = 3;
constexpr std::size_t kCompressChunk = std::size_t{1024} * 1024;
constexpr std::uint32_t kMode = 0400;

Error trouble(ErrorCode code, const os::Dir& dir, const SegmentRef& segment, std::string_view cause,
              std::string_view detail) {
  return {.code = code,
          .op = "compress the segment",
          .subject = dir.path_of(segment_name(segment)),
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

struct CompressFreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class Packer {
 public:
  Packer(const os::Dir& dir, const SegmentRef& segment, os::StagedFile& out)
      : dir_(dir),
        segment_(segment),
        out_(out),
        context_(ZSTD_createCCtx()),
        packed_(ZSTD_CStreamOutSize()) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void expect(std::uint64_t bytes) { ZSTD_CCtx_setPledgedSrcSize(context_.get(), bytes); }

  Result<> add(std::string_view text, bool last) {
    ZSTD_inBuffer input{.src = text.data(), .size = text.size(), .pos = 0};
    for (;;) {
      ZSTD_outBuffer output{.dst = packed_.data(), .size = packed_.size(), .pos = 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &output, &input,
                                                    last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) {
        return fail(trouble(ErrorCode::kInternal, dir_, segment_, "zstd", ZSTD_getErrorName(left)));
      }
      HF_TRY(out_.write_all({packed_.data(), output.pos}));
      if (last ? left == 0 : input.pos == input.size) return {};
    }
  }

 private:
  const os::Dir& dir_;
  const SegmentRef& segment_;
  os::StagedFile& out_;
  std::unique_ptr<ZSTD_CCtx, CompressFreeContext> context_;
  std::vector<char> packed_;
};

Result<Digest> digest_of(SegmentSource& source) {
  std::vector<char> buffer(kCompressChunk);
  os::Sha256 hash;
  for (std::uint64_t offset = 0;;) {
    const std::size_t got = HF_TRY(source.read_at(offset, buffer));
    if (got == 0) return hash.finish();
    hash.update({buffer.data(), got});
    offset += got;
  }
}

// The last line is a whole journal.sealed.
Result<bool> is_sealed(SegmentSource& source, std::uint64_t size) {
  const std::uint64_t start = size - std::min<std::uint64_t>(size, kMaxRecordBytes + 1);
  std::string end(size - start, '\0');
  end.resize(HF_TRY(source.read_at(start, end)));
  if (!end.ends_with('\n')) return false;
  end.pop_back();
  const std::size_t newline = end.rfind('\n');
  const auto record =
      decode_record(std::string_view(end).substr(newline == std::string::npos ? 0 : newline + 1));
  return record && record->fields.type == SegmentSealed::kType;
}

// Writes the compressed file; that one is there already is for the caller to judge.
Result<> write_packed(const os::Dir& dir, const SegmentRef& packed, SegmentSource& plain,
                      std::uint64_t size) {
  os::StagedFile staged = HF_TRY(os::StagedFile::create(dir, kMode));
  Packer packer(dir, packed, staged);
  packer.expect(size);
  std::vector<char> buffer(kCompressChunk);
  for (std::uint64_t offset = 0; offset < size;) {
    const std::size_t got = HF_TRY(plain.read_at(offset, buffer));
    offset += got;
    HF_TRY(packer.add({buffer.data(), got}, offset >= size || got == 0));
    if (got == 0) break;
  }
  HF_TRY(staged.publish_new(segment_name(packed)));
  return {};
}

}  // namespace

Result<Compressed> compress_segment(const os::Dir& dir, std::uint64_t first_seq) {
  const SegmentRef plain{.first_seq = first_seq};
  const SegmentRef packed{.first_seq = first_seq, .compressed = true};
  const auto info = HF_TRY(dir.info(segment_name(plain)));
  const auto packed_before = HF_TRY(dir.info(segment_name(packed)));
  if (!info && packed_before)
    return Compressed{.bytes_after = packed_before->size, .already = true};
  if (!info) return fail(trouble(ErrorCode::kNotFound, dir, plain, "no-segment", "there is none"));

  const auto source = HF_TRY(open_segment(dir, {.ref = plain, .size = info->size}));
  if (!HF_TRY(is_sealed(*source, info->size))) {
    return fail(trouble(ErrorCode::kRefused, dir, plain, "not-sealed",
                        "its last record is no seal; only a sealed segment is compressed"));
  }
  const Digest expected = HF_TRY(digest_of(*source));
  if (!packed_before) HF_TRY(write_packed(dir, packed, *source, info->size));

  const auto copy = HF_TRY(open_segment(dir, {.ref = packed}));
  const Result<Digest> unpacked = digest_of(*copy);
  if (!unpacked && unpacked.error().code != ErrorCode::kCorrupt) return fail(unpacked.error());
  if (!unpacked || *unpacked != expected) {
    HF_TRY(dir.remove_file(segment_name(packed)));
    return fail(trouble(ErrorCode::kCorrupt, dir, packed, "compressed-differs",
                        "it does not unpack to the segment; it was removed, the segment stays"));
  }
  const auto after = HF_TRY(dir.info(segment_name(packed)));
  HF_TRY(dir.remove_file(segment_name(plain)));
  HF_TRY(dir.sync());
  return Compressed{.bytes_before = info->size, .bytes_after = after ? after->size : 0};
}

}  // namespace holdfast::journal
