// SPDX-License-Identifier: Apache-2.0
#include "os/process/process_limit.h"

#include <sys/resource.h>

#include <string>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

int resource_of(ProcessLimit limit) {
  return limit == ProcessLimit::kAddressSpace ? RLIMIT_AS : RLIMIT_NOFILE;
}

}  // namespace

Result<> limit_process(Pid own_child, ProcessLimit limit, std::uint64_t value) {
  const rlimit64 both{.rlim_cur = value, .rlim_max = value};
  if (sys().prlimit(number(own_child), resource_of(limit), &both, nullptr) == 0) return {};
  Error error = last_os_error("limit", "process " + std::to_string(number(own_child)));
  error.code = ErrorCode::kOsRefused;
  return fail(std::move(error));
}

Result<std::optional<std::uint64_t>> own_hard_limit(ProcessLimit limit) {
  rlimit64 now{};
  if (sys().prlimit(0, resource_of(limit), nullptr, &now) != 0) {
    return fail(last_os_error("ask for", "the limits of this process"));
  }
  if (now.rlim_max == RLIM64_INFINITY) return std::nullopt;
  return std::uint64_t{now.rlim_max};
}

}  // namespace holdfast::os
