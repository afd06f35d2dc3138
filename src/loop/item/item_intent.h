// SPDX-License-Identifier: Apache-2.0
//
// ItemIntent: the intents of an item (loop/intent/intent.h), in the log of the loop.
//
// The driver is the loop, with the lock `loop:NAME`; it writes the intent, and counts the outcome.
// admit() writes `begun` without a sync: the intent is on the disk, and so is the session's record
// before the command is let go.
//
// Its note names the loop's directory, the item and which of its intents it is: on Windows the
// supervisor opens the log again by it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "format/loop/loop_item.h"
#include "loop/intent/intent.h"
#include "loop/item/item_log.h"

namespace holdfast::loop {

// An item has two: its own, and that of its notice.
enum class Channel : std::uint8_t { kItem, kNotice };

const std::optional<ItemAct>& intent_of(const ItemRecord& item, Channel channel);
std::optional<ItemAct>& intent_of(ItemRecord& item, Channel channel);

class ItemIntent final : public IntentStore {
 public:
  // `held` is the lock of the loop.
  ItemIntent(const LoopServices& services, ItemLog& log, lock::Lock& held, std::string item,
             Channel channel)
      : services_(&services), held_(&held), log_(log), item_(std::move(item)), channel_(channel) {}
  // In a process that is no copy of the loop's.
  ItemIntent(ItemLog& log, std::string item, Channel channel)
      : log_(log), item_(std::move(item)), channel_(channel) {}

  Result<> leave_driver() override;
  [[nodiscard]] Error driver_lost() const override;
  // kRefused `intent-gone`.
  Result<> admit(const Id128& run) override;
  void withdraw(const Id128& run) override;
  Result<bool> has_begun(const Id128& run) override;
  [[nodiscard]] std::string note() const override;

 private:
  Result<std::vector<LoopLine>> note_begun(const ItemLog& now, const Id128& run, bool begun) const;
  [[nodiscard]] Error not_wanted(std::string_view cause, std::string_view why) const;

  const LoopServices* services_ = nullptr;
  lock::Lock* held_ = nullptr;
  ItemLog& log_;
  std::string item_;
  Channel channel_;
};

// The guard of an item's run again, of its note (run/session/guard.h). `clock` and `locks` outlive
// it. Errors: kCannotTell `bad-intent-note`; those of opening the log.
Result<std::unique_ptr<run::RunGuard>> item_guard_of(std::string_view note, const Clock& clock,
                                                     lock::LocalBackend& locks);

}  // namespace holdfast::loop
