// SPDX-License-Identifier: Apache-2.0
#include "file/ensure/passwd.h"

#include "file/replace/target.h"
#include "format/file/owner_text.h"
#include "os/file/metadata.h"

namespace holdfast::file {
namespace {

constexpr std::size_t kMaxPasswd = std::size_t{16} << 20U;

// Some systems keep it elsewhere, behind a link.
Result<std::string> read_passwd(const std::string& path, const std::string& name) {
  const Target at = HF_TRY(locate(path, Links::kFollow));
  auto file = HF_TRY(at.dir.open_file(at.name, os::Access::kRead));
  if (file) return file->read_all(kMaxPasswd);
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find the user",
               .subject = name,
               .cause = "no-passwd-file",
               .detail = "there is no " + path + " to look in; write `UID:GID`"});
}

}  // namespace

Result<Ids> resolve_owner(const OwnerText& owner, const std::string& passwd) {
  if (!os::has_owner_and_mode()) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "give to an owner",
                 .subject = std::holds_alternative<Ids>(owner) ? format_ids(std::get<Ids>(owner))
                                                               : std::get<UserName>(owner).name,
                 .cause = "unsupported",
                 .detail = "an owner by name or number is not offered on Windows"});
  }
  if (const Ids* ids = std::get_if<Ids>(&owner)) return *ids;
  const std::string& name = std::get<UserName>(owner).name;
  const auto found = find_user(HF_TRY(read_passwd(passwd, name)), name);
  if (found) return *found;
  return fail({.code = ErrorCode::kConfig,
               .op = "find the user",
               .subject = name,
               .cause = "unknown-user",
               .detail = "there is no such name in " + passwd + "; write `UID:GID`"});
}

}  // namespace holdfast::file
