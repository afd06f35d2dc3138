// SPDX-License-Identifier: Apache-2.0
#include "loop/item/item_intent.h"

namespace holdfast::loop {

const std::optional<ItemAct>& intent_of(const ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}
std::optional<ItemAct>& intent_of(ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}

// What the loop holds, or may hold when it is killed, must not live on in copies of its
// descriptors.
Result<> ItemIntent::leave_driver() {
  held_.leave();
  if (services_.let_go) services_.let_go();
  return log_.open_lock_anew();
}

Error ItemIntent::driver_lost() const {
  return not_wanted("loop-lost", "the loop that wanted it is gone");
}

Result<> ItemIntent::admit(const Id128& run) {
  return log_.change(os::Durability::kNone, [&](const ItemLog& now) { return begun(now, run); });
}

Result<bool> ItemIntent::has_begun(const Id128& run) {
  HF_TRY(log_.catch_up());
  const ItemRecord* item = log_.find(item_);
  if (item == nullptr) return false;
  const std::optional<ItemAct>& intent = intent_of(*item, channel_);
  return intent && intent->run == run && intent->begun;
}

Result<std::vector<LoopLine>> ItemIntent::begun(const ItemLog& now, const Id128& run) const {
  const ItemRecord* item = now.find(item_);
  const bool wanted =
      item != nullptr && intent_of(*item, channel_) && intent_of(*item, channel_)->run == run;
  if (!wanted) return fail(not_wanted("intent-gone", "nobody intends it any more"));
  ItemRecord changed = *item;
  intent_of(changed, channel_)->begun = true;
  return std::vector<LoopLine>{std::move(changed)};
}

Error ItemIntent::not_wanted(std::string_view cause, std::string_view why) const {
  return {.code = ErrorCode::kRefused,
          .op = "start an act of",
          .subject = "item '" + item_ + "'",
          .cause = std::string(cause),
          .detail = std::string(why) + "; nothing was started"};
}

}  // namespace holdfast::loop
