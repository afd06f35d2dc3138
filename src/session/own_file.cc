// SPDX-License-Identifier: Apache-2.0
#include "session/own_file.h"

#include <string>

namespace holdfast::session {
namespace {

using os::Exposure;

constexpr std::uint32_t kPrivateDir = 0700;

std::unexpected<Error> refused(const std::string& path, std::string_view cause,
                               std::string_view detail) {
  return fail({.code = ErrorCode::kRefused,
               .op = "use",
               .subject = path,
               .cause = std::string(cause),
               .detail = std::string(detail) + "; it was not read"});
}

Result<> check(const Exposure& exposure, const std::string& path) {
  if (exposure.owner != Exposure::Owner::kSelf) {
    return refused(path, "foreign-owner", "it belongs to another user");
  }
  if (exposure.others == Exposure::Others::kWrite) {
    return refused(path, "writable-by-others", "others may write to it");
  }
  return {};
}

}  // namespace

Result<std::optional<os::File>> open_own_file(const os::Dir& dir, const os::SafeName& name) {
  auto file = HF_TRY(dir.open_file(name, os::Access::kRead));
  if (!file) return file;
  HF_TRY(check(HF_TRY(file->exposure()), file->path()));
  // 0 links: it was replaced since it was opened, and is still whole.
  if (HF_TRY(file->info()).links > 1) {
    return refused(file->path(), "hard-linked", "it has a second name");
  }
  return file;
}

Result<std::optional<os::Dir>> open_own_dir(const os::Dir& parent, const os::SafeName& name) {
  auto dir = parent.open_dir(name);
  if (!dir && dir.error().code == ErrorCode::kNotFound) return std::nullopt;
  if (!dir) return fail(dir.error());
  HF_TRY(check(HF_TRY(dir->exposure()), dir->path()));
  return std::optional(std::move(*dir));
}

Result<os::Dir> open_or_make_own_dir(const os::Dir& parent, const os::SafeName& name) {
  HF_TRY(parent.make_dir(name, kPrivateDir));
  os::Dir dir = HF_TRY(parent.open_dir(name));
  HF_TRY(check(HF_TRY(dir.exposure()), dir.path()));
  return dir;
}

}  // namespace holdfast::session
