// SPDX-License-Identifier: Apache-2.0
#include "session/record/trace.h"

#include "session/record/look.h"

namespace holdfast::session {
namespace {

Trace::Kind kind_of(const SessionView& view) {
  if (!view.known) return Trace::Kind::kUnknown;
  if (is_final(view.state)) return Trace::Kind::kOver;
  return view.state == SessionState::kOrphaned ? Trace::Kind::kOrphaned : Trace::Kind::kUnder;
}

Result<Trace> among_earlier(const SessionDir& dir, const Id128& run) {
  const auto numbers = HF_TRY(dir.earlier_runs());
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    auto record = HF_TRY(dir.read_run(*number));
    if (!record || record->run != run) continue;
    SessionView view = look_at(*std::move(record));
    const Trace::Kind kind = kind_of(view);
    return Trace{.kind = kind, .view = std::move(view)};
  }
  return Trace{};
}

}  // namespace

Result<Trace> trace_of(const SessionStore& sessions, std::string_view name, const Id128& run) {
  const auto dir = HF_TRY(sessions.find(name));
  if (!dir) return Trace{};
  auto view = HF_TRY(look(*dir));
  if (view && view->record.run == run) {
    const Trace::Kind kind = kind_of(*view);
    return Trace{.kind = kind, .view = std::move(view)};
  }
  auto earlier = among_earlier(*dir, run);
  if (!earlier || earlier->kind != Trace::Kind::kNone) return earlier;
  // It may have become the newest one, or an earlier one, while we looked.
  view = HF_TRY(look(*dir));
  if (!view || view->record.run != run) return Trace{};
  const Trace::Kind kind = kind_of(*view);
  return Trace{.kind = kind, .view = std::move(view)};
}

}  // namespace holdfast::session
