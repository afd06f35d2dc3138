// SPDX-License-Identifier: Apache-2.0
#include "loop/intent/question.h"

#include <algorithm>

#include "base/exit_code.h"
#include "base/path_text.h"
#include "os/machine/sha256.h"
#include "supervise/pipeline.h"

namespace holdfast::loop {
namespace {

using Output = supervise::PipelineRequest::Output;

constexpr int kFirstOfWrappers = 125;

supervise::PipelineRequest request_of(const Question& question, Output output) {
  supervise::PipelineRequest request;
  request.stages = {shell_words(question.line)};
  request.output = output;
  if (!question.directory.empty()) request.directory = question.directory;
  request.environment = question.environment;
  request.timeout = std::max<Duration>(question.timeout, std::chrono::milliseconds(1));
  if (question.grace) request.grace = *question.grace;
  return request;
}

std::string why_of(const supervise::PipelineReport& report) {
  if (report.timed_out) return "it took too long";
  if (!report.empty) return "processes of it could not be ended";
  std::string why = supervise::describe_failure(report);
  return why.empty() ? "it gave no answer" : why;
}

}  // namespace

Answer answer_of_code(std::optional<int> code) {
  if (!code || *code == to_int(ExitCode::kCannotTell) || *code >= kFirstOfWrappers) {
    return Answer::kCannotTell;
  }
  return *code == 0 ? Answer::kYes : Answer::kNo;
}

Result<Answered> ask(const Clock& clock, const Question& question) {
  const auto report =
      HF_TRY(supervise::run_pipeline(clock, request_of(question, Output::kStderr), {}));
  if (report.interrupted) return Answered{.why = "interrupted", .interrupted = report.interrupted};
  Answered answered;
  if (!report.timed_out && report.empty) {
    answered.answer = answer_of_code(report.stages.front().exit_code);
  }
  if (answered.answer == Answer::kCannotTell) answered.why = why_of(report);
  return answered;
}

Result<MarkAnswer> ask_mark(const Clock& clock, const Question& question) {
  os::Sha256 hash;
  const auto report = HF_TRY(supervise::run_pipeline(clock, request_of(question, Output::kTaken),
                                                     [&hash](std::string_view bytes) -> Result<> {
                                                       hash.update(bytes);
                                                       return {};
                                                     }));
  if (report.interrupted) {
    return MarkAnswer{.why = "interrupted", .interrupted = report.interrupted};
  }
  if (!report.succeeded()) return MarkAnswer{.why = why_of(report)};
  return MarkAnswer{.mark = hash.finish()};
}

}  // namespace holdfast::loop
