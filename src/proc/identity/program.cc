// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/program.h"

#include <string_view>

#include "os/process/proc_fs.h"

namespace holdfast::proc {

std::string program_of(os::Pid pid) {
  const auto line = os::read_proc_file(pid, "cmdline");
  if (!line || !*line) return {};
  // A blank, too: a process that shows a title of its own leaves one text for all words.
  constexpr std::string_view kEnds("\0 ", 2);
  return (*line)->substr(0, (*line)->find_first_of(kEnds));
}

}  // namespace holdfast::proc
