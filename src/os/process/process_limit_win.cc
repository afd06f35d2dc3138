// SPDX-License-Identifier: Apache-2.0
#include "os/process/process_limit.h"

#include "os/sys/native_win.h"

namespace holdfast::os {

Result<> limit_process(Pid /*own_child*/, ProcessLimit limit, std::uint64_t /*value*/) {
  const bool files = limit == ProcessLimit::kOpenFiles;
  return fail(not_offered("limit", files ? "open files" : "the address space",
                          "Windows has no such limit of one process"));
}

Result<std::optional<std::uint64_t>> own_hard_limit(ProcessLimit /*limit*/) { return std::nullopt; }

}  // namespace holdfast::os
