// SPDX-License-Identifier: Apache-2.0
#include "loop/item/manual_override.h"

#include <functional>

#include "loop/item/account.h"
#include "loop/item/item_table.h"

namespace holdfast::loop {
namespace {

Error about(ErrorCode code, const std::string& id, std::string_view cause, std::string detail) {
  return {.code = code,
          .op = "change",
          .subject = "item '" + id + "'",
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was changed"};
}

using Edit = std::function<Result<>(ItemRecord&)>;

Result<ItemRecord> change_item(ItemLog& log, const std::string& id, UnderWay under_way,
                               const Edit& edit) {
  ItemRecord changed;
  HF_TRY(
      log.change(os::Durability::kFull, [&](const ItemLog& now) -> Result<std::vector<LoopLine>> {
        const ItemRecord* item = now.find(id);
        if (item == nullptr) {
          return fail(
              about(ErrorCode::kNotFound, id, "no-such-item", "this loop has never taken it up"));
        }
        if (item->act && under_way == UnderWay::kLeaveAlone) {
          return fail(about(ErrorCode::kBusy, id, "item-under-way",
                            "'" + item->act->session + "' is under way for it"));
        }
        changed = *item;
        changed.act.reset();
        const auto edited = edit(changed);
        if (!edited) return fail(edited.error());
        return std::vector<LoopLine>{changed};
      }));
  return changed;
}

Result<> move_on(ItemRecord& item, ItemEvent event, const TimeMark& now) {
  // By force: what was under way is given up first, as what nobody can tell.
  if (!next(item.state, event) && next(item.state, ItemEvent::kCannotKnow)) {
    enter(item, ItemEvent::kCannotKnow, now);
  }
  if (!next(item.state, event)) {
    return fail(about(ErrorCode::kRefused, item.id, "not-from-here",
                      "it is " + std::string(to_text(item.state))));
  }
  enter(item, event, now);
  return {};
}

}  // namespace

Result<ItemRecord> retry_item(ItemLog& log, const std::string& id, bool from_start,
                              UnderWay under_way, const TimeMark& now) {
  return change_item(log, id, under_way, [&](ItemRecord& item) -> Result<> {
    const bool rest_only =
        item.verified && !from_start && next(item.state, ItemEvent::kActRetried).has_value();
    HF_TRY(move_on(item, rest_only ? ItemEvent::kActRetried : ItemEvent::kRetried, now));
    item.attempts = 0;
    item.act_attempts = 0;
    item.asked = 0;
    item.next.reset();
    if (!rest_only) item.verified = false;
    item.reason = "retried";
    item.detail = "somebody said that it is to be tried again";
    return {};
  });
}

Result<ItemRecord> settle_item(ItemLog& log, const std::string& id, const std::string& reason,
                               UnderWay under_way, const TimeMark& now) {
  return change_item(log, id, under_way, [&](ItemRecord& item) -> Result<> {
    HF_TRY(move_on(item, ItemEvent::kSettled, now));
    item.next.reset();
    item.reason = "settled";
    item.detail = reason.empty() ? "somebody said that it is done" : reason;
    return {};
  });
}

}  // namespace holdfast::loop
