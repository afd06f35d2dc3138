// SPDX-License-Identifier: Apache-2.0
#include "os/process/proc_fs.h"

#include "os/process/process_list.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

std::unexpected<Error> no_proc(const char* name) {
  return fail(not_offered("read", std::string("/proc/PID/") + name, "Windows has no /proc"));
}

}  // namespace

Result<> each_process(const std::function<void(Pid)>& visit) {
  return each_listed_process([&](const ListedProcess& listed) {
    if (number(listed.pid) > 0) visit(listed.pid);  // 0 is the idle processor
  });
}

Result<std::optional<std::string>> read_proc_file(Pid /*pid*/, const char* name) {
  return no_proc(name);
}

Result<std::optional<std::string>> read_whole_proc_file(Pid /*pid*/, const char* name,
                                                        std::size_t /*max*/) {
  return no_proc(name);
}

Result<std::optional<std::string>> read_own_proc_file(const char* name) { return no_proc(name); }

}  // namespace holdfast::os
