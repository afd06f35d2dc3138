// SPDX-License-Identifier: Apache-2.0
#include "cli/session/run_answer.h"

#include <algorithm>

#include "base/cause.h"
#include "base/path_text.h"
#include "base/units.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/session/outcome.h"
#include "format/text/rfc3339.h"
#include "os/file/file.h"
#include "os/sys/os_error.h"

namespace holdfast::cli {
namespace {

std::string run_answer_count(std::uint32_t number) {
  return std::to_string(number) + (number == 1 ? " process" : " processes");
}

std::string names_of(const std::vector<supervise::Survivor>& survivors) {
  std::string names;
  for (const supervise::Survivor& survivor : survivors) {
    names += (names.empty() ? "" : ", ") + survivor.name + " (pid " +
             std::to_string(os::number(survivor.pid)) + ")";
  }
  return names.empty() ? "processes that cannot be seen from here" : names;
}

Error survivors_error(const supervise::RunReport& report, const std::string& command) {
  std::string left = names_of(report.survivors);
  if (report.survivors_total > report.survivors.size()) {
    left += " and " + std::to_string(report.survivors_total - report.survivors.size()) + " more";
  }
  return {.code = ErrorCode::kOsRefused,
          .op = "end all of",
          .subject = "'" + command + "'",
          .cause = "survivors",
          .detail = "still alive after KILL: " + left};
}

Error budget_error(const std::string& command) {
  return {.code = ErrorCode::kBusy,
          .op = "let",
          .subject = "'" + command + "' go on",
          .cause = cause::kBudget,
          .detail = "the time of --budget was used up; it was ended with all that it started"};
}

}  // namespace

Json run_fields(const supervise::RunReport& report, const supervise::Verdict& verdict,
                const RunSession& session) {
  const bool ran = verdict.state != SessionState::kFailed;
  // Nothing was even tried: what is known of the name is of another run.
  const bool refused = !ran && !report.start_failure;
  Json survivors = Json::array();
  for (const supervise::Survivor& survivor : report.survivors) {
    survivors.push_back({{"pid", os::number(survivor.pid)}, {"name", survivor.name}});
  }
  return {
      {"name", or_null(session.name)},
      {"state", session.skipped ? Json(nullptr) : Json(to_text(verdict.state))},
      {"exit_code", or_null(verdict.exit_code)},
      {"signal", or_null(verdict.signal)},
      {"pid", ran && report.pid ? Json(os::number(*report.pid)) : Json(nullptr)},
      {"supervisor", nullptr},
      {"started", ran && report.started ? Json(format_rfc3339(*report.started)) : Json(nullptr)},
      {"ended", refused ? Json(nullptr) : Json(format_rfc3339(report.ended))},
      {"log", refused ? Json(nullptr) : or_null(session.log)},
      {"verified", report.verified && *report.verified != supervise::Verified::kCannotTell
                       ? Json(*report.verified == supervise::Verified::kConfirmed)
                       : Json(nullptr)},
      {"containment", refused ? Json(nullptr) : Json(name(report.containment))},
      {"limits", report.limits_by},
      {"oom_killed", report.oom_killed},
      {"terminated", report.terminated},
      {"killed", report.killed},
      {"survivors", std::move(survivors)},
      {"survivors_total", report.survivors_total},
      {"step", or_null(session.step)},
      {"skipped", session.skipped},
      {"replaced", session.replaced},
      {"iterations", nullptr},
      {"done", nullptr},
      {"reason", nullptr},
      {"errors", nullptr},
      {"idle", nullptr},
      {"history", nullptr}};
}

std::string status_line(const supervise::Verdict& verdict) {
  const Json line{{"by", name(verdict.by)},
                  {"code", verdict.code},
                  {"signal", or_null(verdict.signal)},
                  {"reason", verdict.reason}};
  return line.dump() + "\n";
}

Result<> say_status(os::Handle status, const supervise::Verdict& verdict) {
  if (!status.valid()) return {};
  return os::File(std::move(status), "the descriptor of --status-fd")
      .write_all(status_line(verdict));
}

std::optional<Error> run_error(const supervise::RunReport& report,
                               const supervise::Verdict& verdict, const std::string& command) {
  using Kind = os::StartFailure::Kind;
  if (verdict.reason == reason::kSurvivors) return survivors_error(report, command);
  if (verdict.reason == reason::kBudget) return budget_error(command);
  if (!report.start_failure) return report.fault;
  const os::StartFailure& failure = *report.start_failure;
  Error error = os::os_error("run", "'" + command + "'", failure.os_code);
  if (failure.kind == Kind::kNoDirectory) {
    error.op = "enter the directory to run";
    return error;
  }
  if (failure.kind == Kind::kNotFound && std::ranges::none_of(command, is_separator)) {
    error.detail = "there is no such command in PATH";
  } else if (failure.kind == Kind::kNotExecutable && error.cause == cause::kEnoent) {
    error.detail = "the file is there, but the interpreter that it names is not";
  } else if (error.cause == cause::kEnoexec) {
    error.detail = "it is not a program; a script needs a first line such as #!/bin/sh";
  }
  return error;
}

std::string run_note(const supervise::RunReport& report, const supervise::Verdict& verdict,
                     const SessionOrder& order) {
  const std::string& command = order.command.front();
  const bool told = verdict.reason == reason::kSurvivors || verdict.reason == reason::kLost;
  if (told || verdict.reason == reason::kBudget) return "";  // the error says it
  const std::uint32_t ended = std::max(report.terminated, report.killed);
  std::string how = run_answer_count(ended);
  if (report.killed > 0) {
    how += ", " + std::to_string(report.killed) + " by KILL";
  } else if (!report.fault) {
    how += ", TERM was enough";
  }
  const std::string who = "ended '" + command + "'" + (ended > 0 ? ", " + how : "");
  if (report.ended_by == supervise::EndedBy::kIdle && order.idle_timeout) {
    const std::string hint =
        order.pty ? ""
                  : "; a program that does not print to a terminal may hold its output back: --pty "
                    "gives it one";
    return "nothing was printed for " + format_duration(*order.idle_timeout) + ": " + who + hint;
  }
  if (report.deadline_fired && order.timeout) {
    return "the deadline of " + format_duration(*order.timeout) + " passed: " + who;
  }
  if (report.ended_by == supervise::EndedBy::kStop) return "stopped: " + who;
  if (report.ended_by == supervise::EndedBy::kOwner) return "its owner has ended: " + who;
  if (report.oom_killed > 0) {
    return "the kernel killed " + std::to_string(report.oom_killed) + " of '" + command +
           "' at the memory limit";
  }
  if (report.verified == supervise::Verified::kRefuted) {
    return "'" + command + "' exited with 0, but its verification says no: " + *order.verify;
  }
  // A lock that was lost is told by the error.
  if (report.verified == supervise::Verified::kCannotTell && order.verify && !report.fault) {
    return "'" + command + "' exited with 0, but its verification could not tell: " + *order.verify;
  }
  if (verdict.by == supervise::By::kCommand && ended > 0) {
    return "'" + command + "' left others running; ended " + how;
  }
  return "";
}

}  // namespace holdfast::cli
