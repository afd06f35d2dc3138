// SPDX-License-Identifier: Apache-2.0
//
// The trash: where workspaces go before they are removed for good, and how they get there.
//
//   sessions/.holdfast-trash/<escaped name>.<hex id>/            the record's directory, as it was
//   sessions/.holdfast-trash/<escaped name>.<hex id>.note.json   when, why and for how long
//   sessions/.holdfast-trash/.purging-<escaped name>.<hex id>/   of which parts may be gone already
//   PARENT/.holdfast-trash/<base>.<hex id>/                      a directory outside of the home
//
// The note lies beside the workspace and not in it: what is in it is its agent's, whatever its
// name. It is there, whole, before the workspace comes (own_file.h): a power cut leaves no empty
// one.
//
// Guarantees: everything moves by one rename on one file system that never replaces; nothing is
// copied. A trash that is a link, of another owner, or open to others in any way is not used:
// kRefused `trash-unsafe`. Of a directory outside see gc/outside_trash.h.
//
// The directory outside goes first, then the record: death in between leaves a record that still
// says where the rest is, and the next clean-up goes on. Where the record cannot follow, the
// directory goes back. Both names follow from the record.
//
// Errors: `trash-unsafe`, `trash-name-taken`, those of gc/outside_trash.h, and the system's word
// (`exdev`, `ebusy`, `eperm`): nothing of this step has happened then.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/session/gc_plan.h"
#include "format/session/workspace_record.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"
#include "session/record/layout.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {

using session::trash_dir_name;

// Beside what lies in the trash, on Windows (os/dir/dir_names.h).
constexpr os::NameLiteral trash_holds_name() { return os::NameLiteral(".holdfast-holds"); }

// Made where it is missing.
Result<os::Dir> open_trash(const os::Dir& parent);
// nullopt: there is none.
Result<std::optional<os::Dir>> find_trash(const os::Dir& parent);

using session::trash_name;
struct TrashName {
  std::string file_name{};
  Id128 id{};
  bool purging = false;
};
std::optional<TrashName> parse_trash_name(std::string_view name);
// Is there anything under its name and id, also on its way out?
Result<bool> is_in_trash(const os::Dir& parent, const os::SafeName& file_name, const Id128& id);
// `name` as trash_name gave it.
Result<os::SafeName> purging_name(std::string_view name);
Result<os::SafeName> note_name(std::string_view name);

// nullopt: there is none. One that cannot be read (damaged, of a newer version, not the caller's
// own) is an error: nobody knows how long it is to stay.
Result<std::optional<TrashNote>> read_note(const os::Dir& trash, std::string_view name);
Result<> write_note(const os::Dir& trash, std::string_view name, const TrashNote& note,
                    os::Durability durability);
Result<> remove_note(const os::Dir& trash, std::string_view name);

// All of a workspace that is held, and which stays open at its new place. Without a note it is to
// be purged at once, and gets its
// `.purging-` name right away. `trash` is that of sessions/. The name that it has there then.
Result<os::SafeName> move_to_trash(const session::SessionStore& sessions, const os::Dir& trash,
                                   session::WorkspaceHold& hold, const TrashNote* note);
// Of a session without a workspace, whose name is held.
Result<os::SafeName> move_run_to_trash(const session::SessionStore& sessions, const os::Dir& trash,
                                       session::SessionDir& dir, const Id128& run,
                                       const TrashNote* note);

}  // namespace holdfast::gc
