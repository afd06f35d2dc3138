// SPDX-License-Identifier: Apache-2.0
//
// EditLock: the lock of a file that is about to be changed (rule F1a), for those who replace files
// and do not know what a lock is made of; behind it stand `.NAME.lock` and its ledger
// (lock/grant/local_lock.h). It is the long lock above the directory's: whoever reads a file under it,
// thinks, and writes it back, loses nothing to a change that is made here.
//
// A file whose lock nobody ever took has no `.NAME.lock`, and none is made for it: nobody can hold
// what is not there. The interleaving that this leaves open:
//
//   we       look: there is no lock
//   other    makes the lock, takes it, reads the file
//   we       change the file
//   other    writes back what it made of the old content: our change is lost
//
// So exists() is asked once more after the change, and a change that met a new lock is undone
// (swap.h) and made again under it.
#pragma once

#include <memory>

#include "base/cause.h"
#include "base/commit_gate.h"
#include "base/result.h"
#include "file/replace/target.h"

namespace holdfast::file {

class EditLock {
 public:
  // Held as long as this lives.
  class Hold {
   public:
    Hold() = default;
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    Hold(Hold&&) = delete;
    Hold& operator=(Hold&&) = delete;
    virtual ~Hold() = default;
    // What the change must pass: this lock, and those that the caller runs under.
    [[nodiscard]] virtual std::shared_ptr<CommitGate> gate() const = 0;
  };

  EditLock() = default;
  EditLock(const EditLock&) = delete;
  EditLock& operator=(const EditLock&) = delete;
  EditLock(EditLock&&) = delete;
  EditLock& operator=(EditLock&&) = delete;
  virtual ~EditLock() = default;

  // Waits for whoever has it, unless the caller runs under it. Null: there is none. Taken before
  // the directory's lock. Errors: kBusy `file-busy` naming the holder, `deadlock`, `budget`;
  // kConfig without a home; of lock/grant/backend.h.
  virtual Result<std::unique_ptr<Hold>> take(const Target& target) = 0;
  // What cannot be told counts as yes.
  [[nodiscard]] virtual bool exists(const Target& target) const = 0;
};

// An edit by a Replacement (replace.h), once more if the file got a lock meanwhile: then nothing
// was changed, and what was read may be old.
template <typename Edit>
auto with_new_lock(const Edit& edit) -> decltype(edit()) {
  constexpr int kMostTries = 16;  // somebody may remove and make it again and again
  for (int tries = 1;; ++tries) {
    auto done = edit();
    const bool again = !done && done.error().cause == cause::kLockedMeanwhile && tries < kMostTries;
    if (!again) return done;
  }
}

}  // namespace holdfast::file
