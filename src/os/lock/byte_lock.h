// SPDX-License-Identifier: Apache-2.0
//
// Locks on single bytes of a file, by open file description (OFD), and flock on a whole file.
//
// Guarantee: two descriptions, of one process or of two, never both have the same byte unless both
// have it shared. The kernel gives it back when the last copy of the descriptor is closed: also
// after a kill, and while the process is a zombie. Bytes may lie past the end of the file.
//
// Limits: a copy made by fork or dup shares the lock: unlocking through one unlocks for all. One
// byte has one mode per description; asking for the other mode changes it, and a change from shared
// to exclusive that is refused leaves it shared. The file must be open for writing to have a byte
// exclusively. Not for network file systems (os/file/file_system.h).
//
// Windows: LockFileEx. There a lock goes with the process that took it, and a child that inherits
// the handle has no part in it: what a child shall carry on is a file that denies others
// (deny_file.h). Locked bytes cannot be read or written by others, so all but the interop byte lie
// behind the end of the file. A part of a range is not unlocked (`unsupported`); a change from
// shared to exclusive is two steps. Asking whether a byte is taken takes it for a moment; every try
// is therefore made a few times. A killed process may let go some milliseconds after its end. flock
// is the byte 0: the one that users of msvcrt.locking lock.
//
// Errors: os_error.h (`enolck`). "Held by another" is an answer.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/file/file.h"

namespace holdfast::os {

enum class Share : std::uint8_t { kExclusive, kShared };

// false: another has it.
Result<bool> try_lock_byte(const File& file, std::uint64_t offset, Share share);
Result<> unlock_byte(const File& file, std::uint64_t offset);
// The same for `count` bytes in one step: all or none, and nobody sees a part of it. 0: all bytes
// from `offset` on.
Result<bool> try_lock_bytes(const File& file, std::uint64_t offset, std::uint64_t count,
                            Share share);
Result<> unlock_bytes(const File& file, std::uint64_t offset, std::uint64_t count);
// For a description that has none but these: others may go with them.
Result<> unlock_at_least(const File& file, std::uint64_t offset, std::uint64_t count);
// Would `share` be refused because of another description? Changes nothing.
Result<bool> is_byte_taken(const File& file, std::uint64_t offset, Share share);
// The same for any byte from `offset` on.
Result<bool> is_any_byte_taken(const File& file, std::uint64_t offset);

// flock(2) on the file itself. A refused try leaves a lock that this description had as it was only
// where it asks for the same share: never change shared to exclusive with it.
Result<bool> try_flock(const File& file, Share share);
Result<> unlock_flock(const File& file);

// Keeps cleaners away from an open lock file. Linux: a shared flock, if it is to be had, which
// those of temporary directories respect. Windows: the name can be neither removed nor given to
// another file while this one is open.
Result<> pin_lock_file(const File& file);

}  // namespace holdfast::os
