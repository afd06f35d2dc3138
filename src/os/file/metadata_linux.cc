// SPDX-License-Identifier: Apache-2.0
#include "os/file/metadata.h"

#include <algorithm>
#include <array>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMostTries = 16;  // for lists that grow while they are read

int metadata_fd_of(const File& file) { return static_cast<int>(file.native()); }

bool is_made_from_content(std::string_view name) {
  return name == "security.ima" || name == "security.evm";
}

// The bytes of a call that answers with the size it needs: `call(data, size)`. Most files have no
// attribute and most values are short, so one call is the rule.
template <typename Call>
Result<std::string> read_sized(const File& file, const Call& call) {
  std::string bytes(256, '\0');
  for (std::size_t i = 0; i < kMostTries; ++i) {
    const ssize_t got = call(bytes.data(), bytes.size());
    if (got >= 0) {
      bytes.resize(static_cast<std::size_t>(got));
      return bytes;
    }
    if (errno != ERANGE) break;
    const ssize_t needed = call(nullptr, 0);
    if (needed < 0) break;
    bytes.resize(static_cast<std::size_t>(needed));
  }
  return fail(last_os_error("read the attributes of", file.path()));
}

Fixity fixity_at(int dir, const char* name, int flags) {
  struct statx info{};
  if (sys().statx(dir, name, flags | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE, &info) !=
      0) {
    return {};
  }
  const auto has = [&](std::uint64_t bit) {
    return (info.stx_attributes_mask & info.stx_attributes & bit) != 0;
  };
  return {.immutable = has(STATX_ATTR_IMMUTABLE),
          .append_only = has(STATX_ATTR_APPEND),
          .mount_point = has(STATX_ATTR_MOUNT_ROOT)};
}

}  // namespace

Result<std::vector<Attribute>> read_attributes(const File& file) {
  const auto names = read_sized(file, [&](char* data, std::size_t size) {
    return sys().flistxattr(metadata_fd_of(file), data, size);
  });
  std::vector<Attribute> attributes;
  if (!names) {
    if (names.error().os_code == EOPNOTSUPP || names.error().os_code == ENOSYS) return attributes;
    return fail(names.error());
  }
  for (std::size_t at = 0; at < names->size();) {
    const std::string name = names->c_str() + at;
    at += name.size() + 1;
    if (is_made_from_content(name)) continue;
    auto value = read_sized(file, [&](char* data, std::size_t size) {
      return sys().fgetxattr(metadata_fd_of(file), name.c_str(), data, size);
    });
    if (!value) {
      if (value.error().os_code == ENODATA) continue;  // gone since the list was made
      return fail(value.error());
    }
    attributes.push_back({.name = name, .value = std::move(*value)});
  }
  std::ranges::sort(attributes);
  return attributes;
}

Result<> set_attribute(const File& file, const Attribute& attribute) {
  if (sys().fsetxattr(metadata_fd_of(file), attribute.name.c_str(), attribute.value.data(),
                      attribute.value.size(), 0) == 0) {
    return {};
  }
  return fail(last_os_error("set the attribute " + attribute.name + " of", file.path()));
}

Result<> remove_attribute(const File& file, const std::string& name) {
  if (sys().fremovexattr(metadata_fd_of(file), name.c_str()) == 0 || errno == ENODATA) return {};
  return fail(last_os_error("remove the attribute " + name + " of", file.path()));
}

Result<> set_owner(const File& file, std::uint32_t uid, std::uint32_t gid) {
  if (sys().fchown(metadata_fd_of(file), uid, gid) == 0) return {};
  return fail(last_os_error("set the owner of", file.path()));
}

std::uint32_t own_uid() { return sys().geteuid(); }

bool has_owner_and_mode() { return true; }

Result<bool> is_own(const File&, const FileInfo& info) { return info.uid == own_uid(); }
Result<bool> is_own(const Dir&, const SafeName&, const FileInfo& info) {
  return info.uid == own_uid();
}

Result<std::uint32_t> shown_mode(const File&, const FileInfo& info, std::uint32_t) {
  return info.mode;
}
Result<std::uint32_t> shown_mode(const Dir&, const FileInfo& info, std::uint32_t) {
  return info.mode;
}
Result<std::uint32_t> shown_mode(const Dir&, const SafeName&, const FileInfo& info, std::uint32_t) {
  return info.mode;
}

bool open_files_hold_names() { return false; }

Fixity fixity(const Dir& dir, const SafeName& name) {
  return fixity_at(static_cast<int>(dir.native()), name.c_str(), 0);
}

Fixity fixity(const Dir& dir) {
  return fixity_at(static_cast<int>(dir.native()), "", AT_EMPTY_PATH);
}

std::uint32_t file_mode_mask() {
  const mode_t mask = sys().umask(077);
  sys().umask(mask);
  return mask;
}

}  // namespace holdfast::os
