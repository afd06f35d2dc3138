// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_ask.h"

#include <algorithm>

#include "base/exit_code.h"
#include "base/path_text.h"
#include "os/machine/sha256.h"
#include "supervise/pipeline.h"

namespace holdfast::loop {
namespace {

using Output = supervise::PipelineRequest::Output;

// Whoever waits for the lock of a series whose driver was killed in here waits for this, too.
constexpr Duration kGrace = std::chrono::seconds(1);
constexpr int kFirstReserved = 125;

supervise::PipelineRequest request_of(const SeriesQuestion& question, Output output) {
  supervise::PipelineRequest request;
  request.stages = {shell_words(question.line)};
  request.output = output;
  if (!question.directory.empty()) request.directory = question.directory;
  request.environment = question.environment;
  request.timeout = std::max<Duration>(question.timeout, std::chrono::milliseconds(1));
  request.grace = kGrace;
  return request;
}

std::string why_of(const supervise::PipelineReport& report) {
  if (report.timed_out) return "it took too long";
  if (!report.empty) return "processes of it could not be ended";
  std::string why = supervise::describe_failure(report);
  return why.empty() ? "it gave no answer" : why;
}

}  // namespace

GoalAnswer ask_goal(const Clock& clock, const SeriesQuestion& question) {
  const auto report = supervise::run_pipeline(clock, request_of(question, Output::kStderr), {});
  if (!report) return {.why = to_sentence(report.error())};
  if (report->interrupted) return {.why = "interrupted", .interrupted = report->interrupted};
  const auto code = report->stages.front().exit_code;
  const bool told = !report->timed_out && report->empty && code &&
                    *code != to_int(ExitCode::kCannotTell) && *code < kFirstReserved;
  if (!told) return {.why = why_of(*report)};
  return {.goal = *code == 0 ? Goal::kReached : Goal::kNotYet};
}

MarkAnswer ask_mark(const Clock& clock, const SeriesQuestion& question) {
  os::Sha256 hash;
  const auto report = supervise::run_pipeline(clock, request_of(question, Output::kTaken),
                                              [&hash](std::string_view bytes) -> Result<> {
                                                hash.update(bytes);
                                                return {};
                                              });
  if (!report) return {.why = to_sentence(report.error())};
  if (report->interrupted) return {.why = "interrupted", .interrupted = report->interrupted};
  if (!report->succeeded()) return {.why = why_of(*report)};
  return {.mark = hash.finish()};
}

}  // namespace holdfast::loop
