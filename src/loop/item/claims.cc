// SPDX-License-Identifier: Apache-2.0
#include "loop/item/claims.h"

#include <memory>
#include <vector>

#include "base/cause.h"
#include "loop/item/item_log.h"
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

}  // namespace

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
  const std::size_t colon = session.find(':');
  if (!steps_ || colon == std::string::npos) return false;
  const auto kind = parse_step_kind(std::string_view(session).substr(0, colon));
  if (!kind) return false;
  const auto record = HF_TRY(steps_->read({.kind = *kind, .key = session.substr(colon + 1)}));
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

}  // namespace holdfast::loop
