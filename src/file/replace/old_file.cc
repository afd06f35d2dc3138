// SPDX-License-Identifier: Apache-2.0
#include "file/replace/old_file.h"

#include <algorithm>
#include <string>

#include "base/cause.h"
#include "base/units.h"
#include "file/replace/read_whole.h"
#include "os/file/metadata.h"
#include "os/machine/sha256.h"

namespace holdfast::file {
namespace {

constexpr std::size_t kOldFileChunk = std::size_t{256} << 10U;

Error is_link(const Target& target) {
  return {.code = ErrorCode::kRefused,
          .op = "use",
          .subject = target.path,
          .cause = cause::kIsLink,
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
  OldFile old{.info = {}, .file = std::move(file)};
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
                   .cause = cause::kChangedMeanwhile,
                   .detail = "it became shorter while it was read; nothing was changed"});
    }
    hash.update(std::string_view(buffer).substr(0, got));
    at += got;
  }
  return hash.finish();
}

namespace {

Error refusals_refused(const Target& target, ErrorCode code, std::string_view cause,
                       std::string detail) {
  return {.code = code,
          .op = "replace",
          .subject = target.path,
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was changed"};
}

std::uint64_t smallest_allowed(std::uint64_t old_size, const MaxShrink& shrink) {
  // In two steps, so that no size overflows.
  const std::uint64_t less =
      shrink.percent ? old_size / 100 * shrink.amount + old_size % 100 * shrink.amount / 100
                     : shrink.amount;
  return less >= old_size ? 0 : old_size - less;
}

}  // namespace

Result<> check_old(const Target& target, const OldFile& old, const ReplaceOptions& options) {
  const auto refuse = [&](std::string_view cause, std::string detail) {
    return fail(refusals_refused(target, ErrorCode::kRefused, cause, std::move(detail)));
  };
  const os::Fixity fixed = os::fixity(target.dir, target.name);
  if (fixed.immutable)
    return refuse("immutable", "it is immutable (" + std::string(fixed.how) + ")");
  if (fixed.append_only) return refuse("append-only", "it is append-only (`lsattr` shows `a`)");
  if (os::fixity(target.dir).append_only) {
    return refuse("append-only",
                  "its directory is append-only (`lsattr -d` shows `a`), so no name "
                  "in it can be moved or removed");
  }
  if (options.how == How::kInPlace) {
    if (!old.file) return refuse(cause::kIsLink, "a link cannot be written in place");
    return {};
  }
  if (fixed.mount_point) {
    return refuse("is-mount-point",
                  "something is mounted on it (a single-file bind mount), so its name cannot be "
                  "given to another file; --in-place writes into it, with an undo copy");
  }
  if (old.file && old.info.links > 1 && options.hard_links == HardLinks::kRefuse) {
    return refuse("hard-linked", "it has " + std::to_string(old.info.links) +
                                     " names, and the others would keep the old content "
                                     "(--break-hardlinks allows it)");
  }
  if (options.foreign_owner == ForeignOwner::kAccept) return {};
  const bool own = HF_TRY(old.file ? os::is_own(*old.file, old.info)
                                   : os::is_own(target.dir, target.name, old.info));
  if (!own) return refuse("foreign-owner", owner_words(old.info) + " (--foreign-owner allows it)");
  return {};
}

Result<> check_size(const Target& target, std::uint64_t new_size,
                    std::optional<std::uint64_t> old_size, const ReplaceOptions& options) {
  if (new_size < options.min_bytes) {
    if (new_size == 0 && options.min_bytes == 1) {
      return fail(refusals_refused(target, ErrorCode::kCorrupt, "empty",
                                   "the new content is empty (--allow-empty allows it)"));
    }
    return fail(refusals_refused(target, ErrorCode::kCorrupt, "too-small",
                                 "the new content has " + std::to_string(new_size) +
                                     " bytes, fewer than " + std::to_string(options.min_bytes)));
  }
  if (!old_size || !options.max_shrink) return {};
  const std::uint64_t smallest = smallest_allowed(*old_size, *options.max_shrink);
  if (new_size >= smallest) return {};
  return fail(refusals_refused(target, ErrorCode::kCorrupt, "shrunk",
                               "the new content is " + format_size(new_size) + " where " +
                                   format_size(*old_size) +
                                   " are now, which is less than is allowed"));
}

Result<> check_expectation(const Target& target, const OldFile* old,
                           const std::optional<Digest>& digest, const ReplaceOptions& options) {
  if (!options.expect) return {};
  const bool wants_none = !options.expect->digest;
  if (wants_none ? old == nullptr : options.expect->digest == digest) return {};
  const std::string is = digest           ? "its SHA-256 is " + to_hex(*digest)
                         : old != nullptr ? std::string("it is a link")
                                          : std::string("there is no file");
  return fail(
      refusals_refused(target, ErrorCode::kBusy, "if-hash", "it is not what was expected: " + is));
}

Error explain_directory(const Target& target, Error error) {
  if (error.cause == cause::kEperm && os::fixity(target.dir).immutable) {
    error.detail = "the directory is immutable (`lsattr -d` shows `i`); nothing was changed";
    error.cause = "immutable";
  }
  return error;
}

}  // namespace holdfast::file
