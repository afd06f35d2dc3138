// SPDX-License-Identifier: Apache-2.0
//
// The one step: a staged file takes the place of what was looked at before, and of nothing else.
//
// Under the directory's lock. The content must be staged, synced as far as it shall be, and have
// its metadata. The directory is not synced here.
//
// Answers: kDone, or kChanged where something else is there than `old`, or the file got a lock
// (nothing was changed then, or it was put back). Errors: those of the gate; kRefused
// `is-mount-point`; kBusy `changed-meanwhile` where two others interfered at once and the staged
// file is lost; else see os_error.h: nothing was changed unless the error says so.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/commit_gate.h"
#include "base/result.h"
#include "file/replace/old_file.h"
#include "file/replace/target.h"
#include "os/file/staged_file.h"

namespace holdfast::file {

enum class SwapAnswer : std::uint8_t { kDone, kChanged };

struct Swapped {
  SwapAnswer answer = SwapAnswer::kDone;
  // The old file, under the stage's name, which the StagedFile removes when it goes. None where the
  // file system cannot exchange names, or there was no old file.
  std::optional<os::SafeName> displaced{};
  // It is done, but whether what was displaced is the old file could not be seen, and it could not
  // be undone: what was displaced is kept, and this says where.
  std::optional<Error> trouble{};
};

struct SwapTerms {
  CommitGate* gate = nullptr;  // passed around the step, with the look at what was displaced
  // Called, outside of the gate, where names cannot be exchanged, so that nothing will be
  // displaced; its Error ends it, and nothing was changed.
  std::function<Result<>()> before_plain_rename;
  // Has the file got a lock that it did not have (edit_lock.h)? Then the answer is kChanged. Asked
  // after an exchange, which is then undone; else just before the step.
  std::function<bool()> is_locked_by_now = [] { return false; };
};

// `old` is null where there must be no file. Where an open file holds its name (os/file/metadata.h) it
// is closed first.
Result<Swapped> swap_in(const Target& target, os::StagedFile& stage, OldFile* old,
                        const SwapTerms& terms);

}  // namespace holdfast::file
