// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: two terminals resume one conversation at once. Each reads that nobody
// owns the workspace, and each goes on. So what is asked (is there an owner?) and what is written
// (I am it) happen under one lock, on a record that was read with the lock in hand.
//
// The other one: an owner dies, its number goes to a stranger, and the workspace is never free
// again, or, worse, an owner in another container looks dead from here. Both are the judge's
// business (proc/identity/verdict.h): the number alone says nothing, and whom nobody can judge is
// there.
#include "session/workspace/workspace_attach.h"

#include <algorithm>

#include "base/cause.h"
#include "format/text/rfc3339.h"
#include "os/machine/random.h"
#include "os/path/path.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "session/workspace/below.h"
#include "session/workspace/outside.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::session {
namespace {

Error workspace_attach_problem(ErrorCode code, std::string_view op, std::string_view name,
                               std::string_view cause, std::string detail) {
  return {.code = code,
          .op = std::string(op),
          .subject = "'" + std::string(name) + "'",
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

// The workspace, locked, and who is there now.
struct Opened {
  WorkspaceHold hold;
  WorkspaceRecord record;  // without the attachments of the dead
};

Result<Opened> open(const SessionStore& store, std::string_view name, std::string_view op) {
  auto hold = HF_TRY(WorkspaceHold::take(store, name, kWorkspaceLockWait));
  if (!hold) {
    return fail(
        workspace_attach_problem(ErrorCode::kNotFound, op, name, cause::kNoSuchWorkspace,
                                 "there is no workspace of this name; `holdfast workspace list "
                                 "--all` shows those that there are"));
  }
  WorkspaceRecord record = hold->record();
  record.attached = attached_now(record, &hold->dir()).there;
  return Opened{.hold = *std::move(hold), .record = std::move(record)};
}

Result<> check_usable(const WorkspaceRecord& record, std::string_view op) {
  if (record.state == WorkspaceState::kEnded) {
    return fail(workspace_attach_problem(
        ErrorCode::kRefused, op, record.name, "ended",
        "it has ended, and is left to `holdfast gc`; make a new one with `holdfast "
        "workspace new`"));
  }
  if (record.state == WorkspaceState::kReserved) {
    return fail(workspace_attach_problem(
        ErrorCode::kRefused, op, record.name, "not-ready",
        "its directory is still being made, or whoever made it died over it, and "
        "`holdfast gc` will remove it"));
  }
  return {};
}

// Whoever attaches works there next. A directory outside that is not in its place was removed, or a
// clean-up has moved it and died before it could go on.
Result<> check_directory(const SessionStore& store, const WorkspaceRecord& record,
                         std::string_view op) {
  if (!record.outside) return {};
  const std::string path = HF_TRY(directory_of(store, record));
  const auto dir = os::Dir::open(path);
  if (dir) {
    const auto entry = HF_TRY(confirmed_outside(store, record));
    if (entry && HF_TRY(is_directory_of(*entry, *dir))) return {};
    return fail(workspace_attach_problem(ErrorCode::kRefused, op, record.name, "replaced",
                                         "what is at " + path +
                                             " is not its directory: somebody put another one in "
                                             "its place"));
  }
  if (dir.error().code != ErrorCode::kNotFound) return fail(dir.error());
  return fail(workspace_attach_problem(
      ErrorCode::kRefused, op, record.name, "directory-gone",
      "its directory " + path +
          " is not there; `holdfast gc` brings it back where a clean-up that died "
          "left it in the trash beside its place"));
}

const Attachment* owner_of(const WorkspaceRecord& record) {
  const auto found = std::ranges::find(record.attached, false, &Attachment::guest);
  return found != record.attached.end() ? &*found : nullptr;
}

Error not_attached(std::string_view op, std::string_view name, bool by_token) {
  return workspace_attach_problem(
      ErrorCode::kRefused, op, name, cause::kNotAttached,
      by_token ? "this token is not that of anybody who is attached; nothing was changed"
               : "the calling process is not attached to it; give the token with --token, "
                 "`--token @FILE` or HOLDFAST_TOKEN");
}

// nullptr: nobody that this claim is of.
Result<const Attachment*> claimed(const WorkspaceRecord& record, const Claim& claim,
                                  std::string_view op) {
  const std::vector<Attachment>& all = record.attached;
  if (claim.token) {
    const auto found = std::ranges::find(all, *claim.token, &Attachment::token);
    if (found != all.end()) return &*found;
    if (!claim.maybe_other) return fail(not_attached(op, record.name, true));
  }
  const Attachment* newest = nullptr;
  if (claim.process) {
    for (const Attachment& one : all) {
      if (one.process == claim.process) newest = &one;
    }
  }
  return newest;
}

// Who wrote last was here.
Result<> write_renewed(Opened& opened) {
  opened.record.renewed = HF_TRY(boot_moment_now());
  HF_TRY(opened.hold.write(opened.record, os::Durability::kFull));
  opened.record = opened.hold.record();
  return {};
}

// Whoever is attached must have the token, also where a power cut could still undo it.
Result<Attached> write_attached(Opened& opened, const Id128& token, bool command) {
  Attached attached{.token = token, .record = {}, .not_durable = {}, .below = {}, .entry = {}};
  if (command) {
    const os::Dir& dir = opened.hold.dir();
    attached.below = HF_TRY(hold_below_command(dir, token));
    attached.entry = {.name = opened.record.name,
                      .session = opened.record.id,
                      .place = below_place(token),
                      .directory = HF_TRY(os::absolute_from_here(dir.path()))};
  }
  auto written = write_renewed(opened);
  if (!written && written.error().code != ErrorCode::kNotDurable) {
    return fail(std::move(written).error());
  }
  if (!written) attached.not_durable = std::move(written).error();
  attached.record = opened.hold.record();
  return attached;
}

Result<Id128> add(Opened& opened, const AttachRequest& request, std::string_view op,
                  const Clock& clock) {
  WorkspaceRecord& record = opened.record;
  if (const Attachment* owner = owner_of(record); owner != nullptr && !request.guest) {
    const bool own = request.process && owner->process == request.process;
    return fail(workspace_attach_problem(
        ErrorCode::kBusy, op, record.name, "owned",
        "it has an owner: " + attachment_text(*owner) +
            (own ? ", which is the caller itself; it may leave with `holdfast "
                   "workspace detach`"
                 : "; --guest attaches beside it")));
  }
  if (record.attached.size() >= kMaxAttached) {
    return fail(workspace_attach_problem(
        ErrorCode::kBusy, op, record.name, "too-many",
        "there are " + std::to_string(kMaxAttached) + " attached already"));
  }
  const Id128 token = HF_TRY(os::random_id());
  record.attached.push_back({.token = token,
                             .process = request.process,
                             .guest = request.guest,
                             .since = clock.wall(),
                             .what = request.what});
  return token;
}

}  // namespace

std::string attachment_text(const Attachment& attachment) {
  std::string text = attachment.process ? "pid " + std::to_string(attachment.process->pid)
                                        : std::string("somebody without a process");
  if (!attachment.what.empty()) text += " (" + attachment.what + ")";
  return text + ", attached since " + format_rfc3339(attachment.since);
}

Result<Attached> attach(const SessionStore& store, std::string_view name,
                        const AttachRequest& request, const Clock& clock) {
  constexpr std::string_view kOp = "attach to the workspace";
  Opened opened = HF_TRY(open(store, name, kOp));
  HF_TRY(check_usable(opened.record, kOp));
  HF_TRY(check_directory(store, opened.record, kOp));
  const Id128 token = HF_TRY(add(opened, request, kOp, clock));
  return write_attached(opened, token, request.command);
}

Result<Attached> resume(const SessionStore& store, std::string_view name,
                        const AttachRequest& request, const Clock& clock) {
  constexpr std::string_view kOp = "resume the workspace";
  Opened opened = HF_TRY(open(store, name, kOp));
  HF_TRY(check_usable(opened.record, kOp));
  if (!opened.record.resume_id) {
    return fail(workspace_attach_problem(
        ErrorCode::kNotFound, kOp, name, "no-resume-id",
        "none is recorded; `holdfast workspace set NAME --resume-id ID` records one"));
  }
  HF_TRY(check_directory(store, opened.record, kOp));
  AttachRequest as_owner = request;
  as_owner.guest = false;
  const Id128 token = HF_TRY(add(opened, as_owner, kOp, clock));
  ++opened.record.resumes;
  return write_attached(opened, token, request.command);
}

Result<> rebind(const SessionStore& store, std::string_view name, const Id128& token,
                const ProcessIdentity& process) {
  constexpr std::string_view kOp = "stay attached to the workspace";
  Opened opened = HF_TRY(open(store, name, kOp));
  const auto found = std::ranges::find(opened.record.attached, token, &Attachment::token);
  if (found == opened.record.attached.end()) return fail(not_attached(kOp, name, true));
  found->process = process;
  auto written = opened.hold.write(opened.record, os::Durability::kFull);
  if (!written && written.error().code == ErrorCode::kNotDurable) return {};
  return written;
}

Result<Detached> detach(const SessionStore& store, std::string_view name, const Claim& claim) {
  constexpr std::string_view kOp = "detach from the workspace";
  Opened opened = HF_TRY(open(store, name, kOp));
  // Looked for among the dead too: the command of `attach -- CMD` has ended when it is detached.
  const Attachment* const mine = HF_TRY(claimed(opened.hold.record(), claim, kOp));
  if (mine == nullptr) return fail(not_attached(kOp, name, false));
  Detached detached{.who = *mine, .left = 0, .record = {}};
  std::erase_if(opened.record.attached,
                [&](const Attachment& one) { return one.token == detached.who.token; });
  HF_TRY(write_renewed(opened));
  detached.left = opened.record.attached.size();
  detached.record = std::move(opened.record);
  return detached;
}

Result<Left> leave(const SessionStore& store, std::string_view name, const Id128& token) {
  {
    const Opened opened = HF_TRY(open(store, name, "detach from the workspace"));
    const auto& all = opened.hold.record().attached;
    const bool mine = std::ranges::find(all, token, &Attachment::token) != all.end();
    if (mine && HF_TRY(HF_TRY(BelowNow::look(opened.hold.dir())).any_of(token))) {
      return Left{.stays = true};
    }
  }
  return Left{.stays = false, .detached = HF_TRY(detach(store, name, {.token = token}))};
}

Result<std::vector<Attachment>> detach_unseen(const SessionStore& store, std::string_view name) {
  constexpr std::string_view kOp = "detach others from the workspace";
  Opened opened = HF_TRY(open(store, name, kOp));
  std::vector<Attachment> gone;
  std::erase_if(opened.record.attached, [&](const Attachment& one) {
    const bool runs =
        one.process && proc::judge(proc::from_record(*one.process)).life == proc::Life::kLive;
    if (!runs) gone.push_back(one);
    return !runs;
  });
  if (gone.empty()) {
    return fail(workspace_attach_problem(
        ErrorCode::kRefused, kOp, name, cause::kNotAttached,
        opened.record.attached.empty() ? "nobody is attached to it"
                                       : "whoever is attached to it runs: " +
                                             attachment_text(opened.record.attached.front())));
  }
  // Nobody knows when they left; a ttl runs from now on.
  HF_TRY(write_renewed(opened));
  return gone;
}

Result<WorkspaceRecord> change(const SessionStore& store, std::string_view name, const Claim& claim,
                               const Edit& edit) {
  constexpr std::string_view kOp = "change the workspace";
  Opened opened = HF_TRY(open(store, name, kOp));
  HF_TRY(check_usable(opened.record, kOp));
  const Attachment* const mine = HF_TRY(claimed(opened.record, claim, kOp));
  const Attachment* const owner = owner_of(opened.record);
  if (mine == nullptr && owner != nullptr) {
    return fail(workspace_attach_problem(
        ErrorCode::kRefused, kOp, name, "not-the-owner",
        "it has an owner: " + attachment_text(*owner) +
            "; give a token of whoever is attached, with --token, `--token @FILE` "
            "or HOLDFAST_TOKEN"));
  }
  HF_TRY(edit(opened.record));
  HF_TRY(write_renewed(opened));
  return std::move(opened.record);
}

Result<EndResult> end(const SessionStore& store, std::string_view name, const Claim& claim,
                      std::string reason, Force force, const Clock& clock) {
  constexpr std::string_view kOp = "end the workspace";
  Opened opened = HF_TRY(open(store, name, kOp));
  WorkspaceRecord& record = opened.record;
  if (claim.session && record.id != *claim.session) {
    return fail(
        workspace_attach_problem(ErrorCode::kNotFound, kOp, name, cause::kNoSuchWorkspace,
                                 "the workspace with this id is gone, and this name is another "
                                 "workspace's now; nothing was changed"));
  }
  if (record.state == WorkspaceState::kEnded) {
    return EndResult{.changed = false, .record = std::move(record)};
  }
  // Its maker is at it; or it died, and gc, which sees that, needs to know what was being made.
  if (record.state == WorkspaceState::kReserved) return fail(check_usable(record, kOp).error());
  if (const Attachment* const mine = HF_TRY(claimed(record, claim, kOp)); mine != nullptr) {
    const Attachment own = *mine;
    std::erase_if(record.attached, [&](const Attachment& one) {
      return one.token == own.token || (own.process && one.process == own.process);
    });
  }
  if (!record.attached.empty() && force == Force::kNo) {
    const std::size_t others = record.attached.size() - 1;
    return fail(workspace_attach_problem(
        ErrorCode::kBusy, kOp, name, "attached",
        "somebody works in it: " + attachment_text(record.attached.front()) +
            (others == 0 ? std::string() : ", and " + std::to_string(others) + " more") +
            "; --force ends it all the same"));
  }
  record.state = WorkspaceState::kEnded;
  record.ended = WorkspaceEnd{.at = clock.wall(), .reason = std::move(reason)};
  HF_TRY(opened.hold.write(record, os::Durability::kFull));
  return EndResult{.changed = true, .record = opened.hold.record()};
}

}  // namespace holdfast::session
