// SPDX-License-Identifier: Apache-2.0
#include "file/replace/old_file.h"

#include <algorithm>
#include <string>

#include "os/machine/sha256.h"

namespace holdfast::file {
namespace {

constexpr std::size_t kOldFileChunk = std::size_t{256} << 10U;

Error is_link(const Target& target) {
  return {.code = ErrorCode::kRefused,
          .op = "use",
          .subject = target.path,
          .cause = "is-link",
          .detail =
              "it is a symbolic link; name the real file, or choose what links mean "
              "(--links follow, --links replace)"};
}

}  // namespace

Result<std::optional<OldFile>> look_at(const Target& target, Links links) {
  const auto seen = HF_TRY(target.dir.info(target.name));
  if (!seen) return std::nullopt;
  if (seen->type == os::FileType::kLink) {
    if (links != Links::kReplace) return fail(is_link(target));
    return OldFile{.info = *seen, .file = std::nullopt};
  }
  auto file = HF_TRY(target.dir.open_file(target.name, os::Access::kRead));
  if (!file) return std::nullopt;  // gone since
  OldFile old{.info = {}, .file = std::move(*file)};
  old.info = HF_TRY(old.file->info());
  return old;
}

bool same_displaced(const os::FileInfo& before, const os::FileInfo& now) {
  return before.type == now.type && before.id == now.id && before.size == now.size &&
         before.links == now.links && before.mode == now.mode && before.uid == now.uid &&
         before.gid == now.gid && before.modified == now.modified;
}

bool same_file(const os::FileInfo& before, const os::FileInfo& now) {
  return same_displaced(before, now) && before.changed == now.changed;
}

Result<Digest> digest_of(const os::File& file, std::uint64_t size, std::uint64_t offset) {
  os::Sha256 hash;
  std::string buffer(static_cast<std::size_t>(std::min<std::uint64_t>(size, kOldFileChunk)), '\0');
  for (std::uint64_t at = 0; at < size;) {
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(size - at, kOldFileChunk));
    const std::size_t got = HF_TRY(file.read_into(offset + at, std::span(buffer).first(wanted)));
    if (got != wanted) {
      return fail({.code = ErrorCode::kBusy,
                   .op = "read",
                   .subject = file.path(),
                   .cause = "changed-meanwhile",
                   .detail = "it became shorter while it was read; nothing was changed"});
    }
    hash.update(std::string_view(buffer).substr(0, got));
    at += got;
  }
  return hash.finish();
}

}  // namespace holdfast::file
