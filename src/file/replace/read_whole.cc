// SPDX-License-Identifier: Apache-2.0
#include "file/replace/read_whole.h"

#include <optional>
#include <utility>

#include "base/cause.h"
#include "file/replace/in_place.h"
#include "file/replace/old_file.h"
#include "os/file/metadata.h"

namespace holdfast::file {
namespace {

Error unreadable(ErrorCode code, const std::string& path, std::string_view cause,
                 std::string detail) {
  return {.code = code,
          .op = "read",
          .subject = path,
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

// One attempt; nullopt: it was written into meanwhile.
Result<std::optional<std::string>> read_once(const Target& target, const ReadOptions& options) {
  auto old = HF_TRY(look_at(target, Links::kRefuse));
  if (!old) {
    return fail(unreadable(ErrorCode::kNotFound, target.path, "enoent", "there is no such file"));
  }
  HF_TRY(check_owner(target.path, *old->file, old->info, options.foreign_owner));
  std::string bytes = HF_TRY(old->file->read_all(options.max));
  if (HF_TRY(has_leftover(target))) {
    return fail(unreadable(
        ErrorCode::kCannotTell, target.path, "write-in-place-unfinished",
        "somebody is writing into it, or was cut short while doing so; the next change of it puts "
        "the old content back first"));
  }
  if (!same_file(old->info, HF_TRY(old->file->info()))) return std::nullopt;
  return bytes;
}

}  // namespace

Result<std::string> read_whole(const std::string& path, const ReadOptions& options) {
  const Target target = HF_TRY(locate(path, options.links, options.trust));
  for (int i = 0; i < kMostReads; ++i) {
    if (auto bytes = HF_TRY(read_once(target, options))) return std::move(*bytes);
  }
  return fail(unreadable(ErrorCode::kBusy, path, cause::kChangedMeanwhile,
                         "somebody keeps writing into it while it is read"));
}

Result<> check_owner(const std::string& path, const os::File& file, const os::FileInfo& info,
                     ForeignOwner policy) {
  if (policy == ForeignOwner::kAccept || HF_TRY(os::is_own(file, info))) return {};
  return fail(unreadable(ErrorCode::kRefused, path, "foreign-owner",
                         owner_words(info) + " (--foreign-owner allows it); nothing was changed"));
}

std::string owner_words(const os::FileInfo& info) {
  if (!os::has_owner_and_mode()) return "it belongs to another user";
  return "it belongs to user " + std::to_string(info.uid);
}

}  // namespace holdfast::file
