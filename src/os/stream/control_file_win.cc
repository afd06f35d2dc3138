// SPDX-License-Identifier: Apache-2.0
#include "os/stream/control_file.h"

#include "os/sys/not_offered_win.h"

namespace holdfast::os {
namespace {

std::unexpected<Error> no_groups(const std::string& subject) {
  return fail(not_offered("use the control file", subject, "Windows has no control groups"));
}

}  // namespace

Result<std::optional<ControlFile>> ControlFile::open(const Dir& dir, const SafeName& name,
                                                     ControlAccess /*access*/) {
  return no_groups(dir.path_of(name));
}

Result<std::optional<std::string>> ControlFile::read() const { return no_groups(path_); }

Result<std::optional<std::size_t>> ControlFile::read_start(std::span<char> /*buffer*/) const {
  return no_groups(path_);
}

Result<bool> ControlFile::write(std::string_view /*value*/) const { return no_groups(path_); }

Result<std::optional<std::string>> read_control(const Dir& dir, const SafeName& name) {
  return no_groups(dir.path_of(name));
}

Result<bool> write_control(const Dir& dir, const SafeName& name, std::string_view /*value*/) {
  return no_groups(dir.path_of(name));
}

Result<CgroupVersion> cgroup_version(const Dir& /*dir*/) { return CgroupVersion::kNone; }

}  // namespace holdfast::os
