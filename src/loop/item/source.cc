// SPDX-License-Identifier: Apache-2.0
#include "loop/item/source.h"

#include "format/text/rfc3339.h"
#include "supervise/pipeline.h"

namespace holdfast::loop {
namespace {

Error cannot_tell(const LoopFile& file, std::string_view cause, std::string detail) {
  return {
      .code = ErrorCode::kCannotTell,
      .op = "ask the source of",
      .subject = "the loop '" + file.name + "'",
      .cause = std::string(cause),
      .detail = std::move(detail) + "; what there is to do is not known, and nothing was started"};
}

}  // namespace

Result<SourceAnswer> ask_source(const Clock& clock, const LoopFile& file,
                                std::optional<int>* asked_to_end) {
  SourceAnswer answer;
  supervise::PipelineRequest request;
  request.stages = {file.source.words};
  request.directory = file.directory;
  request.environment = file.environment;
  request.environment.push_back("HOLDFAST_LOOP=" + file.name);
  request.timeout = file.source_timeout;
  const auto take = [&](std::string_view piece) -> Result<> {
    if (answer.bytes.size() + piece.size() > file.source_max) {
      return fail(cannot_tell(file, "source-too-long", "it printed more than `source_max`"));
    }
    answer.bytes += piece;
    return {};
  };
  const auto report = supervise::run_pipeline(clock, request, take);
  if (!report) {
    if (report.error().code == ErrorCode::kCannotTell) return fail(report.error());
    return fail(cannot_tell(file, "source-failed", to_sentence(report.error())));
  }
  if (report->interrupted && asked_to_end != nullptr) *asked_to_end = report->interrupted;
  if (report->timed_out) {
    return fail(cannot_tell(file, "source-timed-out", "it did not answer in time"));
  }
  if (!report->succeeded()) {
    return fail(cannot_tell(file, "source-failed", supervise::describe_failure(*report)));
  }
  auto parsed = parse_source(answer.bytes, file);
  if (!parsed) return fail(parsed.error());
  answer.parsed = *std::move(parsed);
  return answer;
}

LoopDay day_of(const std::optional<LoopDay>& last, WallTime now) {
  constexpr std::size_t kDateDigits = 10;
  std::string date = format_rfc3339(now).substr(0, kDateDigits);
  if (last && last->day == date) return *last;
  return {.day = std::move(date)};
}

std::optional<std::string> used_up(const LoopBudget& budget, const LoopDay& day) {
  if (budget.items && day.begun >= *budget.items) return "items";
  if (budget.failures && day.failures >= *budget.failures) return "failures";
  if (budget.time && day.time >= *budget.time) return "time";
  return std::nullopt;
}

}  // namespace holdfast::loop
