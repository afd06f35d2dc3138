// SPDX-License-Identifier: Apache-2.0
//
// What a loop knows of one item, and of a day, as lines of its log.
//
// A line is eight hexadecimal digits (crc32c of the rest without the newline), a space, and one
// JSON object with `v` and `kind`. The newest line of an id is the truth about it. What follows the
// last newline was being written when its writer died, and is not there. Anything else that is not
// such a line is kCorrupt `bad-loop-log` with its number; a newer version is kCannotTell.
//
// The first two lines are heads: how many bytes of the log, themselves included, are on stable
// storage. A head has the same length always, so that it can be written over in place; the two are
// written in turn, and the greater number counts. A log of version 0.1 has none, and version 0.1
// answers kCannotTell for a log that has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/json/due_time.h"

namespace holdfast {

// In this order everywhere they are listed. src/loop/item/item_table.h says what may follow what.
enum class ItemState : std::uint8_t {
  kWaiting,        // for its turn, or for the next attempt
  kRunning,        // a run is intended, or under way, or over and not yet accounted for
  kVerifying,      // its run is over; the world is asked whether the item is done
  kSucceeding,     // it is done in the world; on_success is to be run
  kSuccessUnsure,  // whether on_success took place is not known; the world is asked
  kFailing,        // it is given up; on_failure is to be run
  kFailureUnsure,  // whether on_failure took place is not known; the world is asked
  kUnknown,        // nobody can tell what an act did; a person has to
  kDone,
  kGaveUp,
};
inline constexpr std::size_t kItemStates = 10;
std::string_view to_text(ItemState state);  // "success_unsure"
std::optional<ItemState> parse_item_state(std::string_view text);

// A run that is intended: written down before it is started.
struct ItemAct {
  enum class Kind : std::uint8_t { kRun, kVerify, kSuccess, kFailure };
  Kind kind = Kind::kRun;
  Id128 run{};
  std::string session{};
  WallTime since{};
  // Its supervisor was let in, so that it may have taken place. Without that it never did.
  bool begun = false;
  // Its supervisor is dead, its end cannot be proven, and since then nobody of it was seen.
  std::optional<TimeMark> unseen{};

  bool operator==(const ItemAct&) const = default;
};
std::string_view to_text(ItemAct::Kind kind);  // "on_success"

// What people were told about an item. `about` is the kind of trouble, the same for the same.
struct ItemNotice {
  struct Told {
    std::string about{};
    TimeMark at{};

    bool operator==(const Told&) const = default;
  };
  std::vector<Told> told{};       // that were sent, or may have been; the newest last
  std::uint64_t held_back = 0;    // because the same was told, and not said yet
  std::uint64_t said = 0;         // of these, in what is being sent
  std::string wanted{};           // to be sent, or being sent; empty: nothing
  std::string later{};            // to be sent after that
  std::optional<ItemAct> act{};   // its sending
  std::uint64_t failures = 0;     // of sending `wanted`
  std::optional<DueTime> next{};  // when it is tried again
  bool unsure = false;            // whether the last one was sent is not known

  bool operator==(const ItemNotice&) const = default;
};

struct ItemRecord {
  static constexpr std::int64_t kVersion = 1;

  std::string id{};
  ItemState state = ItemState::kWaiting;
  std::uint64_t attempts = 0;      // used since it was new or retried
  std::uint64_t act_attempts = 0;  // of on_success or on_failure
  std::uint64_t asked = 0;         // verifications in a row that could not tell
  bool verified = false;
  std::optional<ItemAct> act{};    // what is under way
  std::optional<DueTime> next{};   // not before
  std::string session{};           // of its run
  std::string reason{};            // why it is where it is: a stable word
  std::string detail{};            // for people
  std::optional<int> exit_code{};  // of its last run
  WallTime first_seen{};
  WallTime changed{};
  std::optional<TimeMark> absent{};  // since when the source does not list it
  ItemNotice notice{};

  bool operator==(const ItemRecord&) const = default;
};

// What the budget of a day is counted in.
struct LoopDay {
  std::string day{};  // 2026-11-16, UTC
  std::uint64_t begun = 0;
  std::uint64_t failures = 0;
  Duration time{};

  bool operator==(const LoopDay&) const = default;
};

// An item that nobody has to remember any more.
struct ItemForgotten {
  std::string id{};

  bool operator==(const ItemForgotten&) const = default;
};

struct LoopHead {
  static constexpr std::int64_t kVersion = 2;

  std::uint64_t synced = 0;

  bool operator==(const LoopHead&) const = default;
};
inline constexpr std::size_t kLoopHeadBytes = 63;  // of one, with its newline

using LoopLine = std::variant<ItemRecord, LoopDay, ItemForgotten>;

// With its newline.
std::string encode_loop_line(const LoopLine& line);
// Without it. `place` names the file and the line in errors.
Result<LoopLine> decode_loop_line(std::string_view line, std::string_view place);

// With its newline: kLoopHeadBytes.
std::string encode_loop_head(const LoopHead& head);
// nullopt: `bytes` do not begin with a head.
std::optional<LoopHead> decode_loop_head(std::string_view bytes);

}  // namespace holdfast
