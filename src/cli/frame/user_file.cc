// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/user_file.h"

#include "base/cause.h"
#include "base/path_text.h"
#include "os/path/path.h"

namespace holdfast::cli {
namespace {

Result<os::File> open_user_file(const UserFile& at, const std::string& path) {
  std::optional<os::File> file = HF_TRY(at.dir.open_file(at.name, os::Access::kRead));
  if (file) return *std::move(file);
  return fail({.code = ErrorCode::kNotFound,
               .op = "read",
               .subject = path,
               .cause = "enoent",
               .detail = "there is no such file"});
}

}  // namespace

Result<UserFile> locate_file(const std::string& path) {
  const std::string parent(parent_path(path));
  os::Dir dir = HF_TRY(os::Dir::open_following_links(parent.empty() ? "." : parent));
  os::SafeName name = HF_TRY(os::SafeName::make(last_component(path)));
  return UserFile{.dir = std::move(dir), .name = std::move(name)};
}

Result<std::string> directory_of_file(const std::string& path) {
  return os::real_path_of(HF_TRY(locate_file(path)).dir);
}

Result<std::string> read_user_file(const std::string& path, std::size_t max, file::TrustDir trust) {
  const UserFile at = HF_TRY(locate_file(path));
  HF_TRY(file::check_dir(at.dir, path, trust));
  return HF_TRY(open_user_file(at, path)).read_all(max);
}

Result<std::string> read_config_file(const std::string& path, std::size_t max,
                                     file::TrustDir trust) {
  const UserFile at = HF_TRY(locate_file(path));
  os::File file = HF_TRY(open_user_file(at, path));
  HF_TRY(file::check_config(at.dir, file, path, trust));
  return file.read_all(max);
}

Result<std::string> absolute_path(const std::string& path) { return os::absolute_from_here(path); }

}  // namespace holdfast::cli
