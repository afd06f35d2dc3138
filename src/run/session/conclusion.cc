// SPDX-License-Identifier: Apache-2.0
#include "run/session/conclusion.h"

#include "format/session/outcome.h"
#include "run/session/final_state.h"
#include "run/session/side_command.h"
#include "session/record/layout.h"
#include "session/record/transition.h"

namespace holdfast::run {

void tell_of(EventSink& events, std::string_view type, const SessionRecord& record,
             EventClass at_least) {
  EventData data;
  data.text("name", record.name).text("state", std::string(to_text(record.state)));
  if (record.command) data.number("pid", record.command->pid);
  if (record.exit_code) data.number("exit_code", *record.exit_code);
  if (record.signal) data.number("signal", *record.signal);
  if (!record.reason.empty()) data.text("reason", record.reason);
  if (record.asked) data.text("by", record.asked->by);
  const auto told = events.record({.type = type, .data = std::move(data), .at_least = at_least});
  static_cast<void>(told);
}

namespace {

const std::string& name_or_command(const SessionRecord& record) {
  return record.name.empty() ? record.order.command.front() : record.name;
}

}  // namespace

void tell_of_other_kills(EventSink& events, const SessionRecord& record, os::Pid command,
                         const OtherKills& kills) {
  const auto tell = [&](const char* reason, const char* by, const char* evidence,
                        std::uint32_t count) {
    EventData data;
    data.number("pid", os::number(command))
        .text("name", name_or_command(record))
        .text("run", to_hex(record.run));
    if (count > 0) data.number("processes", count);
    data.text("reason", reason).text("by", by).text("evidence", evidence);
    const auto told = events.record({.type = "process.killed", .data = std::move(data)});
    static_cast<void>(told);
  };
  if (kills.out_of_memory > 0) tell("oom", "the kernel", "memory.events", kills.out_of_memory);
  if (kills.left_behind) tell("left-behind", "the supervisor", "own-tree", 0);
}

void tell_of_kill(EventSink& events, const SessionRecord& record, os::Pid command, int signal) {
  EventData data;
  data.number("pid", os::number(command))
      .text("name", name_or_command(record))
      .text("run", to_hex(record.run))
      .number("signal", signal)
      .text("reason", record.reason)
      .text("evidence", "own-tree");
  if (record.asked) data.text("by", record.asked->by);
  const auto told = events.record({.type = "process.killed", .data = std::move(data)});
  static_cast<void>(told);
}

std::vector<std::string> environment_of(const SessionRecord& record,
                                        const session::SessionDir& dir) {
  std::vector<std::string> all{"HOLDFAST_RUN=" + to_hex(record.run),
                               "HOLDFAST_SESSION=" + record.name,
                               "HOLDFAST_SESSION_DIR=" + dir.dir().path()};
  all.insert(all.end(), record.order.environment.begin(), record.order.environment.end());
  return all;
}

void Conclusion::verify(supervise::TreeReport& report, session::Control* control) {
  if (!record.order.verify || !claims_success(report)) return;
  record.exit_code = 0;  // known by now, whatever becomes of us
  record.state = session::next(record.state, session::Event::kToVerify).value_or(record.state);
  if (dir != nullptr) {
    const auto saved = dir->write(record, os::Durability::kNone);
    static_cast<void>(saved);  // the next one says more
  }
  const supervise::TreeReport said = run_side_command(clock,
                                                      {.line = *record.order.verify,
                                                       .timeout = record.order.verify_timeout,
                                                       .environment = environment,
                                                       .directory = record.order.directory,
                                                       .control = control},
                                                      signals, ground, log);
  report.verified = verdict_of(said);
  const bool confirmed = report.verified == supervise::Verified::kConfirmed;
  // Nobody could tell: then it is neither.
  if (report.verified != supervise::Verified::kCannotTell) record.verified = confirmed;
  if (!confirmed) record.detail = "the verification " + describe_end(said);
  if (dir != nullptr)
    tell_of(events, confirmed ? "session.verified" : "session.unverified", record);
}

void Conclusion::doubt(supervise::TreeReport& report, const std::vector<std::string>& lost) {
  if (lost.empty() || !claims_success(report)) return;
  report.verified = supervise::Verified::kCannotTell;
  record.verified.reset();
  record.state = session::next(record.state, session::Event::kToVerify).value_or(record.state);
  if (dir != nullptr) {
    const auto saved = dir->write(record, os::Durability::kNone);
    static_cast<void>(saved);  // the final one follows
  }
  report.fault =
      Error{.code = ErrorCode::kCannotTell,
            .op = "vouch for",
            .subject = "'" + record.order.command.front() + "'",
            .cause = "lock-lost",
            .detail = "the lock '" + lost.front() +
                      "' was taken away while it ran: another may have worked beside it"};
}

void Conclusion::tell() {
  const Success success = success_of(record);
  const bool failed = success == Success::kFailure;
  const auto& line = failed ? record.order.on_failure : record.order.on_success;
  if (success == Success::kStopped || !line) return;
  if (record.order.once_per_streak && !is_news(record)) return;
  if (!run_at_end(failed ? "--on-failure" : "--on-success", *line) || dir == nullptr) return;
  record.told = true;
  const auto saved = dir->write(record, os::Durability::kFull);
  static_cast<void>(saved);  // then the next of the streak tells again
}

void Conclusion::run_on_end() {
  if (record.order.on_end) static_cast<void>(run_at_end("--on-end", *record.order.on_end));
}

// What a variable says is never left to what the caller happens to have of that name.
bool Conclusion::run_at_end(std::string_view option, const std::string& line) {
  const auto outcome = outcome_of(record.state, record);
  const int code = outcome ? outcome->code : to_int(ExitCode::kSurvivors);
  const bool has_log =
      dir != nullptr && dir->dir().info(session::log_name()).value_or(std::nullopt);
  std::vector<std::string> told = environment;
  told.push_back("HOLDFAST_NAME=" + record.name);
  told.push_back("HOLDFAST_STATE=" + std::string(to_text(record.state)));
  told.push_back("HOLDFAST_CODE=" + std::to_string(code));
  told.push_back("HOLDFAST_REASON=" + record.reason);
  told.push_back("HOLDFAST_LOG=" + (has_log ? dir->dir().path_of(session::log_name()) : ""));
  told.push_back("HOLDFAST_STREAK=" + std::to_string(streak_after(record).failures));
  if (record.exit_code) told.push_back("HOLDFAST_EXIT_CODE=" + std::to_string(*record.exit_code));
  if (record.signal) told.push_back("HOLDFAST_SIGNAL=" + std::to_string(*record.signal));
  const supervise::TreeReport said = run_side_command(clock,
                                                      {.line = line,
                                                       .timeout = kDefaultVerifyTimeout,
                                                       .environment = std::move(told),
                                                       .directory = record.order.directory},
                                                      signals, ground, log);
  if (verdict_of(said) == supervise::Verified::kConfirmed) return true;
  if (dir == nullptr) return false;
  SessionRecord failed = record;
  failed.reason = "the command of " + std::string(option) + " " + describe_end(said);
  tell_of(events, "session.on_end_failed", failed);
  return false;
}

}  // namespace holdfast::run
