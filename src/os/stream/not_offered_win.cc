// SPDX-License-Identifier: Apache-2.0
//
// What Windows has no notion of: control files, pipes taken over by number, who listens at a socket.
#include "os/stream/control_file.h"
#include "os/stream/pipe.h"
#include "os/stream/socket_listener.h"
#include "os/sys/native_win.h"

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

// A pipe of another process cannot be opened by its number here: there is none to take over.
Result<std::optional<Handle>> reopen_pipe(Pid /*pid*/, const Handle& /*pidfd*/,
                                          int /*descriptor*/) {
  return std::optional<Handle>();
}

Result<Pid> listener_of(const std::string& path) {
  return fail({.code = ErrorCode::kRefused,
               .op = "ask who listens at",
               .subject = path,
               .cause = "unsupported",
               .detail = "Windows does not say who is at the other end of a socket"});
}

}  // namespace holdfast::os
