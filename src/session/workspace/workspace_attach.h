// SPDX-License-Identifier: Apache-2.0
//
// Who works in a workspace: attaching, leaving, resuming, changing, ending.
//
// Guarantees: one owner at a time. Whoever is recorded as owner and is not proven dead (its process
// lives, cannot be judged from here, or it has none) keeps the workspace; the next gets kBusy
// `owned`, which names it. Guests come and go beside it, and nobody's going detaches anybody else.
// Every change happens under the workspace's lock, on the record as it is then, and drops the
// attachments of the dead (on proof alone). Each is a sign of life: `renewed`.
//
// A token is what `attach` gave out, and leaves with it. Without one, an attachment is the caller's
// if its process is the caller's own.
//
// Errors: kNotFound `no-such-workspace`; kBusy `owned`, `attached`, `too-many`, `workspace-busy`;
// kRefused `ended`, `not-attached` (a token of nobody here), `not-the-owner`, `not-ready` (its
// maker is still at it, or died over it), `directory-gone`, `replaced` (the one outside is not in
// its place, or is another), `not-confirmed` (session/workspace/outside.h). Those of
// session/workspace/workspace.h. What is said of durability there holds: kNotDurable means that it
// was done.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/session/workspace_record.h"
#include "session/record/store.h"
#include "session/workspace/below.h"

namespace holdfast::session {

// By which somebody shows who they are. Both may be there: the token goes first, and a token that
// is not known here is refused unless `maybe_other` says that it may be for something else.
struct Claim {
  std::optional<Id128> token{};
  bool maybe_other = false;
  std::optional<ProcessIdentity> process{};
  // The workspace that is meant, and no later one of its name: kNotFound. Only end() asks.
  std::optional<Id128> session{};
};

struct AttachRequest {
  std::optional<ProcessIdentity> process{};  // none: until `detach`
  bool guest = false;
  std::string what{};    // for people
  bool command = false;  // for a command, which inherits Attached::below
};

struct Attached {
  Id128 token{};
  WorkspaceRecord record{};  // as it is now
  std::optional<Error> not_durable{};
  // For a command (below.h): what it inherits, and what it and all below it are told.
  WorkspaceLock below{};
  BelowEntry entry{};
};
Result<Attached> attach(const SessionStore& store, std::string_view name,
                        const AttachRequest& request, const Clock& clock);
// As owner, and the resume id is handed out: `resumes` counts it. kNotFound `no-resume-id`.
Result<Attached> resume(const SessionStore& store, std::string_view name,
                        const AttachRequest& request, const Clock& clock);
// The attachment of this token is now bound to another process (the command that it is for).
Result<> rebind(const SessionStore& store, std::string_view name, const Id128& token,
                const ProcessIdentity& process);

struct Detached {
  Attachment who{};
  std::size_t left = 0;  // who are still there
  WorkspaceRecord record{};
};
// Of several attachments of one process the newest goes. kRefused `not-attached`. An ended
// workspace can be left too.
Result<Detached> detach(const SessionStore& store, std::string_view name, const Claim& claim);

// The command of this attachment has ended. True: something that was started below it still runs,
// and the attachment stays on record until that has ended (workspace.h, attached_now).
struct Left {
  bool stays = false;
  Detached detached{};  // where it does not stay
};
Result<Left> leave(const SessionStore& store, std::string_view name, const Id128& token);

// Whoever is attached and is not seen to run from here is detached on a person's word: those
// without a process, whose token may be lost, and those whom nobody can judge. kRefused
// `not-attached`: there is none. Who they were.
Result<std::vector<Attachment>> detach_unseen(const SessionStore& store, std::string_view name);

// `edit` changes what it likes of the record. While an owner is attached, only whoever is attached
// may: kRefused `not-the-owner`.
using Edit = std::function<Result<>(WorkspaceRecord& record)>;
Result<WorkspaceRecord> change(const SessionStore& store, std::string_view name, const Claim& claim,
                               const Edit& edit);

enum class Force : bool { kNo, kYes };
struct EndResult {
  bool changed = false;  // false: it had ended before
  WorkspaceRecord record{};
};
// kBusy `attached` while anybody else is attached, unless forced; who is attached then stays so,
// and keeps the directory from being collected.
Result<EndResult> end(const SessionStore& store, std::string_view name, const Claim& claim,
                      std::string reason, Force force, const Clock& clock);

// "pid 41 (pts/3), attached since 2026-…"
std::string attachment_text(const Attachment& attachment);

}  // namespace holdfast::session
