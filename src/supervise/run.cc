// SPDX-License-Identifier: Apache-2.0
#include "supervise/run.h"

#include "supervise/front_end.h"

namespace holdfast::supervise {

Result<RunReport> run_foreground(const Clock& clock, const RunRequest& request) {
  const TreeRequest tree{.commands = {request.argv},
                         .stdout_to = request.stdout_to,
                         .timeout = request.timeout,
                         .grace = request.grace};
  TreeReport report = HF_TRY(run_tree(clock, tree)).report;
  CommandFacts command;
  if (!report.commands.empty()) command = report.commands.front();
  return RunReport{std::move(report), command};
}

}  // namespace holdfast::supervise
