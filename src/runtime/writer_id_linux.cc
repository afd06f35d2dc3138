// SPDX-License-Identifier: Apache-2.0
#include "os/process/pid.h"
#include "os/process/proc_fs.h"
#include "proc/identity/process_facts.h"
#include "runtime/writer_id.h"

namespace holdfast {

std::string writer_id() {
  std::string pid = std::to_string(os::number(os::own_pid()));
  const auto line = os::read_own_proc_file("stat");
  if (!line || !*line) return pid;
  const auto facts = proc::parse_stat_line(**line);
  return facts ? pid + "." + std::to_string(facts->start_ticks) : pid;
}

}  // namespace holdfast
