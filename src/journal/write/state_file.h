// SPDX-License-Identifier: Apache-2.0
//
// StateFile: `journal/state`, the notes that writers leave for each other (format/journal/journal_state.h).
//
// Guarantee: a note is written by one call into space that is already the file's, so it needs no
// room on a full disk (but on one that copies on write: btrfs, zfs); a reader sees a whole note or
// none. It is read with plain reads, never mapped: an outsider who truncates the journal's files
// must not be able to kill a writer (SIGBUS).
//
// Limit: the notes are not synced. Deleting the file costs what the notes knew: whether records
// were cut off behind our back, and the number of records that a full disk has dropped so far. A
// link, a directory or a file that cannot be written in its place stops every append.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/journal/journal_state.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

class StateFile {
 public:
  // Made where it is missing. Call it under the journal's lock.
  static Result<StateFile> open(const os::Dir& dir);
  // The same without making it; nullopt where there is none.
  static Result<std::optional<StateFile>> open_existing(const os::Dir& dir);

  struct Notes {
    std::string head_slot;  // raw, for a comparison without decoding
    std::optional<HeadNote> head;
    std::optional<SyncNote> sync;
    std::uint64_t poisoned = 0;  // the last segment whose sync failed; 0 where none did
    DropNote drop;
    bool spilled = false;
  };
  [[nodiscard]] Result<Notes> read() const;

  // The hot path: what is new since `slot` was the head slot? Decodes only what changed.
  struct Glance {
    struct Changed {
      std::string slot;
      std::optional<HeadNote> note;
    };
    std::optional<Changed> changed;
    std::uint64_t poisoned = 0;
    bool full = false;
    bool spilled = false;
  };
  [[nodiscard]] Result<Glance> glance(std::string_view slot) const;

  // Returns the slot as written.
  Result<std::string> write(const HeadNote& note);
  Result<> write(const SyncNote& note);
  Result<> write(const DropNote& note);
  Result<> write(const PoisonNote& note);
  Result<> set_spilled(bool spilled);

  [[nodiscard]] const os::File& file() const { return file_; }
  // Does the name still mean this file?
  [[nodiscard]] Result<bool> is_named(const os::Dir& dir) const;

 private:
  StateFile(os::File file, os::FileId id) : file_(std::move(file)), id_(id) {}

  os::File file_;
  os::FileId id_;
};

}  // namespace holdfast::journal
