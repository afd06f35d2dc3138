// SPDX-License-Identifier: Apache-2.0
#include "cli/file/inside_run.h"

#include "cli/frame/command_line.h"
#include "os/spawn/env.h"
#include "proc/tree/run_id_scan.h"

namespace holdfast::cli {

Result<> refuse_inside_run(const std::string& what, const std::string& instead) {
  const auto is_set = [](const std::string& name) {
    const auto value = os::env(name.c_str());
    return value && !value->empty();
  };
  if (is_set("HOLDFAST_DEADLINE")) {
    return fail(usage_error("inside-lease", "use", what,
                            "inside `lock --ttl`, which ends everything below it when the lease is "
                            "lost; " +
                                instead + "; nothing was started"));
  }
  if (!is_set(std::string(proc::kRunVariable))) return {};
  const auto session = os::env("HOLDFAST_SESSION");
  const std::string named =
      session && !session->empty() ? "the session '" + *session + "'" : "another run";
  return fail(usage_error("inside-run", "use", what,
                          "inside " + named + ", which ends everything below it when it ends; " +
                              instead + "; nothing was started"));
}

}  // namespace holdfast::cli
