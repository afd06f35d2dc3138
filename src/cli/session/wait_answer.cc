// SPDX-License-Identifier: Apache-2.0
#include "cli/session/wait_answer.h"

#include <algorithm>

#include "cli/session/session_facts.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

// The first by the order of the command line whose code is not 0, else the first that is decided.
std::size_t decisive(const WaitedSessions& waits) {
  const auto is_bad = [](const auto& one) { return one && one->reply.code != 0; };
  const auto is_good = [](const auto& one) { return one && one->reply.code == 0; };
  auto found = std::ranges::find_if(waits, is_bad);
  if (found == waits.end()) found = std::ranges::find_if(waits, is_good);
  return static_cast<std::size_t>(found - waits.begin());
}

// The one that was first. Of a state, one that has come, before those of which it cannot come.
std::size_t first_of_any(const WaitedSessions& waits, bool of_state) {
  const auto has_come = [&](const auto& one) { return one && (!of_state || one->reply.code == 0); };
  const auto found = std::ranges::find_if(waits, has_come);
  return found == waits.end() ? decisive(waits) : static_cast<std::size_t>(found - waits.begin());
}

Json waited_json(const Context& context, const session::SessionDir& dir,
                 const loop::Waited& waited) {
  if (!waited.view) return {{"name", dir.name()}, {"state", nullptr}};
  return session_json(facts_of(*waited.view, dir.dir(), context.runtime().clock()));
}

int wait_answer(Context& context, const loop::Waited& waited) {
  if (waited.view) warn_of_lost_log(context, waited.view->record);
  if (waited.reply.of_command) context.code_is_the_commands();
  if (waited.reply.error) context.report(*waited.reply.error);
  return waited.reply.code;
}

int answer_all(Context& context, std::span<const session::SessionDir> dirs,
               const WaitedSessions& waits) {
  const std::size_t chosen = decisive(waits);
  Json sessions = Json::array();
  for (std::size_t i = 0; i < waits.size(); ++i) {
    Json one = waited_json(context, dirs[i], *waits[i]);
    one["code"] = waits[i]->reply.code;
    sessions.push_back(std::move(one));
    if (waits[i]->reply.code == 0) continue;
    if (i != chosen && waits[i]->reply.error) {
      context.warn(to_sentence(*waits[i]->reply.error));
    } else if (!waits[i]->reply.error) {
      context.note("'" + dirs[i].name() + "' exited with " + std::to_string(waits[i]->reply.code));
    }
  }
  context.emit({{"sessions", std::move(sessions)}});
  return wait_answer(context, *waits[chosen]);
}

}  // namespace

int answer_waits(Context& context, std::span<const session::SessionDir> dirs,
                 const WaitedSessions& waits, bool any, bool of_state) {
  if (!any && dirs.size() > 1) return answer_all(context, dirs, waits);
  const std::size_t first = any ? first_of_any(waits, of_state) : 0;
  if (waits[first]->view || any) context.emit(waited_json(context, dirs[first], *waits[first]));
  // Too late, or a state that can no longer come: then none was first.
  const auto& error = waits[first]->reply.error;
  const bool none =
      error && (error->code == ErrorCode::kBusy || error->code == ErrorCode::kNotFound);
  if (any && !none) context.print(dirs[first].name() + "\n");
  return wait_answer(context, *waits[first]);
}

}  // namespace holdfast::cli
