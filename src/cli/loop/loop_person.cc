// SPDX-License-Identifier: Apache-2.0
#include "cli/loop/loop_person.h"

#include "cli/lock/lock_options.h"
#include "cli/loop/loop_answer.h"
#include "format/json/json.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

// Force is for what cannot be read or judged, and not for what is seen to run.
bool is_live(const session::SessionStore& sessions, const ItemRecord* item) {
  if (item == nullptr || !item->act) return false;
  const auto trace = session::trace_of(sessions, item->act->session, item->act->run);
  return trace && trace->kind == session::Trace::Kind::kUnder;
}

}  // namespace

Result<int> change_items(Context& context, const Args& args, std::string_view event,
                         const std::string& reason, const ChangeItem& change) {
  const Clock& clock = context.runtime().clock();
  const LoopState state = HF_TRY(find_loop(context, args.arguments().front(), trust_of(args)));
  const TimeMark now = HF_TRY(time_mark(clock));
  Json changed = Json::array();
  std::optional<Error> trouble;
  for (std::size_t i = 1; i < args.arguments().size(); ++i) {
    const std::string& id = args.arguments()[i];
    auto under_way = loop::UnderWay::kLeaveAlone;
    if (args.flag("force") &&
        !is_live(*HF_TRY(context.runtime().sessions()), state.log->find(id))) {
      under_way = loop::UnderWay::kForce;
    }
    const auto item = change(*state.log, id, under_way, now);
    if (!item) {
      if (trouble) context.warn(to_sentence(item.error()));
      if (!trouble) trouble = item.error();
      continue;
    }
    EventData data;
    data.text("loop", state.file.name).text("item", id);
    data.text("state", std::string(to_text(item->state)));
    if (!reason.empty()) data.text("reason", reason);
    const auto told = context.runtime().events().record({.type = event, .data = std::move(data)});
    if (!told) context.warn("this is not on record: " + to_sentence(told.error()));
    changed.push_back({{"id", bytes_to_json(id)}, {"state", to_text(item->state)}});
    context.print(id + " " + std::string(to_text(item->state)) + "\n");
  }
  flush_events(context);
  context.emit({{"name", bytes_to_json(state.file.name)}, {"items", std::move(changed)}});
  if (trouble) return fail(*trouble);
  return to_int(ExitCode::kDone);
}

}  // namespace holdfast::cli
