// SPDX-License-Identifier: Apache-2.0
//
// Making a workspace.
//
// Guarantees: a name is given to one maker: it is taken by a rename that never replaces, not by a
// look and a creation. Whoever finds the name finds the whole workspace: its record, its lock and,
// in the home, the copy of the template. Death or failure at any step leaves no workspace, or the
// whole one, and otherwise only what is recognisable (below). The maker is attached as its owner
// from the first moment, so gc keeps its hands off as long as the maker lives.
//
// The steps, in the home:
//   1. sessions/.hf-stage-<id>/ (0700) with harness.lock, which is locked until the end: gc leaves
//   a
//      stage alone whose lock is held
//   2. the copy of the template (file/tree/copy_tree.h, which also says what is synced),
//      harness.json
//   3. sync; RENAME_NOREPLACE to the name
// With a directory outside of the home:
//   1. .hf-stage-<id of the record>/ beside the path, empty; its entry in the list of
//      session/workspace/outside.h; no other workspace has a directory above it
//   2. the record in the home as above, kReserved, with the path, and device and inode of the
//   stage;
//      its lock is held until the end
//   3. the copy of the template; sync; RENAME_NOREPLACE to the path; sync of the parent
//   4. the record becomes kReady
// A death between leaves the kReserved record of a dead owner. What it says is enough to clean up:
// the stage has its name from the record's id, and what has the path is ours only if it has the
// recorded device and inode. A death before the second step leaves the empty stage.
//
// Durability: what a name leads to after a power cut is the whole workspace, since everything in it
// was synced before it had the name. In the home the name itself is not waited for: a power cut
// within the next seconds (as long as the file system takes) may undo the making, and then nothing
// of it is left but perhaps its stage. Whoever worked in it is gone by then, too; and the first
// change of its record makes the name durable with it (workspace.h). Outside of the home every step
// is synced, so that there is no directory whose record is lost; where only the last sync failed
// the workspace is there, and `not_durable` says so.
//
// Limits: a file system without RENAME_NOREPLACE is an error, and nothing is made. An outside
// directory is as safe as its parent: who may rename there may put another one in its place, which
// its device and inode tell.
//
// Errors: kBusy `name-taken`, `path-taken`; kUsage for what is no name; kNotFound `no-parent`;
// kRefused `reserved-name`, `inside-home`, `inside-another-workspace`, `is-link`; those of
// file/tree/copy_tree.h. Platform: Linux only.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/session/workspace_record.h"
#include "os/dir/dir.h"
#include "session/record/store.h"

namespace holdfast::session {

struct WorkspaceRequest {
  std::optional<std::string> name{};  // none: made up from `prefix`
  std::string prefix = "s";
  // Absolute; `{name}` stands for the (escaped) name. None: in the home.
  std::optional<std::string> directory{};
  const os::Dir* from = nullptr;  // the template
  std::optional<Authority> authority{};
  std::optional<std::string> resume_id{};
  std::optional<Duration> ttl{};
  std::vector<std::pair<std::string, std::string>> fields{};
  std::optional<ProcessIdentity> owner{};  // none: attached until `detach`
  std::string what{};                      // about the owner, for people
};

struct WorkspaceMade {
  WorkspaceRecord record{};
  Id128 token{};  // of the owner
  std::optional<Error> not_durable{};
};

// A made-up name is the prefix, `-` and four characters; where those are taken (or their path is)
// others are tried, then longer ones, and then it is kBusy.
Result<WorkspaceMade> make_workspace(const SessionStore& store, const WorkspaceRequest& order,
                                     const Clock& clock);

// The record alone, for a directory that is there already (whose entry of
// session/workspace/outside.h is written before). kBusy `name-taken`; kNotDurable where it
// is there and only the last sync failed.
Result<> publish_workspace_record(const SessionStore& store, const WorkspaceRecord& record);

// Where the harness has its files, absolute. kRefused `not-confirmed`: the record names a directory
// outside that the list of session/workspace/outside.h does not know as this workspace's.
Result<std::string> directory_of(const SessionStore& store, const WorkspaceRecord& record);

// The directory of a workspace on its way to its name: `.hf-stage-` and the record's id.
os::SafeName workspace_stage_name(const Id128& id);

// Is this a name in a workspace's own directory that the harness's files cannot have?
bool is_session_file(std::string_view name);

}  // namespace holdfast::session
