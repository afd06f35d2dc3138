// SPDX-License-Identifier: Apache-2.0
#include "loop/notice/notice.h"

#include <algorithm>
#include <array>
#include <utility>

#include "format/text/rfc3339.h"
#include "loop/step/step_decide.h"

namespace holdfast::loop {
namespace {

constexpr std::size_t kMaxTold = 16;
constexpr Duration kNoTime{};
constexpr std::array<Duration, 3> kPauses{std::chrono::minutes(1), std::chrono::minutes(5),
                                          std::chrono::minutes(30)};

// In the place of an earlier one of its key; the oldest goes where there are too many.
template <typename Sent, typename Key>
void remember(std::vector<Sent>& all, Sent sent, Key Sent::* key, std::size_t most) {
  std::erase_if(all, [&](const Sent& earlier) { return earlier.*key == sent.*key; });
  all.push_back(std::move(sent));
  if (all.size() > most) all.erase(all.begin());
}

std::string seen(std::string_view what, std::uint64_t count, WallTime since) {
  return "(" + std::string(what) + "seen " + std::to_string(count) +
         (count == 1 ? " more time" : " more times") + " since " + format_rfc3339(since) + ")\n";
}

// --- bundles

// With the end of line that may have to be put behind each.
std::size_t bytes_of(const NoticeBundle& bundle) {
  std::size_t bytes = 0;
  for (const NoticeText& text : bundle.texts) bytes += text.text.size() + 1;
  return bytes;
}

bool is_too_much(const NoticeBundle& bundle) {
  return bundle.texts.size() > kMaxBundleTexts || bytes_of(bundle) > kMaxNoticeBytes;
}

// By the whole text: a text that is a part of another one is not in it.
bool holds(const NoticeBundle& bundle, const Digest& digest) {
  return std::ranges::find(bundle.texts, digest, &NoticeText::digest) != bundle.texts.end();
}

void add_text(NoticeBundle& bundle, NoticeText text) {
  if (holds(bundle, text.digest)) return;
  bundle.texts.push_back(std::move(text));
  while (bundle.texts.size() > 1 && is_too_much(bundle)) {
    bundle.texts.erase(bundle.texts.begin());
    ++bundle.dropped;
  }
}

bool is_all_of(const NoticeBundle& bundle, const Digest& digest) {
  return bundle.texts.size() == 1 && bundle.texts.front().digest == digest;
}

std::string held_back_lines(const StepRecord& record, const NoticeBundle& bundle) {
  std::string lines;
  std::uint64_t others = 0;
  WallTime since = WallTime::max();
  for (const SentNotice& sent : record.sent) {
    if (sent.unsure) {
      lines +=
          "(whether the notice of " + format_rfc3339(sent.at.wall) + " arrived is not known)\n";
    }
    if (sent.held_back == 0) continue;
    if (is_all_of(bundle, sent.text)) {
      lines += seen("", sent.held_back, sent.at.wall);
      continue;
    }
    others += sent.held_back;
    since = std::min(since, sent.at.wall);
  }
  if (others != 0) lines += seen("earlier notices were ", others, since);
  if (bundle.repeats != 0) {
    lines += "(" + std::to_string(bundle.repeats) +
             (bundle.repeats == 1 ? " repeat was" : " repeats were") +
             " held back before this was sent)\n";
  }
  if (bundle.dropped != 0) {
    lines += "(" + std::to_string(bundle.dropped) +
             (bundle.dropped == 1 ? " earlier notice" : " earlier notices") +
             " could not be sent, and found no room here)\n";
  }
  return lines;
}

// Rule S1a. Only a command that came to its own end with another code than 0, or that never
// started, says that nothing was sent; one that was killed or told to end was perhaps too late.
bool may_have_sent(const StepEnd& end) {
  switch (end.state) {
    case SessionState::kExited:
      return end.asked || !end.exit_code;
    case SessionState::kFailed:
      return false;
    default:
      return true;
  }
}

// All that was held back has been said with the one that arrived; what only may have arrived says
// nothing.
void note_sent(StepRecord& record, const Digest& text, const TimeMark& at, bool unsure) {
  SentNotice notice{.text = text, .at = at, .unsure = unsure};
  const auto earlier = std::ranges::find(record.sent, text, &SentNotice::text);
  if (earlier != record.sent.end()) notice.held_back = earlier->held_back;
  remember(record.sent, notice, &SentNotice::text, kMaxSentNotices);
  if (unsure) return;
  for (SentNotice& sent : record.sent) {
    sent.held_back = 0;
    sent.unsure = false;
  }
}

}  // namespace

Duration notice_pause(std::uint64_t failures) {
  return kPauses[std::min<std::uint64_t>(failures, kPauses.size() - 1)];
}

Told want_notice(ItemNotice& notice, const std::string& about, Duration cooldown,
                 const TimeMark& now) {
  const bool lately = std::ranges::any_of(notice.told, [&](const ItemNotice::Told& told) {
    return told.about == about && left_of({.from = told.at, .wait = cooldown}, now) > kNoTime;
  });
  if (lately || notice.wanted == about || notice.later == about) {
    ++notice.held_back;
    return Told::kHeldBack;
  }
  if (notice.act) {
    notice.later = about;
    return Told::kWanted;
  }
  notice.wanted = about;
  notice.failures = 0;
  notice.next.reset();
  return Told::kWanted;
}

void note_sending(ItemNotice& notice, Sending how, const TimeMark& now) {
  notice.act.reset();
  if (how == Sending::kFailed && notice.later.empty()) {
    notice.next = DueTime{.from = now, .wait = notice_pause(notice.failures)};
    ++notice.failures;
    return;
  }
  if (how != Sending::kFailed) {
    remember(notice.told, {.about = notice.wanted, .at = now}, &ItemNotice::Told::about, kMaxTold);
    notice.held_back -= std::min(notice.said, notice.held_back);
    notice.unsure = how == Sending::kLost;
  }
  notice.said = 0;
  notice.wanted = std::exchange(notice.later, {});
  notice.failures = 0;
  notice.next.reset();
}

std::string notice_text(const ItemRecord& item, const NoticeFacts& facts) {
  std::string text = "Loop " + facts.loop + ", item " + item.id + ": " + item.detail + "\n";
  text += "It is " + std::string(to_text(item.state));
  if (item.attempts != 0) {
    text += ", attempt " + std::to_string(item.attempts) + " of " + std::to_string(facts.attempts);
  }
  text += ".\n";
  if (!facts.last_line.empty()) text += "Last line of output: " + facts.last_line + "\n";
  if (!item.session.empty()) text += "Its output: holdfast logs " + item.session + "\n";
  const ItemNotice& notice = item.notice;
  if (notice.held_back != 0 && !notice.told.empty()) {
    text += seen("", notice.held_back, notice.told.back().at.wall);
  }
  if (notice.unsure) text += "(an earlier notice about this item may not have arrived)\n";
  return text;
}

std::optional<SameSent> same_sent(const StepRecord& record, const StepRequest& request,
                                  const TimeMark& now) {
  if (request.on_change) {
    const bool same = !record.sent.empty() && record.sent.back().text == request.digest;
    return same ? std::optional(SameSent{}) : std::nullopt;
  }
  const auto sent = std::ranges::find(record.sent, request.digest, &SentNotice::text);
  if (sent == record.sent.end()) return std::nullopt;
  const DueTime until{.from = sent->at, .wait = request.cooldown};
  if (left_of(until, now) == kNoTime) return std::nullopt;
  return SameSent{.until = until};
}

void count_held_back(StepRecord& record, const StepRequest& request) {
  const auto sent = std::ranges::find(record.sent, request.digest, &SentNotice::text);
  if (sent != record.sent.end()) ++sent->held_back;
}

Notice take_notice(StepRecord& record, const StepRequest& request, const TimeMark& now) {
  Notice notice{.bundle = std::exchange(record.kept, {})};
  if (!holds(notice.bundle, request.digest)) {
    if (same_sent(record, request, now)) {
      count_held_back(record, request);
    } else {
      add_text(notice.bundle, {.digest = request.digest, .text = request.text});
    }
  }
  notice.message = joined(notice.bundle);
  const std::string lines = held_back_lines(record, notice.bundle);
  if (!lines.empty() && !notice.message.ends_with('\n')) notice.message += '\n';
  notice.message += lines;
  return notice;
}

Keeping keep_notice(StepRecord& record, const StepRequest& request, const TimeMark& now) {
  const bool known = holds(record.kept, request.digest) ||
                     (record.pending && holds(record.pending->notice, request.digest));
  if (known) {
    ++record.kept.repeats;
    return Keeping::kCounted;
  }
  if (same_sent(record, request, now)) {
    count_held_back(record, request);
    return Keeping::kCounted;
  }
  add_text(record.kept, {.digest = request.digest, .text = request.text});
  return Keeping::kKept;
}

void settle_notice(StepRecord& record, const StepPending& sent, const StepEnd& end,
                   const TimeMark& at) {
  const bool unsure = may_have_sent(end);
  if (!has_succeeded(end) && !unsure) {
    ++record.failures;
    record.next = DueTime{.from = at, .wait = sent.retry_wait};
    return keep_unsent(record, sent.notice);
  }
  for (const NoticeText& text : sent.notice.texts) note_sent(record, text.digest, at, unsure);
  record.failures = 0;
  record.next.reset();
  if (!record.kept.texts.empty() || record.sent.empty()) return;
  // What came while it was sent was only the same again.
  record.sent.back().held_back += record.kept.repeats;
  record.kept = {};
}

// Behind what was being sent comes what others had to say meanwhile.
void keep_unsent(StepRecord& record, NoticeBundle unsent) {
  unsent.repeats += record.kept.repeats;
  unsent.dropped += record.kept.dropped;
  for (NoticeText& text : record.kept.texts) add_text(unsent, std::move(text));
  record.kept = std::move(unsent);
}

std::string joined(const NoticeBundle& bundle) {
  std::string all;
  for (const NoticeText& text : bundle.texts) {
    if (!all.empty() && !all.ends_with('\n')) all += '\n';
    all += text.text;
  }
  return all;
}

}  // namespace holdfast::loop
