// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/printable.h"
#include "loop/item/engine.h"
#include "loop/notice/notice.h"
#include "os/machine/random.h"
#include "session/record/log_files.h"

namespace holdfast::loop {
namespace {

constexpr std::size_t kMostOfALine = 200;

// Whose output says why the item is where it is.
std::string session_to_blame(const ItemRecord& item) {
  const bool of_follow_up = item.reason == "cannot-tell" ? item.state != ItemState::kWaiting
                                                         : item.reason.starts_with("on_");
  return of_follow_up ? follow_up_session(item) : item.session;
}

Result<std::string> read_last_line(const session::SessionStore& sessions,
                                   const std::string& session) {
  const auto dir = HF_TRY(sessions.find(session));
  if (!dir) return std::string();
  const auto record = HF_TRY(dir->read());
  if (!record) return std::string();
  auto log = HF_TRY(session::LogReader::open(*dir, record->number));
  if (!log) return std::string();
  HF_TRY(log->skip_to_last_lines(1));
  return log->read_some();
}

// The last line that a session's newest run printed: the reason is often in it. Empty if there is
// none, or if it cannot be read. Safe to show.
std::string last_line_of(const session::SessionStore& sessions, const std::string& session) {
  std::string line = read_last_line(sessions, session).value_or("");
  line.resize(std::min(line.size(), line.find('\n')));
  const bool is_cut = line.size() > kMostOfALine;
  if (is_cut) line.resize(kMostOfALine);
  return printable(line) + (is_cut ? "…" : "");
}

}  // namespace

Result<bool> Engine::start_notice(const std::string& id) {
  const Id128 run = HF_TRY(os::random_id());
  const ItemRecord* told = log_.find(id);
  const std::string last_line =
      told == nullptr ? "" : last_line_of(services_.sessions, session_to_blame(*told));
  bool intended = false;
  const auto change = [&](const ItemLog& log) -> Result<std::vector<LoopLine>> {
    const ItemRecord* item = log.find(id);
    if (item == nullptr || item->notice.act || item->notice.wanted.empty()) {
      return std::vector<LoopLine>{};
    }
    const auto kept = dir_.keep_text(
        id, notice_text(*item,
                        {.loop = file_.name, .attempts = file_.attempts, .last_line = last_line}));
    if (!kept) return fail(kept.error());
    ItemRecord changed = *item;
    changed.notice.said = changed.notice.held_back;
    changed.notice.act =
        ItemAct{.run = run, .session = notice_session(*item), .since = services_.clock.wall()};
    intended = true;
    return std::vector<LoopLine>{std::move(changed)};
  };
  HF_TRY(log_.change(os::Durability::kFull, change));
  if (intended) HF_TRY(start(id, {.notice = true}));
  return intended;
}

}  // namespace holdfast::loop
