// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/old_run.h"

#include "run/orphan/groups.h"
#include "session/record/view.h"

namespace holdfast::run {
namespace {

Error not_over(const std::string& name, ErrorCode code, std::string_view cause,
               std::string detail) {
  return {.code = code,
          .op = "run a session as",
          .subject = "'" + name + "'",
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was started"};
}

}  // namespace

Error orphaned_error(const std::string& name) {
  return not_over(name, ErrorCode::kCannotTell, "session-orphaned",
                  "its supervisor is gone and its processes may still run; `holdfast adopt " +
                      name + "` takes them over, `holdfast stop " + name + "` ends them");
}

Result<std::optional<SessionRecord>> prove_old_run_over(const session::SessionDir& dir,
                                                        const Clock& clock) {
  auto record = HF_TRY(dir.read());
  if (!record) return std::nullopt;
  const session::SessionView view = session::look_at(*record);
  if (!view.known) {
    return fail(not_over(dir.name(), ErrorCode::kCannotTell, "session-unknown",
                         "whether its last run is over cannot be told (" + view.evidence + ")"));
  }
  if (view.state == SessionState::kOrphaned) {
    return fail(orphaned_error(dir.name()));
  }
  if (!is_final(view.state)) {
    return fail(not_over(dir.name(), ErrorCode::kBusy, "session-live", "its last run is not over"));
  }
  if (view.state != record->state) {
    remove_groups_of(*record);
    record->state = view.state;
    record->reason = view.evidence;
    record->ended = clock.wall();
    HF_TRY(dir.write(*record, os::Durability::kFull));
  }
  return record;
}

Result<std::uint64_t> leave_old_run_behind(const session::SessionDir& dir,
                                           const std::optional<SessionRecord>& last) {
  if (last) HF_TRY(dir.archive(last->number));
  return dir.next_number();
}

}  // namespace holdfast::run
