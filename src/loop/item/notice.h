// SPDX-License-Identifier: Apache-2.0
//
// What people are told about an item, and what they are not told again. Pure.
//
// A notice is about a kind of trouble: a stable word, so that the fourteenth time of the same
// trouble is the same notice, whatever times and numbers its text holds. The same one is held back,
// and counted, until the cool-down is over; the next one that is sent says how many there were.
//
// An intent to send is on record before the sending, as of every act. A sending whose outcome is
// lost is not repeated (rule S1): the next notice says that it may not have arrived.
#pragma once

#include <cstdint>
#include <string>

#include "format/loop/loop_item.h"

namespace holdfast::loop {

// kHeldBack: the same was told lately, or is being told.
enum class Told : std::uint8_t { kWanted, kHeldBack };
Told want_notice(ItemNotice& notice, const std::string& about, Duration cooldown,
                 const TimeMark& now);

enum class Sending : std::uint8_t { kSent, kFailed, kLost };
// The sending of `wanted` is over.
void note_sending(ItemNotice& notice, Sending how, const TimeMark& now);

struct NoticeFacts {
  std::string loop{};
  std::uint64_t attempts = 0;  // that an item has
  std::string last_line{};     // of what its command printed
};
// The text of what is wanted now.
std::string notice_text(const ItemRecord& item, const NoticeFacts& facts);

}  // namespace holdfast::loop
