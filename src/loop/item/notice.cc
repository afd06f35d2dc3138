// SPDX-License-Identifier: Apache-2.0
#include "loop/item/notice.h"

#include <algorithm>
#include <array>
#include <utility>

#include "format/text/rfc3339.h"

namespace holdfast::loop {
namespace {

constexpr std::size_t kRemembered = 16;
constexpr std::array<std::chrono::minutes, 3> kTryAgain{
    std::chrono::minutes(1), std::chrono::minutes(5), std::chrono::minutes(30)};

}  // namespace

Told want_notice(ItemNotice& notice, const std::string& about, Duration cooldown,
                 const TimeMark& now) {
  if (notice.wanted == about) {
    ++notice.held_back;
    return Told::kHeldBack;
  }
  const bool lately = std::ranges::any_of(notice.told, [&](const ItemNotice::Told& told) {
    return told.about == about && passed_since(told.at, now) < cooldown;
  });
  if (lately || notice.later == about) {
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
    const std::size_t which = std::min<std::size_t>(notice.failures, kTryAgain.size() - 1);
    notice.next = DueTime{.from = now, .wait = kTryAgain[which]};
    ++notice.failures;
    return;
  }
  if (how != Sending::kFailed) {
    std::erase_if(notice.told, [&](const auto& told) { return told.about == notice.wanted; });
    notice.told.push_back({.about = notice.wanted, .at = now});
    if (notice.told.size() > kRemembered) notice.told.erase(notice.told.begin());
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
    text += "(seen " + std::to_string(notice.held_back) + " more times since " +
            format_rfc3339(notice.told.back().at.wall) + ")\n";
  }
  if (notice.unsure) text += "(an earlier notice about this item may not have arrived)\n";
  return text;
}

}  // namespace holdfast::loop
