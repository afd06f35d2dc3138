// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_notice.h"

#include <algorithm>

#include "format/text/rfc3339.h"
#include "loop/item/notice_bundle.h"

namespace holdfast::loop {
namespace {

std::string times(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " more time" : " more times");
}

void end_line(std::string& text) {
  if (!text.ends_with('\n')) text += '\n';
}

// Would it be sent if nothing had failed before?
bool is_news(const StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  StepRecord nothing_kept{.step = record.step};
  nothing_kept.sent = record.sent;
  return decide(nothing_kept, ask, now).answer == StepAnswer::kGo;
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
      lines += "(seen " + times(sent.held_back) + " since " + format_rfc3339(sent.at.wall) + ")\n";
      continue;
    }
    others += sent.held_back;
    since = std::min(since, sent.at.wall);
  }
  if (others != 0) {
    lines +=
        "(earlier notices were seen " + times(others) + " since " + format_rfc3339(since) + ")\n";
  }
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

}  // namespace

Notice take_notice(StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  Notice notice{.bundle = std::move(record.kept)};
  record.kept = {};
  if (!holds(notice.bundle, ask.digest)) {
    if (is_news(record, ask, now)) {
      add_text(notice.bundle, {.digest = ask.digest, .text = ask.text});
    } else {
      count_held_back(record, ask);
    }
  }
  notice.message = joined(notice.bundle);
  const std::string lines = held_back_lines(record, notice.bundle);
  if (!lines.empty()) end_line(notice.message);
  notice.message += lines;
  return notice;
}

Keeping keep_notice(StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  const bool known = holds(record.kept, ask.digest) ||
                     (record.pending && holds(record.pending->notice, ask.digest));
  if (known) {
    ++record.kept.repeats;
    return Keeping::kCounted;
  }
  if (!is_news(record, ask, now)) {
    count_held_back(record, ask);
    return Keeping::kCounted;
  }
  add_text(record.kept, {.digest = ask.digest, .text = ask.text});
  return Keeping::kKept;
}

}  // namespace holdfast::loop
