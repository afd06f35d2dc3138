// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "loop/item/engine.h"
#include "loop/notice/notice.h"
#include "os/machine/random.h"

namespace holdfast::loop {
namespace {

// Verifications, follow-ups and notices at a time.
constexpr std::size_t kMostActs = 16;

std::optional<ItemAct::Kind> follow_up_of(ItemState state) {
  switch (state) {
    case ItemState::kVerifying:
    case ItemState::kSuccessUnsure:
    case ItemState::kFailureUnsure:
      return ItemAct::Kind::kVerify;
    case ItemState::kSucceeding:
      return ItemAct::Kind::kSuccess;
    case ItemState::kFailing:
      return ItemAct::Kind::kFailure;
    default:
      return std::nullopt;
  }
}

bool is_due(const std::optional<DueTime>& next, const TimeMark& now) {
  return !next || left_of(*next, now) == Duration::zero();
}

}  // namespace

LoopDay Engine::today() const { return day_of(log_.day(), services_.clock.wall()); }

Result<bool> Engine::start_due_acts() {
  const TimeMark mark = HF_TRY(now());
  std::vector<std::string> acts;
  std::vector<std::string> notices;
  std::size_t under_way = 0;
  for (const auto& [id, item] : log_.items()) {
    if (item.act && item.act->kind != ItemAct::Kind::kRun) ++under_way;
    if (item.notice.act) ++under_way;
    if (!item.act && follow_up_of(item.state) && is_due(item.next, mark)) acts.push_back(id);
    const ItemNotice& notice = item.notice;
    if (!notice.act && !notice.wanted.empty() && file_.notify && is_due(notice.next, mark)) {
      notices.push_back(id);
    }
  }
  bool moved = false;
  for (const std::string& id : acts) {
    if (under_way++ >= kMostActs || report_.signal) return moved;
    moved = HF_TRY(start_follow_up(id)) || moved;
  }
  for (const std::string& id : notices) {
    if (under_way++ >= kMostActs || report_.signal) return moved;
    moved = HF_TRY(start_notice(id)) || moved;
  }
  return moved;
}

// The file has no command any more for what the item waits for. Without on_success nothing follows;
// without `verify` the run's word must do, or a person's.
Result<bool> Engine::settle_without_command(const std::string& id) {
  const TimeMark mark = HF_TRY(now());
  bool moved = false;
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* item = log.find(id);
    if (item == nullptr || item->act) return std::vector<LoopLine>{};
    ItemRecord changed = *item;
    const bool believed = item->state == ItemState::kVerifying && item->exit_code == 0;
    if (item->state == ItemState::kSucceeding || item->state == ItemState::kFailing) {
      enter(changed, ItemEvent::kActDone, mark);
    } else if (believed) {
      enter(changed, ItemEvent::kVerified, mark);
      if (!file_.on_success) enter(changed, ItemEvent::kActDone, mark);
    } else {
      changed.reason = "no-verify";
      changed.detail = "there is nobody to ask any more; say `holdfast loop retry` or `loop done`";
    }
    moved = changed.state != item->state;
    if (changed == *item) return std::vector<LoopLine>{};
    return std::vector<LoopLine>{std::move(changed)};
  };
  HF_TRY(log_.change(os::Durability::kFull, change));
  return moved;
}

Result<bool> Engine::start_follow_up(const std::string& id) {
  const ItemRecord* known = log_.find(id);
  if (known != nullptr && follow_up_of(known->state) &&
      !has_command(file_, *known, {.kind = *follow_up_of(known->state)})) {
    return settle_without_command(id);
  }
  const Id128 run = HF_TRY(os::random_id());
  bool intended = false;
  ItemPurpose purpose;
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* item = log.find(id);
    if (item == nullptr || item->act || !follow_up_of(item->state)) return std::vector<LoopLine>{};
    purpose.kind = *follow_up_of(item->state);
    ItemRecord changed = *item;
    changed.act = ItemAct{.kind = purpose.kind,
                          .run = run,
                          .session = follow_up_session(*item),
                          .since = services_.clock.wall()};
    intended = true;
    return std::vector<LoopLine>{std::move(changed)};
  };
  HF_TRY(log_.change(os::Durability::kFull, change));
  if (intended) HF_TRY(start(id, purpose));
  return intended;
}

Result<bool> Engine::start_due_runs(const LoopRequest& request) {
  const TimeMark mark = HF_TRY(now());
  report_.budget.clear();
  std::uint64_t running = 0;
  for (const auto& [id, item] : log_.items()) {
    if (item.state == ItemState::kRunning) ++running;
  }
  const bool one_pass = request.once || request.no_wait;
  bool moved = false;
  for (const SourceItem& item : source_->parsed.items) {
    if (running >= file_.concurrency || report_.signal) return moved;
    const ItemRecord* known = log_.find(item.id);
    if (known != nullptr && known->state != ItemState::kWaiting) continue;
    if (known != nullptr && !is_due(known->next, mark)) continue;
    if (one_pass && tried_.contains(item.id)) continue;
    if (const auto which = used_up(file_.budget, today())) {
      report_.budget = *which;
      return moved;
    }
    if (one_pass) tried_.insert(item.id);
    if (!HF_TRY(claim(item))) continue;
    ++running;
    moved = true;
  }
  return moved;
}

// The intent is durable before anything is started. An item for which there can be no command (a
// field is missing, a name is none) is left alone, and that is said.
Result<bool> Engine::claim(const SourceItem& item) {
  const auto session = session_of(file_, item.id, item.json);
  if (!session) {
    if (warned_.insert(item.id + session.error().cause).second) {
      listener_.warn("item " + item.id + ": " + to_sentence(session.error()));
    }
    return false;
  }
  const TimeMark mark = HF_TRY(now());
  const Id128 run = HF_TRY(os::random_id());
  HF_TRY(dir_.keep_item(item.id, item.json));
  ItemRecord claimed;
  bool intended = false;
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* known = log.find(item.id);
    if (known != nullptr && known->state != ItemState::kWaiting) return std::vector<LoopLine>{};
    if (known != nullptr) claimed = *known;
    if (known == nullptr) claimed.first_seen = mark.wall;
    claimed.id = item.id;
    claimed.session = *session;
    claimed.next.reset();
    claimed.absent.reset();
    claimed.verified = false;
    ++claimed.attempts;
    claimed.act = ItemAct{.run = run, .session = *session, .since = mark.wall};
    claimed.reason = "claimed";
    claimed.detail =
        "attempt " + std::to_string(claimed.attempts) + " of " + std::to_string(file_.attempts);
    enter(claimed, ItemEvent::kClaimed, mark);
    LoopDay day = today();
    ++day.begun;
    intended = true;
    return std::vector<LoopLine>{claimed, std::move(day)};
  };
  HF_TRY(log_.change(os::Durability::kFull, change));
  if (!intended) return false;
  if (claimed.attempts == 1 && claimed.asked == 0) tell("loop.claimed", claimed);
  tell("loop.attempt", claimed);
  ++report_.begun;
  listener_.say("item " + item.id + ": " + claimed.detail + " begins as session '" + *session +
                "'");
  HF_TRY(start(item.id, {.kind = ItemAct::Kind::kRun}));
  return true;
}

// A start that fails leaves the intent; what became of it is looked up like that of any other.
Result<> Engine::start(const std::string& id, ItemPurpose purpose) {
  const ItemRecord item = *log_.find(id);
  const auto failed = [&](const Error& error) {
    listener_.warn("item " + id + ": " + to_sentence(error));
  };
  const auto json = HF_TRY(dir_.kept_item(id));
  const std::string path = purpose.notice ? HF_TRY(dir_.text_path(id)) : HF_TRY(dir_.item_path(id));
  const CommandInput input{.json = json.value_or("{}"), .stdin_path = path};
  const auto order = item_run_order(file_, item, purpose, input, profile_);
  const Channel channel = purpose.notice ? Channel::kNotice : Channel::kItem;
  if (!order) {
    // As if the command could not be started: it will not be any better by itself.
    failed(order.error());
    ActEnd end;
    end.how = ActEnd::How::kNeverStarted;
    end.detail = "could not be started: " + to_sentence(order.error());
    return account_over(id, channel, end);
  }
  ItemIntent store = intent(id, channel);
  const auto started = start_intended(services_, *lock_, store, *order);
  if (started && started->asked_to_end) report_.signal = started->asked_to_end;
  if (started && !started->report) {
    under_[order->run].child = started->supervisor;
    return {};
  }
  const auto fault = started ? started->report->fault : std::optional(started.error());
  if (!fault) return {};
  if (!report_.signal) failed(*fault);
  // Proven, by the supervisor's own word or because there was none. Without this an error proves
  // nothing: find_out has to tell.
  const bool never = !started || (!started->report->started && started->report->empty);
  return never ? start_failed(id, channel, *intent_of(item, channel), *fault) : Result<>();
}

// What is proven not to have come to its command is tried later, and costs no attempt. A command
// that could not be started because of itself is accounted for as any other.
Result<> Engine::start_failed(const std::string& id, Channel channel, const ItemAct& act,
                              const Error& error) {
  const auto trace = session::trace_of(services_.sessions, act.session, act.run);
  if (!trace) return {};                                      // the next round tells of it
  if (trace->kind != session::Trace::Kind::kNone) return {};  // the record tells, in the next round
  HF_TRY(account_unstarted(id, channel));
  return put_off(id, channel, error.code == ErrorCode::kBusy, to_sentence(error));
}

Result<> Engine::put_off(const std::string& id, Channel channel, bool busy,
                         const std::string& why) {
  const TimeMark mark = HF_TRY(now());
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* item = log.find(id);
    if (item == nullptr) return std::vector<LoopLine>{};
    ItemRecord changed = *item;
    const DueTime next{.from = mark, .wait = file_.every};
    if (channel == Channel::kNotice) {
      changed.notice.next = next;
      return std::vector<LoopLine>{std::move(changed)};
    }
    changed.next = next;
    changed.reason = busy ? "busy" : "cannot-start";
    changed.detail = why;
    if (!busy && file_.notify) {
      want_notice(changed.notice, changed.reason, file_.cooldown, mark);
    }
    return std::vector<LoopLine>{std::move(changed)};
  };
  return log_.change(os::Durability::kNone, change);
}

}  // namespace holdfast::loop
