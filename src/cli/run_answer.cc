// SPDX-License-Identifier: Apache-2.0
#include "cli/run_answer.h"

#include <nlohmann/json.hpp>

#include "base/duration.h"
#include "format/rfc3339.h"
#include "os/os_error.h"

namespace holdfast::cli {
namespace {

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string count(std::uint32_t number) {
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

}  // namespace

Json run_fields(const supervise::RunReport& report, const supervise::Verdict& verdict) {
  const bool ran = verdict.state != supervise::RunState::kFailed;
  Json survivors = Json::array();
  for (const supervise::Survivor& survivor : report.survivors) {
    survivors.push_back({{"pid", os::number(survivor.pid)}, {"name", survivor.name}});
  }
  return {
      {"name", nullptr},
      {"state", name(verdict.state)},
      {"exit_code", or_null(verdict.exit_code)},
      {"signal", or_null(verdict.signal)},
      {"pid", ran && report.pid ? Json(os::number(*report.pid)) : Json(nullptr)},
      {"started", ran && report.started ? Json(format_rfc3339(*report.started)) : Json(nullptr)},
      {"ended", format_rfc3339(report.ended)},
      {"log", nullptr},
      {"verified", nullptr},
      {"containment", name(report.containment)},
      {"terminated", report.terminated},
      {"killed", report.killed},
      {"survivors", std::move(survivors)},
      {"survivors_total", report.survivors_total}};
}

std::string status_line(const supervise::Verdict& verdict) {
  const Json line{{"by", name(verdict.by)},
                  {"code", verdict.code},
                  {"signal", or_null(verdict.signal)},
                  {"reason", verdict.reason}};
  return line.dump() + "\n";
}

std::optional<Error> run_error(const supervise::RunReport& report,
                               const supervise::Verdict& verdict, const std::string& command) {
  using Kind = os::StartFailure::Kind;
  if (verdict.reason == "survivors") return survivors_error(report, command);
  if (!report.start_failure) return report.fault;
  const os::StartFailure& failure = *report.start_failure;
  Error error = os::os_error("run", "'" + command + "'", failure.os_code);
  if (failure.kind == Kind::kNotFound && command.find('/') == std::string::npos) {
    error.detail = "there is no such command in PATH";
  } else if (failure.kind == Kind::kNotExecutable && error.cause == "enoent") {
    error.detail = "the file is there, but the interpreter that it names is not";
  } else if (error.cause == "enoexec") {
    error.detail = "it is not a program; a script needs a first line such as #!/bin/sh";
  }
  return error;
}

std::string run_note(const supervise::RunReport& report, const supervise::Verdict& verdict,
                     const std::string& command, std::optional<Duration> timeout) {
  if (verdict.reason == "survivors" || verdict.reason == "lost") return "";  // the error says it
  const std::uint32_t ended = std::max(report.terminated, report.killed);
  std::string how = count(ended);
  if (report.killed > 0) {
    how += ", " + std::to_string(report.killed) + " by KILL";
  } else if (!report.fault) {
    how += ", TERM was enough";
  }
  if (report.deadline_fired && timeout) {
    return "the deadline of " + format_duration(*timeout) + " passed: ended '" + command + "'" +
           (ended > 0 ? ", " + how : "");
  }
  if (verdict.by == supervise::By::kCommand && ended > 0) {
    return "'" + command + "' left others running; ended " + how;
  }
  return "";
}

}  // namespace holdfast::cli
