// SPDX-License-Identifier: Apache-2.0
//
// What is in the trash of sessions/, and removing it for good.
//
// The age of what lies there is counted on the boot clock from the moment in its note; of another
// boot, from the start of this one (rule G4). Where the note is missing the time of its last change
// counts, by the wall clock, but never more than this boot has lasted; a time in the future is no
// age. Where there is a note that cannot be read (`newer-note`, `corrupt-note`), its time never
// comes: a person decides.
//
// The steps of a purge, each durable before the next where a power cut could tell them apart:
//   1. its directory is locked, and is still what was listed (the name leads to it, the same note)
//   2. what it has outside is in the trash beside its place, and the list of session/workspace/outside.h says
//      that it is its own
//   3. it gets its `.purging-` name: from now on it is not brought back, and every later purge goes
//      on with it
//   4. the directory outside goes, its entry in the list, the note, and then the rest
//
// Purging and restoring exclude each other by the lock on the entry's directory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/gc_plan.h"
#include "gc/options.h"
#include "os/dir/dir.h"
#include "os/dir/remove_tree.h"
#include "os/lock/blocked_wait.h"
#include "session/record/store.h"
#include "session/workspace/outside.h"

namespace holdfast::gc {

struct TrashEntry {
  std::string file{};  // in the trash
  std::string name{};  // of the workspace
  Id128 id{};
  bool purging = false;  // somebody has begun to purge it
  WallTime at{};
  Duration age{};
  Duration keep = kTrashFor;  // its time there, as it was when it came
  std::optional<TrashNote> note{};
  std::string reason{};      // why it went; empty: not known
  std::string directory{};   // of a workspace that had its files outside of the home
  std::string trouble{};     // it cannot be looked into: a stable word
  bool note_unread = false;  // there is a note that cannot be read: nobody knows its time

  [[nodiscard]] bool due() const { return purging || (!note_unread && age >= keep); }
};

// Sorted by name, the newest first, what is being purged last. What is no workspace of the trash is
// left out.
Result<std::vector<TrashEntry>> list_trash(const session::SessionStore& sessions,
                                           const BootMoment& now, WallTime wall);

struct Purge {
  bool gone = false;
  // It is not what was listed any more, or somebody else is at it: `busy`, `changed`, `gone`.
  bool busy = false;
  bool interrupted = false;
  std::string reason{};                 // of what is not gone: a stable word
  std::vector<os::TreeFault> faults{};  // the first of what could not be removed
};
// ": PATH: CAUSE, PATH: CAUSE", for one line of people's; empty where there are none.
std::string faults_text(const std::vector<os::TreeFault>& faults);
Purge purge(const session::SessionStore& sessions, const os::Dir& trash, const TrashEntry& entry,
            const os::Flag* stop = nullptr);

// Of what the caller has just moved there, under its `.purging-` name. kNone: nothing is outside.
enum class Outsides : bool { kLook, kNone };
Purge purge_moved(const session::SessionStore& sessions, const os::Dir& trash,
                  const os::SafeName& file, Outsides outsides, const os::Flag* stop = nullptr);

// The record of a workspace in the trash, which is known by its id: its name may be a new one,
// where it was to be brought back under that. kCorrupt `other-session`; nullopt: there is none.
Result<std::optional<WorkspaceRecord>> read_trashed(const os::Dir& dir, const Id128& id);
// What the list says of it; nullopt: nothing, or it is of another workspace that has its id.
Result<std::optional<session::OutsideEntry>> listed_outside(const session::SessionStore& sessions,
                                                            const std::string& name,
                                                            const Id128& id,
                                                            const std::optional<TrashNote>& note);
// Do the two say the same? Else kRefused `not-confirmed`.
Result<> check_outside(const std::optional<WorkspaceRecord>& record,
                       const std::optional<session::OutsideEntry>& listed);

// Everything in the trash whose time is over. What cannot be removed is a warning.
void purge_due(const Services& services, Report& report);

}  // namespace holdfast::gc
