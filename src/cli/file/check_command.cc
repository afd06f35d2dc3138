// SPDX-License-Identifier: Apache-2.0
#include "cli/file/check_command.h"

#include <utility>

#include "base/path_text.h"
#include "os/machine/real_clock.h"
#include "os/path/reopen.h"
#include "supervise/pipeline.h"

namespace holdfast::cli {
namespace {

using supervise::PipelineRequest;

Result<> run_check(const std::string& line, const Limits& limits, const os::File& staged) {
  const auto refuse = [&](ErrorCode code, std::string_view cause, std::string detail) {
    return fail({.code = code,
                 .op = "check the new content with",
                 .subject = line,
                 .cause = std::string(cause),
                 .detail = std::move(detail) + "; nothing was changed"});
  };
  const auto cannot_tell = [&](const Error& error) {
    return refuse(ErrorCode::kCannotTell, error.cause, error.detail);
  };
  const std::string path = os::open_path_of(staged);
  const auto input = os::reopen_for_reading(staged);
  if (!input) return cannot_tell(input.error());
  PipelineRequest request;
  request.stages = {shell_words(line, "check", path)};
  request.input = PipelineRequest::Input::kFile;
  request.input_file = &*input;
  request.output = PipelineRequest::Output::kStderr;
  request.environment = {"HOLDFAST_STAGED=" + path};
  request.timeout = limits.timeout;
  request.grace = limits.grace;
  request.directory = limits.directory;
  const auto report = supervise::run_pipeline(os::RealClock(), request, {});
  if (!report) return cannot_tell(report.error());
  if (report->succeeded()) return {};
  const supervise::StageEnd& end = report->stages.front();
  const bool found = end.exit_code != to_int(ExitCode::kNotExecutable) &&
                     end.exit_code != to_int(ExitCode::kCommandNotFound);
  if (report->interrupted) limits.note_interrupt(*report->interrupted);
  const bool died = end.signal && !report->timed_out && !report->interrupted;
  if (end.start_failure || !found || died) {
    return refuse(ErrorCode::kCannotTell, "check-not-run", supervise::describe_failure(*report));
  }
  return refuse(ErrorCode::kCorrupt, "check-failed", supervise::describe_failure(*report));
}

}  // namespace

file::Check command_check(std::string line, Limits limits) {
  return {.name = line,
          .examine = [line, limits](const os::File& staged,
                                    std::uint64_t) { return run_check(line, limits, staged); },
          .changes_possible = true};
}

}  // namespace holdfast::cli
