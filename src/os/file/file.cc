// SPDX-License-Identifier: Apache-2.0
#include "os/file/file.h"

#include <algorithm>

#include "base/cause.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kFirstPiece = std::size_t{16} << 10U;

}  // namespace

Result<std::string> File::read_all(std::size_t max) {
  const FileInfo now = HF_TRY(info());
  std::string bytes;
  // One byte more than expected: a file that has grown past `max` shows at once. A short read is
  // not the end, only an empty one is.
  std::size_t chunk = static_cast<std::size_t>(std::min<std::uint64_t>(now.size, max)) + 1;
  for (;;) {
    const std::size_t have = bytes.size();
    bytes.resize(have + chunk);
    const std::size_t got = HF_TRY(read_next(std::span(bytes).subspan(have)));
    bytes.resize(have + got);
    if (got == 0) return bytes;
    if (bytes.size() > max) {
      return fail({.code = ErrorCode::kRefused,
                   .op = "read",
                   .subject = path_,
                   .cause = cause::kTooLarge,
                   .detail = "it is longer than " + std::to_string(max) + " bytes"});
    }
    chunk = std::min<std::size_t>(65536, max - bytes.size() + 1);
  }
}

Result<std::string> File::read_at(std::uint64_t offset, std::size_t size) const {
  // `size` is often the most that a file may have, and the file far smaller: room is made as it
  // fills. (A record of 1 KiB read into 4 MiB at once costs 2 ms of page faults.)
  std::string bytes;
  std::size_t have = 0;
  for (std::size_t room = std::min(size, kFirstPiece);; room = std::min(size, room * 4)) {
    bytes.resize(room);
    have += HF_TRY(read_into(offset + have, std::span(bytes).subspan(have)));
    if (have < room || room == size) break;
  }
  bytes.resize(have);
  return bytes;
}

Result<> File::write_all(std::string_view bytes) {
  while (!bytes.empty()) bytes.remove_prefix(HF_TRY(write_next(bytes)));
  return {};
}

}  // namespace holdfast::os
