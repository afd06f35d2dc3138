// SPDX-License-Identifier: Apache-2.0
//
// ActGuard: what the supervisor of an act does before its first record (act.h): it looks whether the
// loop that wanted the act still has its lock, and writes `begun` into the item's intent.
//
// On Linux the supervisor is a fork of the loop. On Windows it is another start of the program, and
// makes the guard again of its note, which has all that the guard needs: where the loop's log is,
// which lock with which token, which intent of which item.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/loop/loop_item.h"
#include "lock/grant/local_lock.h"
#include "loop/item/item_log.h"
#include "run/session/guard.h"

namespace holdfast::loop {

// Which intent of an item an act fulfils: its own, or that of its notice.
enum class Channel : std::uint8_t { kItem, kNotice };

// The intent of `channel`; null where there is none.
const std::optional<ItemAct>& intent_of(const ItemRecord& item, Channel channel);
std::optional<ItemAct>& intent_of(ItemRecord& item, Channel channel);

struct ActClaim {
  std::string directory{};  // of the loop, in the home
  std::string label{};      // of the loop's lock
  Id128 token{};            // that the loop has it with
  std::string item{};
  Channel channel = Channel::kItem;
  Id128 run{};
  bool operator==(const ActClaim&) const = default;
};

// One line without its end.
std::string encode_act_claim(const ActClaim& claim);
// kCannotTell `bad-act-note`.
Result<ActClaim> decode_act_claim(std::string_view note);

// In the supervisor of the act.
class ActGuard final : public run::RunGuard {
 public:
  // `leave`: first of all in admit(), where the process is a copy of the loop's.
  ActGuard(const Clock& clock, lock::LocalBackend& locks, ItemLog& log, ActClaim claim,
           std::function<Result<>()> leave = {})
      : clock_(clock),
        locks_(locks),
        log_(log),
        claim_(std::move(claim)),
        leave_(std::move(leave)) {}

  // kRefused `loop-lost`, `intent-gone`.
  Result<> admit(const std::optional<SessionRecord>& last) override;
  void reserved(const SessionRecord& /*record*/) override {}
  void finished(const SessionRecord& /*record*/) override {}
  [[nodiscard]] std::string note() const override { return encode_act_claim(claim_); }

 private:
  Result<std::vector<LoopLine>> begun(const ItemLog& now);

  const Clock& clock_;
  lock::LocalBackend& locks_;
  ItemLog& log_;
  ActClaim claim_;
  std::function<Result<>()> leave_;
};

// The guard of a note, with the log that it opens. `clock` and `locks` outlive it.
Result<std::unique_ptr<run::RunGuard>> act_guard_of(std::string_view note, const Clock& clock,
                                                    lock::LocalBackend& locks);

}  // namespace holdfast::loop
