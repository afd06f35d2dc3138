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
// exclusively. Not for network file systems (os/file_system.h).
//
// Errors: os_error.h (`enolck`). "Held by another" is an answer.
// Platform: Linux.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/file.h"

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
// Would `share` be refused because of another description? Changes nothing.
Result<bool> is_byte_taken(const File& file, std::uint64_t offset, Share share);
// The same for any byte from `offset` on.
Result<bool> is_any_byte_taken(const File& file, std::uint64_t offset);

// flock(2) on the file itself. A refused try leaves a lock that this description had as it was only
// where it asks for the same share: never change shared to exclusive with it.
Result<bool> try_flock(const File& file, Share share);
Result<> unlock_flock(const File& file);

}  // namespace holdfast::os
