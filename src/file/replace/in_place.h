// SPDX-License-Identifier: Apache-2.0
//
// Writing into a file in place, for one whose name cannot be given to another file (a single-file
// bind mount). It is not atomic for readers: they may see a mixture while it lasts. It is for the
// file's fate: a crash leaves `.NAME.hf-undo` with the old content, and the next job puts it back.
//
//   undo file, whole and durable → gate → new bytes over the old → cut to length → gate left → sync
//   → undo removed
//
// Sequence: under the directory's lock, restore_leftover first, then write_in_place. Both need the
// lock, so an undo file that is seen under it belongs to a writer that is gone.
//
// Errors of write_in_place: the old content is back, or, where putting it back failed as well, the
// error says that the undo file has it.
// Errors of restore_leftover: kCorrupt `undo-damaged`; kRefused `undo-of-another-file` (the file
// was replaced since); a newer version is kCannotTell. Nothing was changed then, and nothing should
// be until a person has looked.
#pragma once

#include <cstdint>

#include "base/commit_gate.h"
#include "base/digest.h"
#include "base/result.h"
#include "file/replace/old_file.h"
#include "file/replace/target.h"
#include "os/file/file.h"

namespace holdfast::file {

Result<os::SafeName> undo_name(const os::SafeName& name);

// Is an undo file there?
Result<bool> has_leftover(const Target& target);
// False where there was none: a writer that was not cut short has removed it meanwhile.
// True: it was there, and the old content is back. What the file has had last goes to a backup
// first (backup.h), because somebody may have mended it by hand since.
Result<bool> restore_leftover(const Target& target);

struct InPlace {
  const OldFile& old;
  const Digest& old_digest;
  const os::File& staged;
  std::uint64_t size = 0;
  std::optional<std::uint32_t> mode{};  // where it shall change
  CommitGate* gate = nullptr;           // passed while the bytes are written
};
// kNotDurable where the new content is in place but the sync of the directory failed.
Result<> write_in_place(const Target& target, const InPlace& what);

}  // namespace holdfast::file
