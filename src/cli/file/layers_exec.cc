// SPDX-License-Identifier: Apache-2.0
#include "cli/file/layers_exec.h"

#include <algorithm>

#include "cli/file/layers_stamp.h"
#include "cli/frame/command_line.h"
#include "cli/session/run_answer.h"
#include "os/machine/real_clock.h"
#include "os/spawn/exec.h"
#include "run/session/run_child.h"
#include "supervise/verdict.h"

namespace holdfast::cli {

Result<> check_placeholder(const std::vector<std::string>& command) {
  const auto found = std::ranges::count(command, kLayersPlaceholder);
  if (found == 1 && command.front() != kLayersPlaceholder) return {};
  return fail(usage_error("placeholder", "run", "'" + command.front() + "'",
                          found == 1
                              ? "the command itself cannot be {layers}"
                              : "the word {layers} must stand in it once, and stands there " +
                                    std::to_string(found) + " times"));
}

std::vector<std::string> with_layers(const std::vector<std::string>& command,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : command) {
    if (word == kLayersPlaceholder) {
      all.insert(all.end(), words.begin(), words.end());
    } else {
      all.push_back(word);
    }
  }
  return all;
}

Result<int> become_command(Context& context, const std::vector<std::string>& command,
                           const file::LayerList& list) {
  const std::vector<std::string> words = with_layers(command, list.words);
  const std::vector<std::string> stamp = stamp_environment(stamp_of(list));
  supervise::RunReport report;
  if (context.must_come_back()) {
    supervise::CallerHooks nobody;
    report = HF_TRY(run::run_child(os::RealClock(), {.argv = words, .environment = stamp}, nobody));
  } else {
    report.start_failure = HF_TRY(os::exec_command(words, stamp));
  }
  const supervise::Verdict verdict = supervise::judge(report);
  if (verdict.by == supervise::By::kCommand) context.code_is_the_commands();
  if (const auto error = run_error(report, verdict, command.front())) context.report(*error);
  return verdict.code;
}

Result<int> before_the_command(Context& context, const Error& error) {
  const ExitCode code = info(error.code).exit;
  const bool own =
      code == ExitCode::kInternal || code == ExitCode::kOsRefused || code == ExitCode::kIo;
  if (!own) return fail(error);
  context.report(error);
  return to_int(ExitCode::kWrapperFailed);
}

}  // namespace holdfast::cli
