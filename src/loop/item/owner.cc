// SPDX-License-Identifier: Apache-2.0
#include "loop/item/owner.h"

#include <algorithm>

#include "loop/item/act_order.h"
#include "loop/item/claims.h"
#include "loop/item/item_log.h"
#include "loop/series/series_store.h"
#include "loop/step/step_store.h"
#include "session/record/own_file.h"

namespace holdfast::loop {
namespace {

using os::operator""_name;
using Owner = std::optional<SessionOwner>;

Result<Owner> step_owner(const os::Dir& home, const std::string& session) {
  const std::size_t colon = session.find(':');
  const auto kind = parse_step_kind(std::string_view(session).substr(0, colon));
  if (!kind || colon == std::string::npos) return Owner();
  auto once = HF_TRY(session::open_own_dir(home, "once"_name));
  if (!once) return Owner();
  const std::string key = session.substr(colon + 1);
  const auto record = HF_TRY(StepStore(*std::move(once)).read({.kind = *kind, .key = key}));
  if (!record) return Owner();
  return Owner({.what = "the step '" + session + "'",
                .instead = "holdfast " + std::string(to_text(*kind)) + " " + key});
}

Result<Owner> series_owner(const session::SessionDir& session, const Id128& run) {
  const auto series = HF_TRY(read_series(session));
  if (!series) return Owner();
  const bool own =
      (series->pending && series->pending->run == run) ||
      std::ranges::find(series->history, run, &SeriesEnd::run) != series->history.end();
  if (!own) return Owner();
  return Owner({.what = "the series of '" + session.name() + "'",
                .instead = "holdfast run --name " + session.name() + " --iterations"});
}

bool is_of_item(const ItemRecord& item, const std::string& session) {
  return item.session == session || act_session(item, false) == session ||
         act_session(item, true) == session;
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

Result<std::optional<SessionOwner>> owner_of(const os::Dir& home,
                                             const session::SessionDir& session, const Id128& run) {
  if (auto step = HF_TRY(step_owner(home, session.name()))) return step;
  if (auto series = HF_TRY(series_owner(session, run))) return series;
  return loop_owner(home, session.name());
}

}  // namespace holdfast::loop
