// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/command_runner.h"

#include "base/cause.h"
#include "base/units.h"
#include "supervise/pipeline.h"

namespace holdfast::cli {
namespace {

using Stdout = file::CommandRequest::Stdout;

// A generator has nothing to save when it is told to go.
constexpr Duration kGrace = std::chrono::seconds(2);

Error too_large(const file::CommandRequest& request) {
  return {.code = ErrorCode::kCorrupt,
          .op = "take in what is printed by",
          .subject = "'" + request.argv.front() + "'",
          .cause = cause::kTooLarge,
          .detail = "its command printed more than " + format_size(request.max_output)};
}

}  // namespace

Result<file::CommandResult> PipelineCommandRunner::run(const file::CommandRequest& request) {
  supervise::PipelineRequest pipeline;
  pipeline.stages = {request.argv};
  pipeline.output = request.to == Stdout::kTaken ? supervise::PipelineRequest::Output::kTaken
                                                 : supervise::PipelineRequest::Output::kStderr;
  pipeline.directory = request.directory;
  pipeline.timeout = request.timeout;
  pipeline.grace = kGrace;

  file::CommandResult result;
  const auto take = [&](std::string_view bytes) -> Result<> {
    if (bytes.size() > request.max_output - result.output.size()) return fail(too_large(request));
    result.output += bytes;
    return {};
  };
  const supervise::PipelineReport report = HF_TRY(supervise::run_pipeline(clock_, pipeline, take));
  result.timed_out = report.timed_out;
  result.failure = supervise::describe_failure(report);
  result.interrupted = report.interrupted.has_value();
  const bool by_itself = !report.timed_out && !result.interrupted;
  if (by_itself && report.empty && report.output_ended && !report.output_cut) {
    result.exit_code = report.stages.front().exit_code;
  }
  return result;
}

}  // namespace holdfast::cli
