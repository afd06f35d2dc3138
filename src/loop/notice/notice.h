// SPDX-License-Identifier: Apache-2.0
//
// Notices: what people are told, and what they are not told again. Pure.
//
// One rule for `notify` and for the items of a loop. What was sent, or may have been, is remembered
// by its key. The same key is held back, and counted, until its cool-down is over; the next notice
// that is sent says how many there were. The key of an item's notice is the kind of trouble, a
// stable word, so that the fourteenth time of the same trouble is the same notice, whatever times
// and numbers its text holds; that of `notify` is the digest of the text.
//
// A notice that could not be sent is tried again after 1, 5 and then each 30 minutes. An intent to
// send is on record before the sending, as of every run (loop/intent/intent.h); one whose outcome
// is lost is not repeated (rule S1): the next notice says that it may not have arrived.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/digest.h"
#include "format/json/due_time.h"
#include "format/loop/loop_item.h"
#include "format/loop/step_record.h"

namespace holdfast::loop {

struct StepRequest;

// How long a notice waits that failed `failures` times before.
Duration notice_pause(std::uint64_t failures);

// --- of an item

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

// --- of `notify`
//
// Texts that cannot be sent yet are kept in a bundle (format/loop/step_record.h) and sent together:
// at most kMaxBundleTexts and kMaxNoticeBytes, each text once. What finds no room is counted, the
// oldest first; the newest is always in it.

struct SameSent {
  std::optional<DueTime> until{};  // its cool-down; nullopt: until another text is sent
};
// nullopt: the text of the request is news.
std::optional<SameSent> same_sent(const StepRecord& record, const StepRequest& request,
                                  const TimeMark& now);

// The same text was sent a short while ago, and is held back now.
void count_held_back(StepRecord& record, const StepRequest& request);

struct Notice {
  NoticeBundle bundle{};  // what counts as sent then, and is kept where it cannot be
  std::string message{};  // what the command reads
};
// For a decision of kGo: takes what is kept out of the record. A text of the caller's that would be
// held back by itself is counted and not sent along.
Notice take_notice(StepRecord& record, const StepRequest& request, const TimeMark& now);

enum class Keeping : std::uint8_t {
  kKept,     // it is in the record now, and goes out with the next one that is sent
  kCounted,  // it is known there already: being sent, kept, or sent a short while ago
};
// For a text that comes while another one is being sent, or waits after a failure: none is dropped
// without a word.
Keeping keep_notice(StepRecord& record, const StepRequest& request, const TimeMark& now);

// The sending of `sent` is over.
void settle_notice(StepRecord& record, const StepPending& sent, const StepEnd& end,
                   const TimeMark& at);
// It never began.
void keep_unsent(StepRecord& record, NoticeBundle unsent);

// The texts, one behind the other, each beginning on a line of its own.
std::string joined(const NoticeBundle& bundle);

}  // namespace holdfast::loop
