// SPDX-License-Identifier: Apache-2.0
#include "cli/loop/loop_answer.h"

#include "base/cause.h"
#include "format/json/json.h"
#include "format/loop/loop_source.h"
#include "format/text/rfc3339.h"
#include "loop/item/source.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

constexpr int kOfSignal = 128;

Error paused_error(const LoopFile& file, const std::string& why) {
  return {.code = ErrorCode::kBusy,
          .op = "begin items of",
          .subject = "the loop '" + file.name + "'",
          .cause = "paused",
          .detail = (why.empty() ? "it is paused" : "it is paused: " + why) +
                    "; what was under way was accounted for; `holdfast loop resume " + file.path +
                    "` lets it go on"};
}

Json loop_answer_fields_of(const LoopState& state, const std::vector<ItemView>& views) {
  return {{"name", bytes_to_json(state.file.name)},
          {"begun", 0},
          {"ended", 0},
          {"listed", nullptr},
          {"budget", nullptr},
          {"paused", false},
          {"counts", item_counts(views)}};
}

// What a plan says of one item.
struct Planned {
  std::string id;
  bool begins = false;
  std::string why;
};

Planned plan_item(const std::string& id, const ItemRecord* item, const TimeMark& now) {
  if (item == nullptr) return {.id = id, .begins = true, .why = "new"};
  if (item->state != ItemState::kWaiting)
    return {.id = id, .why = std::string(to_text(item->state))};
  if (item->next && left_of(*item->next, now) > Duration::zero()) {
    return {.id = id, .why = "waits until " + format_rfc3339(wall_of(*item->next, now))};
  }
  return {.id = id, .begins = true, .why = "due: " + item->reason};
}

}  // namespace

Result<std::vector<std::string>> last_listed(const LoopState& state) {
  const auto bytes = HF_TRY(state.dir->kept_source());
  std::vector<std::string> ids;
  if (!bytes) return ids;
  const auto parsed = parse_source(*bytes, state.file);
  if (!parsed) return fail(parsed.error());
  for (const SourceItem& item : parsed->items) ids.push_back(item.id);
  return ids;
}

Result<int> answer_loop(Context& context, const LoopState& state, Result<loop::LoopReport> report) {
  const auto listed =
      report ? report->ids : last_listed(state).value_or(std::vector<std::string>{});
  const auto views = views_of(*state.log, listed);
  Json fields = loop_answer_fields_of(state, views);
  if (!report) {
    context.emit(fields);
    return fail(report.error());
  }
  fields["begun"] = report->begun;
  fields["ended"] = report->ended;
  fields["listed"] = report->listed;
  if (!report->budget.empty()) fields["budget"] = report->budget;
  fields["paused"] = report->paused.has_value();
  context.emit(fields);
  context.print(item_summary(views) + "\n");
  if (!report->budget.empty()) {
    context.note("the day's budget of " + report->budget +
                 " is used up; nothing more is begun until tomorrow (UTC)");
  }
  if (report->signal) {
    context.note("asked to end; what is under way goes on, and the next loop accounts for it");
    return kOfSignal + *report->signal;
  }
  if (report->paused) return fail(paused_error(state.file, *report->paused));
  return to_int(ExitCode::kDone);
}

Result<int> show_loop_plan(Context& context, const Clock& clock, const std::string& path,
                           file::TrustDir trust) {
  const TimeMark now = HF_TRY(loop::moment_now(clock));
  auto state = find_loop(context, path, trust);
  if (!state && state.error().cause != cause::kNoSuchLoop) return fail(state.error());
  const LoopFile file = state ? state->file : HF_TRY(read_loop_file(path, trust));
  const auto answer = loop::ask_source(clock, file);
  if (!answer) return fail(answer.error());
  std::string held;  // why nothing is begun at all
  if (state) {
    const auto paused = state->dir->paused();
    const auto used = loop::used_up(file.budget, loop::day_of(state->log->day(), clock.wall()));
    if (used) held = "the day's budget of " + *used + " is used up";
    if (!paused || *paused) held = "the loop is paused";
  }
  Json items = Json::array();
  std::string text;
  std::uint64_t begins = 0;
  std::uint64_t running = 0;
  if (state) {
    for (const auto& [id, item] : state->log->items()) {
      running += item.state == ItemState::kRunning ? 1U : 0U;
    }
  }
  for (const SourceItem& item : answer->parsed.items) {
    Planned planned = plan_item(item.id, state ? state->log->find(item.id) : nullptr, now);
    if (planned.begins && !held.empty()) {
      planned.begins = false;
      planned.why += "; " + held;
    }
    if (planned.begins && running + begins >= file.concurrency) {
      planned.begins = false;
      planned.why += "; waits for a place (concurrency " + std::to_string(file.concurrency) + ")";
    }
    begins += planned.begins ? 1U : 0U;
    items.push_back(
        {{"id", bytes_to_json(planned.id)}, {"begins", planned.begins}, {"why", planned.why}});
    text += (planned.begins ? "begins  " : "stays   ") + planned.id + "  (" + planned.why + ")\n";
  }
  context.emit({{"name", bytes_to_json(file.name)},
                {"listed", answer->parsed.listed},
                {"items", std::move(items)}});
  context.print(text);
  if (answer->parsed.items.empty()) context.note("the source lists nothing to do");
  return to_int(ExitCode::kDone);
}

}  // namespace holdfast::cli
