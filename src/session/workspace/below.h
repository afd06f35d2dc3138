// SPDX-License-Identifier: Apache-2.0
//
// Who works below a workspace, beside those on its record: whatever was started below an
// attachment (`workspace attach S -- CMD`), and every run that works in a workspace's directory.
//
//   harness.below   0600  empty; locks on its bytes (os/lock/byte_lock.h)
//
// An attachment names one process. If that is the front end of a run, a kill ends the attachment,
// and the run goes on. So the command of an attachment inherits a lock on one byte, and each run
// below takes one more for itself, which its command inherits: python's subprocess closes what it
// was not told to pass on, and a detached run leaves its caller's descriptors behind. Which
// attachments a process works below says HOLDFAST_ATTACHED.
//
// Guarantees: whoever has a byte keeps the directory from `gc`, until the last process that
// inherited it has ended. gc shuts the file (nobody has a byte, and nobody gets one) and then moves
// the directory, so no run begins in a directory that leaves its name. Needs no writing, and leaves
// nothing behind that is stale.
//
// Limits: a process that closed the descriptor and is not `holdfast run` is not seen. A run below
// that begins after its workspace is gone works nowhere of the workspace's, and is let go. On
// Windows no child inherits a lock: there a run's tree ends with its supervisor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"
#include "base/result.h"
#include "os/dir/dir.h"
#include "session/workspace/workspace.h"

namespace holdfast::session {

// One attachment that a process works below.
struct BelowEntry {
  std::string name{};  // of the workspace
  Id128 session{};
  std::uint64_t place{};    // of the attachment: below_place()
  std::string directory{};  // of its record, absolute

  bool operator==(const BelowEntry&) const = default;
};
using BelowChain = std::vector<BelowEntry>;  // the outermost first
inline constexpr std::size_t kMaxBelow = 32;

inline constexpr const char* kAttachedVariable = "HOLDFAST_ATTACHED";
// What it says. kCorrupt `bad-attached`: whoever cannot read it must not start anything that
// would go unseen; a later version is kCannotTell.
std::string encode_below(const BelowChain& chain);
Result<BelowChain> decode_below(std::string_view text);  // "" is an empty one

// The byte that stands for an attachment; the next one is that of its command. It gives the token
// away to nobody.
std::uint64_t below_place(const Id128& token);

// For the command of an attachment to inherit. Under the workspace's lock.
Result<WorkspaceLock> hold_below_command(const os::Dir& dir, const Id128& token);

// For a run: one for each of `chain` that is there, and one for the workspace whose directory in a
// home holds `working` (absolute; empty: none is looked for). Errors: kBusy `workspace-busy`, where
// `gc` is about to remove one of them; what cannot be read.
Result<std::vector<WorkspaceLock>> hold_below(const BelowChain& chain, std::string_view working);

// Who is there now. A file that cannot be asked is an Error, and means that somebody is.
class BelowNow {
 public:
  static Result<BelowNow> look(const os::Dir& dir);
  [[nodiscard]] bool anybody() const { return anybody_; }
  // A run below the attachment with this token.
  [[nodiscard]] Result<bool> run(const Id128& token) const;
  // That, or anything that its command left behind.
  [[nodiscard]] Result<bool> any_of(const Id128& token) const;

 private:
  std::optional<os::File> file_;
  bool anybody_ = false;
};

// Under the workspace's lock: from now on nobody gets a byte, as long as `shut` is there (on
// Windows the directory could not be moved then: there it is the lock alone that keeps others out).
struct BelowShut {
  bool empty = false;  // false: somebody is there, and nothing was shut
  WorkspaceLock shut{};
};
Result<BelowShut> shut_below(const os::Dir& dir);

}  // namespace holdfast::session
