// SPDX-License-Identifier: Apache-2.0
#include "loop/series/wait_reply.h"

#include "format/session/outcome.h"
#include "loop/series/series_decide.h"
#include "os/signal/signals.h"
#include "session/record/transition.h"

namespace holdfast::loop {

using session::SessionView;

WaitReply wait_refusal(ErrorCode code, std::string_view name, std::string_view cause,
                       std::string detail) {
  return {.code = to_int(info(code).exit),
          .error = Error{.code = code,
                         .op = "wait for",
                         .subject = "'" + std::string(name) + "'",
                         .cause = std::string(cause),
                         .detail = std::move(detail)}};
}

namespace {

// Nobody records the end of an orphan. As long as something of it lives it may be adopted; then it
// cannot be known any more.
bool ends_unknown(const SessionView& view) {
  return view.known && view.state == SessionState::kOrphaned && view.tree != session::Tree::kLives;
}

// nullopt: it is not decided yet.
std::optional<WaitReply> reply_until(const SessionView& view, SessionState wanted) {
  if (!view.known) return std::nullopt;
  if (view.state == wanted) return WaitReply{};
  const bool can_come = session::can_become(view.state, wanted);
  if (!can_come) {
    return wait_refusal(ErrorCode::kNotFound, view.record.name, "cannot-come",
                        "it is " + std::string(to_text(view.state)) + ", and cannot become " +
                            std::string(to_text(wanted)) + " any more");
  }
  return std::nullopt;
}

WaitReply reply_over(const SeriesRecord& series) {
  const int code = series.code.value_or(to_int(ExitCode::kCannotTell));
  return {.code = code, .of_command = is_code_of_iteration(*series.over, code)};
}

// As the driver answered it, if an iteration was asked to end; what else has stopped the driver is
// not on record.
WaitReply reply_stopped(const SeriesRecord& series) {
  if (!series.history.empty() && series.history.back().asked) {
    const int code = series.history.back().code;
    return {.code = code != 0 ? code : exit_status_of_signal(os::kSignalTerm)};
  }
  return wait_refusal(ErrorCode::kCannotTell, series.name, "series-stopped",
                      "its series stopped after " + std::to_string(series.done) + " of " +
                          std::to_string(series.iterations) +
                          " iterations, and nobody drives it; the same `holdfast run` resumes it");
}

}  // namespace

std::optional<WaitReply> wait_reply(const SessionView& view, std::optional<SessionState> wanted) {
  if (wanted) {
    if (auto reply = reply_until(view, *wanted)) return reply;
  } else if (const auto outcome = outcome_of(view.state, view.record)) {
    if (view.state != SessionState::kLost) {
      return WaitReply{.code = outcome->code, .of_command = outcome->by_command};
    }
    return wait_refusal(ErrorCode::kCannotTell, view.record.name, reason::kLost,
                        "it is gone, and how it ended is not known (" + view.evidence + ")");
  }
  if (!ends_unknown(view)) return std::nullopt;
  return wait_refusal(
      ErrorCode::kCannotTell, view.record.name, "orphaned",
      "its supervisor is gone and nobody of it is seen; how it ended cannot be known. "
      "`holdfast stop` closes it");
}

std::optional<WaitReply> wait_reply(const std::optional<SessionView>& view,
                                    const SeriesStatus& series,
                                    std::optional<SessionState> wanted) {
  using Kind = SeriesStatus::Kind;
  if (series.kind == Kind::kGoesOn) {
    const bool come = wanted && view && view->known && view->state == *wanted;
    return come ? std::optional(WaitReply{}) : std::nullopt;
  }
  if (!view) return std::nullopt;
  const bool own = series.kind == Kind::kNone || wanted || !is_final(view->state);
  if (own) return wait_reply(*view, wanted);
  return series.kind == Kind::kOver ? reply_over(*series.record) : reply_stopped(*series.record);
}

}  // namespace holdfast::loop
