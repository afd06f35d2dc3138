// SPDX-License-Identifier: Apache-2.0
#include "cli/inside_run.h"

#include "cli/command_line.h"
#include "os/env.h"
#include "proc/run_id_scan.h"

namespace holdfast::cli {

Result<> refuse_inside_run(const std::string& what, const std::string& instead) {
  const auto run = os::env(std::string(proc::kRunVariable).c_str());
  if (!run || run->empty()) return {};
  const auto session = os::env("HOLDFAST_SESSION");
  const std::string named =
      session && !session->empty() ? "the session '" + *session + "'" : "another run";
  return fail(usage_error("inside-run", "use", what,
                          "inside " + named + ", which ends everything below it when it ends; " +
                              instead + "; nothing was started"));
}

}  // namespace holdfast::cli
