// SPDX-License-Identifier: Apache-2.0
#include "cli/wait_reply.h"

#include "session/exit_code.h"
#include "session/transition.h"

namespace holdfast::cli {

using session::SessionView;

WaitReply wait_refusal(ErrorCode code, const SessionView& view, std::string_view cause,
                       std::string detail) {
  return {.code = to_int(info(code).exit),
          .error = Error{.code = code,
                         .op = "wait for",
                         .subject = "'" + view.record.name + "'",
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
    return wait_refusal(ErrorCode::kNotFound, view, "cannot-come",
                        "it is " + std::string(to_text(view.state)) + ", and cannot become " +
                            std::string(to_text(wanted)) + " any more");
  }
  return std::nullopt;
}

}  // namespace

std::optional<WaitReply> wait_reply(const SessionView& view, std::optional<SessionState> wanted) {
  if (wanted) {
    if (auto reply = reply_until(view, *wanted)) return reply;
  } else if (const auto answer = session::answer_of(view.state, view.record)) {
    const bool own = view.state == SessionState::kExited || view.state == SessionState::kKilled;
    if (view.state != SessionState::kLost) {
      return WaitReply{.code = answer->code, .of_command = own};
    }
    return wait_refusal(ErrorCode::kCannotTell, view, "lost",
                        "it is gone, and how it ended is not known (" + view.evidence + ")");
  }
  if (!ends_unknown(view)) return std::nullopt;
  return wait_refusal(
      ErrorCode::kCannotTell, view, "orphaned",
      "its supervisor is gone and nobody of it is seen; how it ended cannot be known. "
      "`holdfast stop` closes it");
}

}  // namespace holdfast::cli
