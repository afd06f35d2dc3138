// SPDX-License-Identifier: Apache-2.0
#include "loop/step/until.h"

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "loop/series/series_wait.h"
#include "supervise/pipeline.h"

namespace holdfast::loop {
namespace {

using UntilKind = UntilOutcome::Kind;

std::optional<std::size_t> code_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number >= CodeSet().size()) return std::nullopt;
  return number;
}

bool add_range(CodeSet& codes, std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = code_of(text.substr(0, dash));
  const auto last = dash == text.npos ? first : code_of(text.substr(dash + 1));
  if (!first || !last || *last < *first) return false;
  for (std::size_t code = *first; code <= *last; ++code) codes.set(code);
  return true;
}

Result<supervise::PipelineReport> try_once(const Clock& clock, const UntilRequest& request,
                                           Duration left) {
  supervise::PipelineRequest pipeline;
  pipeline.stages = {request.command};
  pipeline.output = supervise::PipelineRequest::Output::kStderr;
  pipeline.timeout = std::max<Duration>(left, std::chrono::milliseconds(1));
  pipeline.grace = request.grace;
  return supervise::run_pipeline(clock, pipeline, {});
}

// nullopt: no answer that ends the waiting; `certain` says whether it was one at all.
std::optional<UntilKind> answer_of(const UntilRequest& request,
                                   const supervise::PipelineReport& report, UntilOutcome& outcome,
                                   bool& certain) {
  const supervise::StageEnd& end = report.stages.front();
  outcome.last_code = end.exit_code;
  outcome.last_signal = end.signal;
  certain = false;
  if (end.start_failure) {
    outcome.start_failure = end.start_failure;
    return UntilKind::kNotStarted;
  }
  if (report.interrupted) {
    outcome.interrupted = report.interrupted;
    return UntilKind::kAsked;
  }
  if (report.timed_out || !report.empty || !end.exit_code) return std::nullopt;
  const auto code = static_cast<std::size_t>(*end.exit_code);
  if (request.pass.test(code)) return UntilKind::kPass;
  if (request.fail.test(code)) return UntilKind::kFail;
  certain = request.not_yet.test(code);
  return std::nullopt;
}

}  // namespace

std::optional<CodeSet> parse_codes(std::string_view text) {
  CodeSet codes;
  for (;;) {
    const std::size_t comma = text.find(',');
    if (!add_range(codes, text.substr(0, comma))) return std::nullopt;
    if (comma == text.npos) return codes;
    text.remove_prefix(comma + 1);
  }
}

Result<UntilOutcome> poll_until(const Clock& clock, const UntilRequest& request) {
  UntilOutcome outcome;
  const BootTime begin = clock.boot();
  const BootTime deadline = after(begin, request.timeout);
  for (;;) {
    const auto report = HF_TRY(try_once(clock, request, deadline - clock.boot()));
    const UntilOutcome before = outcome;
    ++outcome.tries;
    bool certain = false;
    const auto answer = answer_of(request, report, outcome, certain);
    const BootTime now = clock.boot();
    outcome.waited = now - begin;
    // A try that our own time cut short is no answer: the one before it was the last.
    if (report.timed_out && report.empty && before.tries != 0 && !answer) {
      outcome.kind = before.kind;
      outcome.last_code = before.last_code;
      outcome.last_signal = before.last_signal;
      return outcome;
    }
    if (answer) {
      outcome.kind = *answer;
      return outcome;
    }
    outcome.kind = certain ? UntilKind::kTimedOut : UntilKind::kCannotTell;
    if (now >= deadline) return outcome;
    const BootTime next = std::min(after(now, request.every), deadline);
    const auto pausing = request.pausing ? request.pausing(outcome.tries) : nullptr;
    if (const auto asked = HF_TRY(pause_until(clock, next))) {
      outcome.kind = UntilKind::kAsked;
      outcome.interrupted = asked;
      outcome.waited = clock.boot() - begin;
      return outcome;
    }
    if (next >= deadline) {
      outcome.waited = clock.boot() - begin;
      return outcome;
    }
  }
}

}  // namespace holdfast::loop
