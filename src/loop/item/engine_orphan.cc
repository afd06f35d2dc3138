// SPDX-License-Identifier: Apache-2.0
//
// An act whose supervisor is dead. Without a control group, a job or a pid namespace around it
// nothing proves the end of its tree, and the item would hold its place for ever. So a loop file
// may say how long nobody of it must have been seen (`assume_gone_after`) before the loop does what
// a person does with `stop --assume-gone`: the decision is in the journal before the record
// changes.
//
// The hostile interleaving: nobody is seen, the time passes, and a process of the tree shows itself
// at the last moment. `stop` looks once more under the lock of the name and then refuses; and any
// sighting here begins the time anew.
#include "loop/item/engine.h"
#include "run/orphan/orphan_outside.h"
#include "run/orphan/stop.h"

namespace holdfast::loop {

// Its deadline is kept by nobody now. Where it cannot be adopted its place stays taken. True: it
// has a supervisor again, who can be waited for, or is over.
Result<bool> Engine::deal_with_orphan(const std::string& id, Channel channel, const ItemAct& act) {
  must_poll_ = true;
  leave(act);
  ItemIntent store = intent(id, channel);
  const auto adopted = adopt_intended(services_, store, act.session);
  if (adopted) {
    HF_TRY(note_unseen(id, channel, act, std::nullopt));
    listener_.say("item " + id + ": the supervisor of '" + act.session +
                  "' was gone; it has a new one");
    return true;
  }
  if (adopted.error().code == ErrorCode::kBusy || adopted.error().code == ErrorCode::kNotFound) {
    return false;
  }
  HF_TRY(note_unreadable(id, Channel::kItem, to_sentence(adopted.error())));
  if (!file_.assume_gone_after) return false;
  return assume_gone(id, channel, act);
}

Result<bool> Engine::assume_gone(const std::string& id, Channel channel, const ItemAct& act) {
  const auto dir = HF_TRY(services_.sessions.find(act.session));
  const auto record = dir ? HF_TRY(dir->read()) : std::nullopt;
  if (!record || record->run != act.run) return false;
  // The command is dead by proof, and a look at all processes found nobody with the run id.
  if (run::look_outside(*record) != run::Outside::kNobody) {
    HF_TRY(note_unseen(id, channel, act, std::nullopt));
    return false;
  }
  const TimeMark mark = HF_TRY(now());
  if (!act.unseen) {
    HF_TRY(note_unseen(id, channel, act, mark));
    return false;
  }
  if (passed_since(*act.unseen, mark) < *file_.assume_gone_after) return false;
  const std::string after = format_duration(*file_.assume_gone_after);
  run::StopOrder order;
  order.assume_gone = true;
  order.reason = "assume_gone_after " + after + " of the loop '" + file_.name + "'";
  const run::OrphanServices orphan{
      .clock = services_.clock, .events = services_.events, .locks = services_.locks};
  const auto reports = run::stop_sessions(orphan, services_.sessions, {act.session}, order);
  const run::StopReport& report = reports.front();
  if (report.error || (report.outcome != proc::KillOutcome::kKilled &&
                       report.outcome != proc::KillOutcome::kGone)) {
    HF_TRY(note_unseen(id, channel, act, std::nullopt));
    return false;
  }
  listener_.warn("item " + id + ": nobody of '" + act.session + "' was seen for " + after +
                 "; it is assumed to be gone");
  return true;
}

// Since when nobody was seen; nullopt: somebody was.
Result<> Engine::note_unseen(const std::string& id, Channel channel, const ItemAct& act,
                             const std::optional<TimeMark>& since) {
  if (act.unseen == since) return {};
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* item = log.find(id);
    if (item == nullptr) return std::vector<LoopLine>{};
    ItemRecord changed = *item;
    std::optional<ItemAct>& intent = intent_of(changed, channel);
    if (!intent || intent->run != act.run) return std::vector<LoopLine>{};
    intent->unseen = since;
    return std::vector<LoopLine>{std::move(changed)};
  };
  return log_.change(os::Durability::kNone, change);
}

}  // namespace holdfast::loop
