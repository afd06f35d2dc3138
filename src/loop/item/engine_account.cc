// SPDX-License-Identifier: Apache-2.0
#include "format/session/outcome.h"
#include "loop/item/engine.h"
#include "loop/notice/notice.h"
#include "os/spawn/child.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::loop {
namespace {

Sending sending_of(const ActEnd& end) {
  if (end.how == ActEnd::How::kLost || end.how == ActEnd::How::kEndedByForce) return Sending::kLost;
  return end.how == ActEnd::How::kExited && end.code == 0 ? Sending::kSent : Sending::kFailed;
}

}  // namespace

Result<bool> Engine::account_for_all() {
  std::erase_if(children_, [](os::Pid child) {
    const auto reaped = os::reap_if_ended(child);
    return !reaped || *reaped;
  });
  std::vector<std::pair<std::string, Channel>> open;
  for (const auto& [id, item] : log_.items()) {
    if (item.act) open.emplace_back(id, Channel::kItem);
    if (item.notice.act) open.emplace_back(id, Channel::kNotice);
  }
  bool moved = false;
  for (const auto& [id, channel] : open) moved = HF_TRY(account_for(id, channel)) || moved;
  return moved;
}

Result<bool> Engine::account_for(const std::string& id, Channel channel) {
  const ItemRecord* item = log_.find(id);
  if (item == nullptr || !intent_of(*item, channel)) return false;
  const ItemAct act = *intent_of(*item, channel);
  ItemIntent store = intent(id, channel);
  const auto found =
      find_out(services_, {.run = act.run, .session = act.session, .begun = act.begun}, store);
  if (found) return account_finding(id, channel, *found, act);
  // What cannot be read is neither over nor under way.
  must_poll_ = true;
  HF_TRY(note_unreadable(id, channel, to_sentence(found.error())));
  return false;
}

Result<bool> Engine::account_finding(const std::string& id, Channel channel,
                                     const IntentFinding& found, const ItemAct& act) {
  switch (found.fate) {
    case IntentFate::kNone:
    case IntentFate::kNever:
      HF_TRY(account_unstarted(id, channel));
      return true;
    case IntentFate::kGone: {
      leave(act);
      ActEnd lost;
      lost.detail = "was begun, and its record is gone";
      HF_TRY(account_over(id, channel, lost));
      return true;
    }
    case IntentFate::kOver:
      leave(act);
      if (was_tried(*found.view)) {
        HF_TRY(account_over(id, channel, end_of(*found.view)));
      } else {
        HF_TRY(account_untried(id, channel, found.view->record));
      }
      return true;
    case IntentFate::kLive:
      follow(act, *found.view);
      return false;
    case IntentFate::kOrphanLives:
    case IntentFate::kOrphanUnproven:
      return deal_with_orphan(id, channel, act);
    case IntentFate::kUnknown:
      must_poll_ = true;
      HF_TRY(note_unreadable(id, channel,
                             "whether '" + act.session + "' is over cannot be told from here (" +
                                 found.view->evidence + ")"));
      return false;
    case IntentFate::kNameTaken:
      must_poll_ = true;
      return false;
  }
  __builtin_unreachable();
}

// The item stays where it is, and holds its place; a person is told, once.
Result<> Engine::note_unreadable(const std::string& id, Channel channel, const std::string& why) {
  if (!warned_.insert(id + why).second) return {};
  listener_.warn("item " + id + ": " + why);
  if (channel == Channel::kNotice) return {};
  const TimeMark mark = HF_TRY(now());
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* item = log.find(id);
    if (item == nullptr || item->detail == why) return std::vector<LoopLine>{};
    ItemRecord changed = *item;
    changed.reason = "cannot-tell";
    changed.detail = why;
    if (file_.notify) want_notice(changed.notice, "unreadable", file_.cooldown, mark);
    return std::vector<LoopLine>{std::move(changed)};
  };
  return log_.change(os::Durability::kNone, change);
}

void Engine::follow(const ItemAct& act, const session::SessionView& view) {
  Under& under = under_[act.run];
  if (under.supervisor.valid()) return;
  proc::LifeVerdict verdict = proc::judge(proc::from_record(view.record.supervisor));
  if (verdict.pidfd.valid()) {
    under.supervisor = std::move(verdict.pidfd);
  } else {
    must_poll_ = true;
  }
}

void Engine::leave(const ItemAct& act) {
  const auto found = under_.find(act.run);
  if (found == under_.end()) return;
  // Its last record is written; what it still does (a profile's on_end) is not waited for.
  if (found->second.child) children_.push_back(*found->second.child);
  under_.erase(found);
}

Result<> Engine::account_unstarted(const std::string& id, Channel channel) {
  const TimeMark mark = HF_TRY(now());
  return log_.change(os::Durability::kFull,
                     [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
                       const ItemRecord* item = log.find(id);
                       if (item == nullptr) return std::vector<LoopLine>{};
                       ItemRecord changed = *item;
                       if (channel == Channel::kNotice) {
                         dir_.drop_text(id);
                         changed.notice.act.reset();
                         return std::vector<LoopLine>{std::move(changed)};
                       }
                       const bool was_run = item->act && item->act->kind == ItemAct::Kind::kRun;
                       std::vector<LoopLine> lines{account_not_started(std::move(changed), mark)};
                       LoopDay day = today();
                       if (was_run && day.begun != 0) {
                         --day.begun;
                         lines.emplace_back(std::move(day));
                       }
                       return lines;
                     });
}

// The session says why its command was never let go: a full disk, no process to be had, a stop.
Result<> Engine::account_untried(const std::string& id, Channel channel,
                                 const SessionRecord& record) {
  const std::string why =
      record.detail.empty() ? "the run never came to its command" : record.detail;
  listener_.say("item " + id + ": is tried again later: " + why);
  HF_TRY(account_unstarted(id, channel));
  return put_off(id, channel, record.reason == reason_not_started(ErrorCode::kBusy), why);
}

Result<> Engine::account_over(const std::string& id, Channel channel, const ActEnd& end) {
  const TimeMark mark = HF_TRY(now());
  ItemRecord before;
  Accounted after;
  bool told_now = false;
  bool held_back = false;
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* item = log.find(id);
    if (item == nullptr || !intent_of(*item, channel)) return std::vector<LoopLine>{};
    before = *item;
    if (channel == Channel::kNotice) {
      after.item = *item;
      dir_.drop_text(id);  // it quotes what the run printed; another try has a new one
      note_sending(after.item.notice, sending_of(end), mark);
      told_now = sending_of(end) == Sending::kSent;
      return std::vector<LoopLine>{after.item};
    }
    const bool was_run = item->act->kind == ItemAct::Kind::kRun;
    after = account(*item, file_, end, mark);
    if (after.about && file_.notify) {
      const Duration cooldown = after.given_up ? Duration::zero() : file_.cooldown;
      held_back = want_notice(after.item.notice, *after.about, cooldown, mark) == Told::kHeldBack;
    }
    std::vector<LoopLine> lines{after.item};
    if (was_run || after.attempt_failed) {
      LoopDay day = today();
      if (was_run) day.time += end.took;
      if (after.attempt_failed) ++day.failures;
      lines.emplace_back(std::move(day));
    }
    return lines;
  };
  HF_TRY(log_.change(os::Durability::kFull, change));
  if (told_now) tell("loop.notified", after.item);
  if (held_back) tell("loop.suppressed", after.item);
  if (channel == Channel::kItem) tell_of_change(before, after);
  return {};
}

void Engine::tell_of_change(const ItemRecord& before, const Accounted& after) {
  const ItemRecord& item = after.item;
  if (before.act && before.act->kind == ItemAct::Kind::kRun) ++report_.ended;
  if (after.verified) tell("loop.verified", item);
  if (item.state == before.state && item.reason == before.reason) return;
  if (item.state == ItemState::kGaveUp) tell("loop.gave_up", item);
  if (item.state == ItemState::kDone) tell("loop.done", item);
  if (item.state == ItemState::kUnknown) tell("loop.unknown", item);
  if (after.attempt_failed) tell("loop.failed", item);
  const std::string line =
      "item " + item.id + ": " + std::string(to_text(item.state)) + ": " + item.detail;
  if (after.about) {
    listener_.warn(line);
  } else {
    listener_.say(line);
  }
}

}  // namespace holdfast::loop
