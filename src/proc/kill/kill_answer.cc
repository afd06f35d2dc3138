// SPDX-License-Identifier: Apache-2.0
#include "proc/kill/kill_answer.h"

#include <array>
#include <string_view>
#include <utility>

namespace holdfast::proc {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMissing{{
    {"no-evidence",
     "the file has only a number: give its start with --starttime TICKS, or --started-after TIME"},
    {"no-pid", "the file holds no certain process number"},
    {"other-host", "the file names another host"},
    {"before-boot",
     "the file is older than this boot, so its number is of another boot, or the clock was set"},
    {"future-file", "the time of the file is still to come: the clock was set"},
    {"started-later",
     "the process started after the file was last written, so it is another one, or the clock was "
     "set"},
    {"started-earlier", "the process started before the time given"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kKillAnswerReasons{{
    {"recycled", "the number is another process now"},
    {"other-run", "it carries another run id than the identity says"},
    {"not-its-command", "the record of the session names a process that is not its command"},
    {"not-its-supervisor", "the record of the session names a process that is not its supervisor"},
    {"other-session", "who carries the run id of the record belongs to another session"},
    {"process-1", "process 1 is never signalled"},
    {"caller", "that is this program itself"},
    {"ancestor", "it is above the caller, who would not live to tell"},
    {"kernel-thread", "it is a thread of the kernel"},
    {"caller-in-tree", "the caller itself is in that tree"},
    {"not-permitted", "the kernel does not let this user signal it"},
    {"no-pidfd", "without pidfds a signal could hit another process"},
    {"leader-gone", "it has ended; whether all that it started has, nothing here can prove"},
    {"no-cgroup", "all that was found has ended; without a cgroup nothing proves that it is all"},
    {"cgroup-populated", "its cgroup is not empty"},
    {"other-pid-namespace", "its number counts in another pid namespace"},
    {"other-host", "it is of another machine"},
    {"hidepid", "it may not be looked at"},
}};

std::string_view look_up(const auto& table, std::string_view word) {
  for (const auto& [key, says] : table) {
    if (key == word) return says;
  }
  return {};
}

std::string named(std::int32_t pid, const std::string& name) {
  return "process " + std::to_string(pid) + (name.empty() ? "" : " (" + name + ")");
}

ErrorCode kill_answer_code_of(KillOutcome outcome) {
  switch (outcome) {
    case KillOutcome::kGone:
      return ErrorCode::kNotFound;
    case KillOutcome::kMismatch:
    case KillOutcome::kRefused:
      return ErrorCode::kRefused;
    case KillOutcome::kNotPermitted:
      return ErrorCode::kOsRefused;
    default:
      return ErrorCode::kCannotTell;
  }
}

std::string survivors_text(const KillReport& report) {
  std::string text;
  for (const Survivor& one : report.survivors) {
    text += (text.empty() ? "" : ", ") + one.name + " (pid " + std::to_string(one.pid) +
            (one.why.empty() ? ")" : ", " + one.why + ")");
  }
  return text.empty() ? "somebody that cannot be named" : text;
}

std::string kill_answer_detail_of(const KillReport& report) {
  if (report.outcome == KillOutcome::kSurvivors) return "still alive: " + survivors_text(report);
  std::string text(missing_evidence(report.evidence));
  if (text.empty()) text = look_up(kKillAnswerReasons, report.evidence);
  if (report.outcome == KillOutcome::kGone) text = "it had ended before";
  text += (text.empty() ? "(" : " (") + report.evidence + ")";
  if (!report.acted) return text + "; nothing was signalled";
  text += "; " + std::to_string(report.ended) + " seen to end";
  if (report.unread != 0) {
    text += ", the environment of " + std::to_string(report.unread) + " could not be looked at";
  }
  return text;
}

Json survivors_json(const KillReport& report) {
  Json list = Json::array();
  for (const Survivor& one : report.survivors) {
    list.push_back({{"pid", one.pid}, {"name", one.name}, {"why", one.why}});
  }
  return list;
}

}  // namespace

ExitCode exit_of(KillOutcome outcome) {
  switch (outcome) {
    case KillOutcome::kKilled:
    case KillOutcome::kSignalled:
      return ExitCode::kDone;
    case KillOutcome::kSurvivors:
      return ExitCode::kSurvivors;
    default:
      return info(kill_answer_code_of(outcome)).exit;
  }
}

std::string missing_evidence(std::string_view evidence) {
  return std::string(look_up(kMissing, evidence));
}

std::string process_text(std::int32_t pid, const KillReport& report) {
  return named(pid, report.name);
}

Json kill_fields(std::int32_t pid, const KillReport& report) {
  return {{"outcome", to_text(report.outcome)},
          {"survivors", survivors_json(report)},
          {"pid", pid},
          {"evidence", report.evidence},
          {"ended", report.ended},
          {"unread", report.unread}};
}

Error kill_error(std::int32_t pid, const KillReport& report) {
  return {.code = kill_answer_code_of(report.outcome),
          .op = "end",
          .subject = named(pid, report.name),
          .cause = report.evidence,
          .detail = kill_answer_detail_of(report)};
}

}  // namespace holdfast::proc
