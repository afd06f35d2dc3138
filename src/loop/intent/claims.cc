// SPDX-License-Identifier: Apache-2.0
#include "loop/intent/claims.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "base/cause.h"
#include "loop/item/item_command.h"
#include "loop/item/item_log.h"
#include "loop/series/series_status.h"
#include "loop/series/series_store.h"
#include "session/record/own_file.h"

namespace holdfast::loop {
namespace {

using os::operator""_name;

Result<std::vector<os::SafeName>> loops_in(const os::Dir& loops) {
  std::vector<os::SafeName> names;
  HF_TRY(loops.each_entry([&](std::string_view entry, os::FileType type) {
    if (type != os::FileType::kDirectory && type != os::FileType::kUnknown) {
      return os::Visit::kContinue;
    }
    auto name = os::SafeName::make(entry);
    if (name) names.push_back(*std::move(name));
    return os::Visit::kContinue;
  }));
  return names;
}

// nullopt: it never worked.
Result<std::optional<ItemLog>> log_of(const os::Dir& loop) {
  auto log = ItemLog::open(loop);
  // A loop that never worked has no record yet, which is written after the log.
  const bool worked = HF_TRY(loop.info("loop.json"_name)).has_value();
  if (!log && log.error().cause == cause::kLoopLogGone && !worked) return std::nullopt;
  if (!log) return fail(log.error());
  return std::optional(*std::move(log));
}

// The log of each loop that has worked in `home`.
Result<> each_loop(const os::Dir& home, const std::function<void(const ItemLog&)>& visit) {
  const auto loops = HF_TRY(session::open_own_dir(home, "loops"_name));
  if (!loops) return {};
  for (const os::SafeName& name : HF_TRY(loops_in(*loops))) {
    const auto loop = HF_TRY(session::open_own_dir(*loops, name));
    if (!loop) continue;
    if (const auto log = HF_TRY(log_of(*loop))) visit(*log);
  }
  return {};
}

// The step whose session may be called so.
std::optional<StepName> step_named(const std::string& session) {
  const std::size_t colon = session.find(':');
  const auto kind = parse_step_kind(std::string_view(session).substr(0, colon));
  if (!kind || colon == std::string::npos) return std::nullopt;
  return StepName{.kind = *kind, .key = session.substr(colon + 1)};
}

using Owner = std::optional<SessionOwner>;

Result<Owner> step_owner(const os::Dir& home, const std::string& session) {
  const auto name = step_named(session);
  if (!name) return Owner();
  auto once = HF_TRY(session::open_own_dir(home, "once"_name));
  if (!once || !HF_TRY(StepStore(*std::move(once)).read(*name))) return Owner();
  return Owner({.what = "the step '" + session + "'",
                .instead = "holdfast " + std::string(to_text(name->kind)) + " " + name->key});
}

Result<Owner> series_owner(const session::SessionDir& session, const Id128& run) {
  const auto series = HF_TRY(read_series(session));
  if (!series || !belongs_to(*series, run)) return Owner();
  return Owner({.what = "the series of '" + session.name() + "'",
                .instead = "holdfast run --name " + session.name() + " --iterations"});
}

bool is_of_item(const ItemRecord& item, const std::string& session) {
  return item.session == session || follow_up_session(item) == session ||
         notice_session(item) == session;
}

Result<Owner> loop_owner(const os::Dir& home, const std::string& session) {
  Owner owner;
  HF_TRY(each_loop(home, [&](const ItemLog& log) {
    for (const auto& [id, item] : log.items()) {
      if (!is_of_item(item, session)) continue;
      owner = {.what = "item '" + id + "' of a loop", .instead = "holdfast loop retry FILE " + id};
    }
  }));
  return owner;
}

}  // namespace

Result<Claims> Claims::read(const os::Dir& home) {
  Claims claims;
  HF_TRY(each_loop(home, [&claims](const ItemLog& log) {
    for (const auto& [id, item] : log.items()) {
      if (item.act) claims.of_loops_.insert(item.act->session);
      if (item.notice.act) claims.of_loops_.insert(item.notice.act->session);
    }
  }));
  auto once = HF_TRY(session::open_own_dir(home, "once"_name));
  if (once) claims.steps_.emplace(*std::move(once));
  return claims;
}

Result<std::optional<std::string_view>> Claims::on(const session::SessionDir& session) const {
  if (of_loops_.contains(session.name())) return "loop";
  if (HF_TRY(has_step(session.name()))) return "step";
  const auto series = HF_TRY(read_series(session));
  if (series && (!series->over || !series->answered)) return "series";
  return std::nullopt;
}

Result<bool> Claims::has_step(const std::string& session) const {
  const auto name = step_named(session);
  if (!steps_ || !name) return false;
  const auto record = HF_TRY(steps_->read(*name));
  return record && record->pending;
}

Result<ClaimQuestion> claims_in(const os::Dir& home) {
  auto claims = HF_TRY(Claims::read(home));
  return [claims = std::make_shared<const Claims>(std::move(claims))](
             const session::SessionDir& session) -> Result<std::optional<std::string>> {
    const auto by = HF_TRY(claims->on(session));
    if (!by) return std::nullopt;
    return std::string(*by);
  };
}

Result<std::optional<SessionOwner>> owner_of(const os::Dir& home,
                                             const session::SessionDir& session, const Id128& run) {
  if (auto step = HF_TRY(step_owner(home, session.name()))) return step;
  if (auto series = HF_TRY(series_owner(session, run))) return series;
  return loop_owner(home, session.name());
}

}  // namespace holdfast::loop
