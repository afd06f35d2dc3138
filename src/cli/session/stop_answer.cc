// SPDX-License-Identifier: Apache-2.0
#include "cli/session/stop_answer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/process/kill_order.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

using proc::KillOutcome;
using run::StopReport;

// The most serious first.
constexpr std::array kSerious{ExitCode::kSurvivors, ExitCode::kOsRefused, ExitCode::kIo,
                              ExitCode::kInternal,  ExitCode::kCorrupt,   ExitCode::kCannotTell,
                              ExitCode::kRefused,   ExitCode::kBusy,      ExitCode::kNotDurable,
                              ExitCode::kUsage,     ExitCode::kConfig,    ExitCode::kNo};

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kSays{{
    {"no-such-session", "there is no such session"},
    {"recorded", "it was over already"},
    {"cgroup-empty", "it was over already: its supervisor is gone, and nothing of it is left"},
    {"other-boot", "it ended with the machine's last boot"},
    {"no-cgroup",
     "what was found of it has ended, and without a cgroup nothing proves that this is all; "
     "`--assume-gone --reason TEXT` closes it"},
    {"leader-gone",
     "nobody of it is seen, and without a cgroup nothing proves that nobody is left; "
     "`--assume-gone --reason TEXT` closes it"},
    {"not-its-command",
     "the process that its record names neither carries its run id nor is known to its lock; the "
     "record is not true"},
    {"other-session", "its run id is another session's; the record is not true"},
    {"process-1", "process 1 is never signalled"},
    {"caller-in-tree", "the caller itself is one of its processes"},
}};

std::string_view says(std::string_view evidence) {
  for (const auto& [key, text] : kSays) {
    if (key == evidence) return text;
  }
  return {};
}

ExitCode stop_answer_code_of(const StopReport& report) {
  return report.error ? info(report.error->code).exit : exit_of(report.outcome);
}

Json stop_answer_fields_of(const StopReport& report) {
  Json survivors = Json::array();
  for (const proc::Survivor& one : report.survivors) {
    survivors.push_back({{"pid", one.pid}, {"name", one.name}, {"why", one.why}});
  }
  return {{"name", report.name},
          {"outcome", report.error ? Json(nullptr) : Json(to_text(report.outcome))},
          {"survivors", std::move(survivors)},
          {"state", report.state ? Json(to_text(*report.state)) : Json(nullptr)},
          {"evidence", report.error ? report.error->cause : report.evidence},
          {"ended", report.ended}};
}

std::string stop_answer_detail_of(const StopReport& report) {
  std::string text(says(report.evidence));
  if (report.outcome == KillOutcome::kSurvivors) {
    text = "still alive after KILL:";
    for (const proc::Survivor& one : report.survivors)
      text += " " + one.name + " (pid " + std::to_string(one.pid) + ")";
  }
  if (text.empty()) text = report.evidence;
  if (!report.detail.empty()) text += "; " + report.detail;
  return text;
}

ErrorCode error_code_of(ExitCode code) {
  switch (code) {
    case ExitCode::kNo:
      return ErrorCode::kNotFound;
    case ExitCode::kRefused:
      return ErrorCode::kRefused;
    case ExitCode::kOsRefused:
    case ExitCode::kSurvivors:
      return ErrorCode::kOsRefused;
    default:
      return ErrorCode::kCannotTell;
  }
}

}  // namespace

Error stop_error(const StopReport& report) {
  if (report.error) return *report.error;
  return {.code = error_code_of(stop_answer_code_of(report)),
          .op = "stop the session",
          .subject = "'" + report.name + "'",
          .cause = report.evidence,
          .detail = stop_answer_detail_of(report)};
}

Result<int> answer_stop(Context& context, const std::vector<StopReport>& reports,
                        StopTargets targets) {
  Json list = Json::array();
  const StopReport* worst = nullptr;
  std::size_t worst_rank = kSerious.size();
  for (const StopReport& report : reports) {
    list.push_back(stop_answer_fields_of(report));
    const ExitCode code = stop_answer_code_of(report);
    if (code == ExitCode::kDone) {
      context.note("stopped: '" + report.name + "'");
      continue;
    }
    if (targets == StopTargets::kAll && code == ExitCode::kNo) continue;
    const auto rank =
        static_cast<std::size_t>(std::ranges::find(kSerious, code) - kSerious.begin());
    if (worst == nullptr || rank < worst_rank) {
      if (worst != nullptr) context.warn(to_sentence(stop_error(*worst)));
      worst = &report;
      worst_rank = rank;
    } else {
      context.warn(to_sentence(stop_error(report)));
    }
  }
  Json fields = Json::object();
  if (reports.size() == 1 && targets == StopTargets::kNamed) fields = list.front();
  fields["sessions"] = std::move(list);
  context.emit(fields);
  if (worst == nullptr) return to_int(ExitCode::kDone);
  context.report(stop_error(*worst));
  return to_int(stop_answer_code_of(*worst));
}

}  // namespace holdfast::cli
