// SPDX-License-Identifier: Apache-2.0
#include "session/record/own_file.h"

#include <string>

#include "os/dir/dir.h"

namespace holdfast::session {
namespace {

using os::Exposure;

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

Result<std::optional<os::File>> open_own_file(const os::Dir& dir, const os::SafeName& name,
                                              os::Access access) {
  auto file = HF_TRY(dir.open_file(name, access));
  if (!file) return file;
  HF_TRY(check(HF_TRY(file->exposure()), file->path()));
  // 0 links: it was replaced since it was opened, and is still whole.
  if (HF_TRY(file->info()).links > 1) {
    return refused(file->path(), "hard-linked", "it has a second name");
  }
  return file;
}

Result<> replace_own_file(const os::Dir& dir, const os::SafeName& name, std::string_view bytes,
                          os::Durability durability) {
  auto staged = HF_TRY(os::StagedFile::create(dir, kPrivateFile));
  HF_TRY(staged.write_all(bytes));
  HF_TRY(staged.file().sync());
  const os::SafeName stage = HF_TRY(staged.take_stage_name());
  HF_TRY(dir.rename_over(stage, name));
  staged.forget_name();
  if (durability == os::Durability::kNone) return {};
  const auto named = staged.file().sync_name();
  const auto synced = named ? dir.sync() : named;
  if (!synced) return fail(not_durable(synced.error()));
  return {};
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

Error other_session(const std::string& path, const std::string& found) {
  return {.code = ErrorCode::kCorrupt,
          .op = "read the session's record",
          .subject = path,
          .cause = "other-session",
          .detail = "it is the record of the session '" + found +
                    "', not of this one; it was left as it is"};
}

}  // namespace holdfast::session
