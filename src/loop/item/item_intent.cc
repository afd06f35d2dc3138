// SPDX-License-Identifier: Apache-2.0
#include "loop/item/item_intent.h"

#include "format/json/json.h"
#include "loop/intent/intent_note.h"

namespace holdfast::loop {
namespace {

// The intent keeps a reference to the log, and the log one to its directory.
struct OpenedIntent {
  explicit OpenedIntent(os::Dir loop) : dir(std::move(loop)) {}
  os::Dir dir;
  std::optional<ItemLog> log{};
  std::optional<ItemIntent> intent{};
};

Result<std::shared_ptr<IntentStore>> item_intent_of(std::string_view note) {
  const Json json = parse_json(note);
  if (!json.is_object()) return bad_intent_note();
  const auto directory = bytes_from_json(json["directory"]);
  auto item = bytes_from_json(json["item"]);
  const auto notice = json["notice"].flag();
  if (!directory || !item || !notice) return bad_intent_note();
  auto opened = std::make_shared<OpenedIntent>(HF_TRY(os::Dir::open(*directory)));
  opened->log.emplace(HF_TRY(ItemLog::open(opened->dir)));
  opened->intent.emplace(*opened->log, *std::move(item),
                         *notice ? Channel::kNotice : Channel::kItem);
  return std::shared_ptr<IntentStore>(opened, &*opened->intent);
}

}  // namespace

const std::optional<ItemAct>& intent_of(const ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}
std::optional<ItemAct>& intent_of(ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}

// What the loop holds, or may hold when it is killed, must not live on in copies of its
// descriptors.
Result<> ItemIntent::leave_driver() {
  if (held_ != nullptr) held_->leave();
  if (services_ != nullptr && services_->let_go) services_->let_go();
  return log_.open_lock_anew();
}

Error ItemIntent::driver_lost() const {
  return not_wanted("loop-lost", "the loop that wanted it is gone");
}

Result<> ItemIntent::admit(const Id128& run) {
  return log_.change(os::Durability::kNone,
                     [&](const ItemLog& now) { return note_begun(now, run, true); });
}

void ItemIntent::withdraw(const Id128& run) {
  const auto written = log_.change(os::Durability::kNone,
                                   [&](const ItemLog& now) { return note_begun(now, run, false); });
  static_cast<void>(written);
}

Result<bool> ItemIntent::has_begun(const Id128& run) {
  HF_TRY(log_.catch_up());
  const ItemRecord* item = log_.find(item_);
  if (item == nullptr) return false;
  const std::optional<ItemAct>& intent = intent_of(*item, channel_);
  return intent && intent->run == run && intent->begun;
}

std::string ItemIntent::note() const {
  const Json json{{"directory", bytes_to_json(log_.dir().path())},
                  {"item", bytes_to_json(item_)},
                  {"notice", channel_ == Channel::kNotice}};
  return json.dump();
}

Result<std::vector<LoopLine>> ItemIntent::note_begun(const ItemLog& now, const Id128& run,
                                                     bool begun) const {
  const ItemRecord* item = now.find(item_);
  const bool wanted =
      item != nullptr && intent_of(*item, channel_) && intent_of(*item, channel_)->run == run;
  if (!wanted) return fail(not_wanted("intent-gone", "nobody intends it any more"));
  ItemRecord changed = *item;
  intent_of(changed, channel_)->begun = begun;
  return std::vector<LoopLine>{std::move(changed)};
}

Error ItemIntent::not_wanted(std::string_view cause, std::string_view why) const {
  return {.code = ErrorCode::kRefused,
          .op = "start an act of",
          .subject = "item '" + item_ + "'",
          .cause = std::string(cause),
          .detail = std::string(why) + "; nothing was started"};
}

Result<std::unique_ptr<run::RunGuard>> item_guard_of(std::string_view note, const Clock& clock,
                                                     lock::LocalBackend& locks) {
  return intent_guard_of(note, clock, locks, item_intent_of);
}

}  // namespace holdfast::loop
