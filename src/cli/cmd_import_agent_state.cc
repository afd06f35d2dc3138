// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/path_text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/import_home.h"
#include "cli/import_locks.h"
#include "cli/user_file.h"
#include "format/agent_state.h"
#include "os/real_clock.h"
#include "os/sha256.h"

namespace holdfast::cli {
namespace {

EventData import_agent_state_facts_of(const AgentState& state) {
  EventData data;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) data.text(key, value);
  };
  add("type", state.type);
  add("issue", state.issue);
  add("title", state.title);
  add("session", state.session);
  add("started", state.started);
  add("ci_run", state.ci_run);
  return data;
}

std::string imported_name_of(const AgentState& state, const std::string& path) {
  if (!state.session.empty()) return state.session;
  if (!state.issue.empty()) return "issue-" + state.issue;
  return std::string(last_component(path));
}

Result<> judge_state(ImportRecord& record, const os::File& file, const Clock& clock) {
  const std::string bytes = HF_TRY(file.read_at(0, kMaxAgentState));
  record.digest = to_hex(os::sha256(bytes));
  const auto state = read_agent_state(bytes, record.source);
  if (!state) {
    record.verdict = ImportVerdict::kCorrupt;
    record.reason = state.error().cause;
    record.detail = state.error().detail;
    return {};
  }
  record.name = imported_name_of(*state, record.source);
  record.facts = import_agent_state_facts_of(*state);
  if (state->pid) return judge_named_process(record, file, bytes, clock);
  record.verdict = state->waits() ? ImportVerdict::kImportable : ImportVerdict::kUnknown;
  record.reason = state->waits() ? "waits" : "no-pid";
  return {};
}

Result<ImportRecord> import_agent_state_look_at(const std::string& path, const std::string& typed,
                                                const Clock& clock) {
  ImportRecord record{.name = std::string(last_component(path)), .source = path};
  const UserFile at = HF_TRY(locate_file(path));
  const auto file = at.dir.open_file(at.name, os::Access::kRead);
  if (!file && file.error().code == ErrorCode::kRefused) {
    record.verdict = ImportVerdict::kRefused;
    record.reason = file.error().cause;
    record.detail = file.error().detail;
    return record;
  }
  if (!file) return fail(file.error());
  if (*file) {
    HF_TRY(judge_state(record, **file, clock));
    return record;
  }
  return fail({.code = ErrorCode::kNotFound,
               .op = "import",
               .subject = typed,
               .cause = "enoent",
               .detail = "there is no such file"});
}

Result<int> run_import_agent_state(Context& context, const Args& args) {
  const os::RealClock clock;
  const std::string& typed = args.arguments().front();
  ImportReport report{.kind = "agent-state", .applied = args.flag("apply")};
  report.source = HF_TRY(absolute_path(typed));
  ImportHome home = HF_TRY(ImportHome::open(context, report.kind));
  report.records.push_back(HF_TRY(import_agent_state_look_at(report.source, typed, clock)));
  HF_TRY(settle(home, report.records.front(), report.applied));
  return answer_import(context, report);
}

constexpr std::array kImportAgentStateArguments{
    ArgumentSpec{.name = "FILE", .help = "the state, one JSON object; no link"}};

constexpr std::array kImportAgentStateExamples{
    Example{.line = "holdfast import agent-state ~/.agent-loop-state.json",
            .says = "Is the agent of the old loop over?"},
    Example{.line = "holdfast import agent-state ~/.agent-loop-state.json --apply",
            .says = "Put on record what it worked at, once it is"},
};

}  // namespace

constinit const CommandSpec kImportAgentStateCommand{
    .name = "import agent-state",
    .summary = "take over the state file of a loop of agents",
    .description =
        "Reads the JSON that a cron loop keeps about its agent: `pid`, `type`, `issue`, "
        "`started_at`, `session_name`. Where the agent is dead, or the state only waits "
        "(`pending-ci`), it is importable: with --apply the event `import.done` has all of it in "
        "`detail`, for the new loop's source to read. It becomes no session: nobody knows how that "
        "agent ended, and a record would have to claim it.\n\n"
        "Where the number is in use the answer is unknown: it may be the agent, or anybody who got "
        "its number. End the old agent by its own means first; then import.",
    .options = kImportOptions,
    .arguments = kImportAgentStateArguments,
    .examples = kImportAgentStateExamples,
    .exits = kImportExits,
    .json_fields = kImportFields,
    .run = run_import_agent_state,
};

}  // namespace holdfast::cli
