// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/workspace_found.h"

#include "base/cause.h"
#include "runtime/runtime.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_attach.h"

namespace holdfast::cli {
namespace {

// kNotFound.
Error no_such_workspace(const std::string& name) {
  return {.code = ErrorCode::kNotFound,
          .op = "find the workspace",
          .subject = "'" + name + "'",
          .cause = cause::kNoSuchWorkspace,
          .detail =
              "there is no workspace of this name; `holdfast workspace list --all` shows "
              "those that there are, `holdfast ps --all` those of `holdfast run`"};
}

}  // namespace

Result<const session::SessionStore*> sessions_with(const Context& context,
                                                   const std::string& name) {
  const auto* sessions = HF_TRY(context.runtime().find_workspaces());
  if (sessions == nullptr) return fail(no_such_workspace(name));
  return sessions;
}

Result<WorkspaceRecord> record_of(const session::SessionStore& sessions, const std::string& typed) {
  auto named = HF_TRY(session::read_workspace(sessions, typed));
  if (named) return *std::move(named);
  const auto id = parse_id128(typed);
  if (!id) return fail(no_such_workspace(typed));
  std::optional<Error> unread;
  for (const std::string& name : HF_TRY(sessions.names())) {
    auto record = session::read_workspace(sessions, name);
    if (!record) {
      unread = std::move(record).error();
    } else if (*record && (*record)->id == *id) {
      return **std::move(record);
    }
  }
  if (!unread) return fail(no_such_workspace(typed));
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find the workspace",
               .subject = "'" + typed + "'",
               .cause = "unreadable-record",
               .detail = "none that can be read has this id, and one cannot be read: " +
                         to_sentence(*unread)});
}

void tell_or_warn(Context& context, const Event& event) {
  const auto recorded = context.runtime().events().record(event);
  if (recorded) return;
  context.warn("this was done, but could not be put on record: " + to_sentence(recorded.error()));
}

Result<> put_on_record(Context& context, const Event& event) {
  HF_TRY(context.runtime().events().record(event));
  return {};
}

Result<> check_heard(Context& context, const session::SessionStore& sessions,
                     const session::WorkspaceMade& made, const Clock& clock) {
  auto read = context.flush();
  if (read) return {};
  const auto ended = session::end(sessions, made.record.name, {.token = made.token},
                                  "nobody was told of it", session::Force::kNo, clock);
  if (!ended) context.report(ended.error());
  return fail(std::move(read).error());
}

Result<WorkspaceFound> find_workspace(const Context& context, const std::string& name) {
  const auto* sessions = HF_TRY(sessions_with(context, name));
  auto record = HF_TRY(session::read_workspace(*sessions, name));
  if (!record) return fail(no_such_workspace(name));
  return WorkspaceFound{.sessions = sessions, .record = *std::move(record)};
}

}  // namespace holdfast::cli
