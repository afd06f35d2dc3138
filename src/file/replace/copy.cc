// SPDX-License-Identifier: Apache-2.0
#include "file/replace/copy.h"

#include <algorithm>
#include <functional>
#include <string>

#include "base/cause.h"

namespace holdfast::file {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10U;

using Put = std::function<Result<>(std::uint64_t at, std::string_view bytes)>;

Result<> each_chunk(const os::File& from, std::uint64_t offset, std::uint64_t size,
                    const Put& put) {
  std::string buffer(static_cast<std::size_t>(std::min<std::uint64_t>(size, kChunk)), '\0');
  for (std::uint64_t at = 0; at < size;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - at, kChunk));
    const std::size_t got = HF_TRY(from.read_into(offset + at, std::span(buffer).first(wanted)));
    if (got != wanted) {
      return fail({.code = ErrorCode::kBusy,
                   .op = "read",
                   .subject = from.path(),
                   .cause = cause::kChangedMeanwhile,
                   .detail = "it became shorter while it was read"});
    }
    HF_TRY(put(at, std::string_view(buffer).substr(0, got)));
    at += got;
  }
  return {};
}

}  // namespace

Result<> copy_content(const os::File& from, std::uint64_t offset, std::uint64_t size,
                      os::File& to) {
  return each_chunk(from, offset, size,
                    [&](std::uint64_t, std::string_view bytes) { return to.write_all(bytes); });
}

Result<> copy_over(const os::File& from, std::uint64_t offset, std::uint64_t size, os::File& to) {
  return each_chunk(from, offset, size, [&](std::uint64_t at, std::string_view bytes) {
    return to.write_at(at, bytes);
  });
}

}  // namespace holdfast::file
