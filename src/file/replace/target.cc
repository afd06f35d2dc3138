// SPDX-License-Identifier: Apache-2.0
#include "file/replace/target.h"

#include <optional>
#include <utility>

#include "base/cause.h"
#include "base/path_text.h"
#include "format/file/owner_text.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "os/file/metadata.h"
#include "os/path/path.h"

namespace holdfast::file {
namespace {

using os::Exposure;

constexpr std::size_t kMaxUserList = std::size_t{16} << 20U;
constexpr std::uint32_t kOthersWrite = 0002;

// Nothing where it cannot be read: then no group is known to be private.
std::string user_list(const char* name) {
  const auto dir = os::Dir::open_following_links("/etc");
  const auto safe = os::SafeName::make(name);
  if (!dir || !safe) return "";
  auto file = dir->open_file(*safe, os::Access::kRead);
  if (!file || !*file) return "";
  return (*file)->read_all(kMaxUserList).value_or("");
}

template <typename Thing>
bool only_own_group_writes(const Thing& thing, const os::FileInfo& info) {
  if ((info.mode & kOthersWrite) != 0) return false;
  const auto list = os::has_access_list(thing);
  if (!list || *list) return false;
  const std::string passwd = user_list("passwd");
  const std::string group = user_list("group");
  return is_private_group(passwd, group, os::own_uid(), info.gid) ||
         is_private_group(passwd, group, 0, info.gid);
}

std::string rights_of(const os::FileInfo& info) {
  if (!os::has_owner_and_mode()) return "";
  return " (owner " + std::to_string(info.uid) + ":" + std::to_string(info.gid) + ", mode " +
         format_mode(info.mode) + ")";
}

std::string named(const os::Dir& dir, const os::FileInfo& info) {
  const auto real = os::real_path_of(dir);
  return "its directory " + (real ? *real : dir.path()) + rights_of(info);
}

// What is wrong, and what to do; nullopt where nothing is.
Result<std::optional<std::string>> fault_of(const os::Dir& dir) {
  const Exposure exposure = HF_TRY(dir.exposure());
  const os::FileInfo info = HF_TRY(dir.info());
  if (exposure.owner == Exposure::Owner::kOther) {
    return named(dir, info) +
           " belongs to another user, who can swap what is in it; use --trust-dir if you trust "
           "them";
  }
  if (!os::has_owner_and_mode()) {
    if (!exposure.others_can_swap) return std::nullopt;
    return "others may write to " + named(dir, info) + "; use --trust-dir if you trust them";
  }
  if (exposure.others != Exposure::Others::kWrite || only_own_group_writes(dir, info)) {
    return std::nullopt;
  }
  if (!exposure.others_can_swap) {  // as /tmp
    return "others may add names to " + named(dir, info) +
           "; use a directory of your own below it, "
           "or --trust-dir if you trust them";
  }
  if ((info.mode & kOthersWrite) != 0) {
    return "everybody may write to " + named(dir, info) +
           "; take that right away (chmod o-w), or use "
           "--trust-dir if you trust them";
  }
  return "its group, or who is on its access list, may write to " + named(dir, info) +
         "; take that right away (chmod g-w), or use --trust-dir if you trust them";
}

Result<std::optional<std::string>> fault_of(const os::File& file) {
  const Exposure exposure = HF_TRY(file.exposure());
  const os::FileInfo info = HF_TRY(file.info());
  if (exposure.owner == Exposure::Owner::kOther) {
    return "it belongs to another user" + rights_of(info) + "; use --trust-dir if you trust them";
  }
  if (exposure.others != Exposure::Others::kWrite || only_own_group_writes(file, info)) {
    return std::nullopt;
  }
  if (!os::has_owner_and_mode()) {
    return "others may write to it; use --trust-dir if you trust them";
  }
  const bool all = (info.mode & kOthersWrite) != 0;
  return std::string(all ? "everybody may write to it"
                         : "its group, or who is on its access list, may write to it") +
         rights_of(info) + "; take that right away (chmod " + (all ? "o" : "g") +
         "-w), or use --trust-dir if you trust them";
}

std::unexpected<Error> untrusted(const std::string& path, std::string_view cause,
                                 std::string fault) {
  return fail({.code = ErrorCode::kRefused,
               .op = "use",
               .subject = path,
               .cause = std::string(cause),
               .detail = std::move(fault)});
}

}  // namespace

Result<> check_dir(const os::Dir& dir, const std::string& path, TrustDir trust) {
  if (trust == TrustDir::kAny) return {};
  auto fault = HF_TRY(fault_of(dir));
  if (!fault) return {};
  return untrusted(path, cause::kUntrustedDir, *std::move(fault));
}

Result<> check_config(const os::Dir& dir, const os::File& file, const std::string& path,
                      TrustDir trust) {
  HF_TRY(check_dir(dir, path, trust));
  if (trust == TrustDir::kAny) return {};
  auto fault = HF_TRY(fault_of(file));
  if (!fault) return {};
  return untrusted(path, "untrusted-file", *std::move(fault));
}

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
  if (error.cause == cause::kIsLink) {
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
      name = HF_TRY(os::canonical_name(dir, std::move(name)));
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
  os::SafeName name = HF_TRY(os::canonical_name(dir, HF_TRY(os::SafeName::make(parts.name))));
  return Target{.dir = std::move(dir), .name = std::move(name), .path = path};
}

Result<Target> locate(const std::string& path, Links links, TrustDir trust) {
  if (links == Links::kFollow) return follow(path, trust);
  const Split parts = HF_TRY(split(path));
  os::SafeName name = HF_TRY(os::SafeName::make(parts.name));
  auto dir = os::Dir::open_without_links(parts.parent);
  if (!dir) return fail(with_advice(dir.error()));
  HF_TRY(check_dir(*dir, path, trust));
  name = HF_TRY(os::canonical_name(*dir, std::move(name)));
  return Target{.dir = std::move(*dir), .name = std::move(name), .path = path};
}

}  // namespace holdfast::file
