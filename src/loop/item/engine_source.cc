// SPDX-License-Identifier: Apache-2.0
#include <unordered_set>

#include "loop/item/engine.h"

namespace holdfast::loop {

// A source that fails makes no difference to what is under way, and nothing new is started on an
// answer of earlier.
Result<> Engine::look_at_source(const LoopRequest& request) {
  const TimeMark mark = HF_TRY(now());
  if (asked_ && passed_since(*asked_, mark) < file_.every) return {};
  asked_ = mark;
  auto answer = ask_source(services_.clock, file_, &report_.signal);
  if (report_.signal) {
    source_.reset();
    return {};
  }
  if (!answer) {
    source_.reset();
    report_.source = answer.error();
    if (source_trouble_ == answer.error().detail) return {};
    source_trouble_ = answer.error().detail;
    // One pass ends with this very error.
    if (!request.once && !request.no_wait) listener_.warn(to_sentence(answer.error()));
    const auto told = services_.events.record(
        {.type = "loop.source_failed",
         .data = EventData().text("loop", file_.name).text("cause", answer.error().cause)});
    static_cast<void>(told);
    return {};
  }
  report_.source.reset();
  source_trouble_.clear();
  report_.listed = answer->parsed.listed;
  source_ = *std::move(answer);
  const auto kept = dir_.keep_source(source_->bytes);
  if (!kept) listener_.warn(to_sentence(kept.error()));
  source_->bytes = {};
  return note_absent();
}

// What the source does not list any more is remembered for `keep`, and then forgotten, if it is not
// under way.
Result<> Engine::note_absent() {
  const TimeMark mark = HF_TRY(now());
  std::unordered_set<std::string_view> listed;
  for (const SourceItem& item : source_->parsed.items) listed.insert(item.id);
  std::vector<std::string> forgotten;
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    std::vector<LoopLine> lines;
    for (const auto& [id, item] : log.items()) {
      const bool there = listed.contains(id);
      const bool idle = is_over(item.state) || item.state == ItemState::kWaiting;
      if (there == !item.absent) {
        const bool old = item.absent && idle && !item.notice.act && item.notice.wanted.empty() &&
                         passed_since(*item.absent, mark) > file_.keep;
        if (!old) continue;
        forgotten.push_back(id);
        lines.push_back(ItemForgotten{.id = id});
        continue;
      }
      ItemRecord changed = item;
      changed.absent = there ? std::nullopt : std::optional(mark);
      lines.push_back(std::move(changed));
    }
    return lines;
  };
  HF_TRY(log_.change(os::Durability::kNone, change));
  for (const std::string& id : forgotten) dir_.drop_item(id);
  return {};
}

}  // namespace holdfast::loop
