// SPDX-License-Identifier: Apache-2.0
#include "loop/step_notice.h"

#include <algorithm>

#include "format/rfc3339.h"
#include "os/sha256.h"

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
  StepRecord nothing_kept;
  nothing_kept.step = record.step;
  nothing_kept.sent = record.sent;
  return decide(nothing_kept, ask, now).answer == StepAnswer::kGo;
}

std::string joined(const std::string& kept, const std::string& text) {
  if (kept.size() + text.size() + 1 > kMaxNoticeBytes) {
    std::string out = text;
    end_line(out);
    return out + "(an earlier notice of " + std::to_string(kept.size()) +
           " bytes could not be sent)\n";
  }
  std::string out = kept;
  end_line(out);
  return out + text;
}

std::string held_back_lines(const StepRecord& record, const Digest& digest) {
  std::string lines;
  std::uint64_t others = 0;
  WallTime since = WallTime::max();
  for (const SentNotice& sent : record.sent) {
    if (sent.unsure) {
      lines +=
          "(whether the notice of " + format_rfc3339(sent.at.wall) + " arrived is not known)\n";
    }
    if (sent.held_back == 0) continue;
    if (sent.text == digest) {
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
  return lines;
}

}  // namespace

Notice compose_notice(const StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  Notice notice{.text = ask.text, .digest = ask.digest};
  if (record.kept && *record.kept != ask.text) {
    const bool news = is_news(record, ask, now);
    // A combined text that failed holds the caller's already: it is not put behind it again.
    const bool inside = record.kept->ends_with(ask.text);
    notice.text = news && !inside ? joined(*record.kept, ask.text) : *record.kept;
    if (!news) notice.digest = os::sha256(*record.kept);
  }
  notice.message = notice.text;
  const std::string lines = held_back_lines(record, notice.digest);
  if (!lines.empty()) end_line(notice.message);
  notice.message += lines;
  return notice;
}

}  // namespace holdfast::loop
