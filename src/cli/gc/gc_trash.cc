// SPDX-License-Identifier: Apache-2.0
#include "cli/gc/gc_trash.h"

#include "cli/frame/commands.h"
#include "runtime/runtime.h"
#include "session/workspace/workspace.h"

namespace holdfast::cli {

Result<TrashSeen> look_into_trash(const Context& context) {
  TrashSeen seen;
  seen.sessions = HF_TRY(context.runtime().find_sessions());
  if (seen.sessions == nullptr) return seen;
  const BootMoment now = HF_TRY(session::boot_moment_now());
  seen.entries = HF_TRY(gc::list_trash(*seen.sessions, now, context.runtime().clock().wall()));
  return seen;
}

Result<gc::TrashEntry> find_in_trash(const TrashSeen& seen, const std::string& name,
                                     const std::optional<std::string>& id) {
  for (const gc::TrashEntry& entry : seen.entries) {  // of one name, the newest first
    if (entry.name == name && (!id || to_hex(entry.id).starts_with(*id))) return entry;
  }
  return fail({.code = ErrorCode::kNotFound,
               .op = "find in the trash",
               .subject = "'" + name + "'",
               .cause = "not-in-trash",
               .detail = "it is not there (any more); `holdfast trash list` shows what is"});
}

std::vector<Block> trash_manual() {
  return {
      heading("Where it is"),
      paragraph(
          "`holdfast gc` moves a dead workspace to `sessions/.holdfast-trash` in the home, and "
          "a directory outside of the home to `.holdfast-trash` beside it. There it stays "
          "for a day (or as long as `gc --trash-for` said when it went), counted on the clock that "
          "nobody sets; across boots, since this one began."),
      heading("What comes back"),
      paragraph(
          "All files, under the old name and at the old place. The workspace counts as new: it "
          "is not ended, has no ttl, and nobody is attached. Its authority is remembered, "
          "and not asked: it is kept until its harness ends it, or sets an authority."),
  };
}

}  // namespace holdfast::cli
