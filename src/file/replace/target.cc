// SPDX-License-Identifier: Apache-2.0
#include "file/replace/target.h"

#include <utility>

#include "base/path_text.h"
#include "os/path/path.h"

namespace holdfast::file {
namespace {

constexpr int kMostLinks = 40;  // as the kernel

Error target_refused(const std::string& path, std::string cause, std::string detail) {
  return {.code = ErrorCode::kRefused,
          .op = "use",
          .subject = path,
          .cause = std::move(cause),
          .detail = std::move(detail)};
}

struct Split {
  std::string parent;
  std::string name;
};

Result<Split> split(const std::string& path) {
  HF_TRY(os::check_path_text(path));
  if (path.empty()) return fail(target_refused(path, "unsafe-name", "the path is empty"));
  if (is_separator(path.back())) {
    return fail(target_refused(path, "unsafe-name", "it ends in a slash, so it names a directory"));
  }
  const std::string_view parent = parent_path(path);
  return Split{.parent = parent.empty() ? "." : std::string(parent),
               .name = std::string(last_component(path))};
}

// The same error, and what can be done about it.
Error with_advice(Error error) {
  if (error.cause == "is-link") {
    error.detail += "; name the real path, or ask for links to be followed (--links follow)";
  }
  return error;
}

Result<Target> follow(std::string path, TrustDir trust) {
  for (int hops = 0; hops <= kMostLinks; ++hops) {
    Split parts = HF_TRY(split(path));
    os::Dir dir = HF_TRY(os::Dir::open_following_links(parts.parent));
    os::SafeName name = HF_TRY(os::SafeName::make(parts.name));
    HF_TRY(check_dir(dir, path, trust));
    const auto link = HF_TRY(dir.read_link(name));
    if (!link) {
      if (hops > 0 && !HF_TRY(dir.info(name))) {
        return fail(
            target_refused(path, "dangling-link",
                           "a link leads here, and there is nothing; whether the link or the file "
                           "is meant cannot be told"));
      }
      name = HF_TRY(os::stored_name(dir, std::move(name)));
      return Target{.dir = std::move(dir), .name = std::move(name), .path = std::move(path)};
    }
    path = is_rooted_path(*link) ? *link : parts.parent + "/" + *link;
  }
  return fail(target_refused(path, "too-many-links", "links lead on and on"));
}

}  // namespace

Result<Target> locate_name(const std::string& path) {
  const Split parts = HF_TRY(split(path));
  os::Dir dir = HF_TRY(os::Dir::open_following_links(parts.parent));
  os::SafeName name = HF_TRY(os::stored_name(dir, HF_TRY(os::SafeName::make(parts.name))));
  return Target{.dir = std::move(dir), .name = std::move(name), .path = path};
}

Result<Target> locate(const std::string& path, Links links, TrustDir trust) {
  if (links == Links::kFollow) return follow(path, trust);
  const Split parts = HF_TRY(split(path));
  os::SafeName name = HF_TRY(os::SafeName::make(parts.name));
  auto dir = os::Dir::open_without_links(parts.parent);
  if (!dir) return fail(with_advice(dir.error()));
  HF_TRY(check_dir(*dir, path, trust));
  name = HF_TRY(os::stored_name(*dir, std::move(name)));
  return Target{.dir = std::move(*dir), .name = std::move(name), .path = path};
}

}  // namespace holdfast::file
