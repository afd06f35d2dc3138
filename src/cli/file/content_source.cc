// SPDX-License-Identifier: Apache-2.0
#include "cli/file/content_source.h"

#include <utility>

#include "base/cause.h"
#include "base/path_text.h"
#include "cli/frame/command_line.h"
#include "file/replace/old_file.h"
#include "file/replace/target.h"
#include "format/json/json.h"
#include "os/machine/real_clock.h"
#include "os/path/path.h"
#include "os/stream/stdio.h"
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
  // --timeout is the check's own limit, and beyond it a no; --budget is not about the content.
  if (end.start_failure || !found || died || report->by_budget) {
    return refuse(ErrorCode::kCannotTell, "check-not-run", supervise::describe_failure(*report));
  }
  return refuse(ErrorCode::kCorrupt, "check-failed", supervise::describe_failure(*report));
}

}  // namespace

file::Check command_check(const std::string& line, const Limits& limits) {
  return {.name = line,
          .examine = [line, limits](const os::File& staged,
                                    std::uint64_t) { return run_check(line, limits, staged); },
          .changes_possible = true};
}

namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10U;

Json stage_json(const supervise::StageEnd& stage) {
  return {{"command", stage.command},
          {"exit_code", stage.exit_code ? Json(*stage.exit_code) : Json(nullptr)},
          {"signal", stage.signal ? Json(*stage.signal) : Json(nullptr)},
          {"started", !stage.start_failure.has_value()}};
}

std::string content_source_words_of(const std::vector<std::vector<std::string>>& stages) {
  std::string text;
  for (const auto& stage : stages) text += (text.empty() ? "" : " | ") + stage.front();
  return text;
}

}  // namespace

Result<> fill_from_commands(file::Replacement& job, const Producer& producer, Json& stages) {
  using supervise::PipelineRequest;
  PipelineRequest request;
  request.stages = producer.stages;
  request.environment = producer.environment;
  request.timeout = producer.limits.timeout;
  request.grace = producer.limits.grace;
  request.directory = producer.limits.directory;
  request.input = producer.input != nullptr ? PipelineRequest::Input::kFile
                  : producer.reads_nothing  ? PipelineRequest::Input::kNothing
                                            : PipelineRequest::Input::kStdin;
  request.input_file = producer.input;
  const auto report = HF_TRY(supervise::run_pipeline(
      os::RealClock(), request, [&](std::string_view bytes) { return job.write(bytes); }));
  stages = Json::array();
  for (const auto& stage : report.stages) stages.push_back(stage_json(stage));
  if (report.succeeded()) return {};
  if (report.interrupted) producer.limits.note_interrupt(*report.interrupted);
  return fail({.code = ErrorCode::kCorrupt,
               .op = "use the output of",
               .subject = content_source_words_of(producer.stages),
               .cause = report.interrupted ? "interrupted"
                        : report.by_budget ? "budget"
                                           : "producer-failed",
               .detail = supervise::describe_failure(report) + "; nothing was changed"});
}

Result<> check_stdin(bool checked) {
  if (checked) return {};
  const os::StdinKind kind = HF_TRY(os::stdin_kind());
  if (kind != os::StdinKind::kPipe && kind != os::StdinKind::kOther) return {};
  return fail(usage_error(
      "unchecked-pipe", "take the content from", "the pipe on standard input",
      "its end looks the same whether the program behind it finished or failed; run that program "
      "as `holdfast write PATH -- CMD`, or give a --check, or say --allow-unchecked"));
}

Result<> fill_from_stdin(file::Replacement& job) {
  std::vector<char> buffer(kChunk);
  for (;;) {
    const std::size_t got = HF_TRY(os::read_stdin_some(buffer));
    if (got == 0) return {};
    HF_TRY(job.write({buffer.data(), got}));
  }
}

Result<> fill_from_file(file::Replacement& job, const std::string& path) {
  const file::Target source = HF_TRY(file::locate(path, file::Links::kFollow));
  const auto file = HF_TRY(source.dir.open_file(source.name, os::Access::kRead));
  if (!file) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "read",
                 .subject = path,
                 .cause = cause::kEnoent,
                 .detail = "there is no such file"});
  }
  const os::FileInfo before = HF_TRY(file->info());
  std::vector<char> buffer(kChunk);
  for (std::uint64_t at = 0;;) {
    const std::size_t got = HF_TRY(file->read_into(at, buffer));
    if (got > 0) HF_TRY(job.write({buffer.data(), got}));
    if (got < buffer.size()) break;
    at += got;
  }
  if (file::same_file(before, HF_TRY(file->info()))) return {};
  return fail({.code = ErrorCode::kBusy,
               .op = "read",
               .subject = path,
               .cause = "source-changed",
               .detail = "it was written to while it was read; nothing was changed"});
}

}  // namespace holdfast::cli
