// SPDX-License-Identifier: Apache-2.0
#include "cli/check_command.h"

#include <utility>

#include "os/pid.h"
#include "os/real_clock.h"
#include "os/reopen.h"
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
  // By the process and the descriptor: the file has no name yet, and needs none.
  const std::string path = "/proc/" + std::to_string(os::number(os::own_pid())) + "/fd/" +
                           std::to_string(staged.native());
  const auto input = os::reopen_for_reading(staged);
  if (!input) return cannot_tell(input.error());
  PipelineRequest request;
  request.stages = {{"/bin/sh", "-c", line, "check", path}};
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
  if (report->stages.front().start_failure) {
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
