// SPDX-License-Identifier: Apache-2.0
//
// What a directory has beside its entries, by its handle: owner, mode and access lists, its birth, a
// mark of ours; and whether this process could make something in it. (metadata.h has what concerns
// files.)
//
// Errors: see os_error.h; kRefused `unsupported` for an owner by number on Windows, where set_mode
// gives the list that make_dir gives for that mode, and every thing has an access list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::os {

// Clears the set-group-id bit where the system does; so set the mode afterwards.
Result<> set_owner(const Dir& dir, std::uint32_t uid, std::uint32_t gid);
// Exactly `mode`, whatever the umask.
Result<> set_mode(const Dir& dir, std::uint32_t mode);

// Does an access list say more about who may do what than mode and owner do?
Result<bool> has_access_list(const Dir& dir);
Result<bool> has_access_list(const File& file);

// An early and clear refusal: kOsRefused where rights, a read-only file system or a flag forbid to
// make a name in `dir`. The act itself is refused all the same.
Result<> check_may_create(const Dir& dir);

// When a directory was made, by its file system: what tells it from a later one with the same
// number, because inodes are given out again. A rename does not change it.
//
// Limits: not every file system has it, and not every kernel or filter knows the call: 0 then.
//
// Nanoseconds since 1970; 0: it is not told.
Result<std::int64_t> birth_time_of(const Dir& dir);

// A mark on a directory: a few bytes that go where the directory goes, whatever it is renamed to,
// and that are in nobody's way inside of it.
//
// Limits: the owner of the directory can change and remove it, and `cp -a` copies it: the bytes
// must say which directory they are meant for. kNotOffered where the file system keeps no such
// bytes or has no room for them, or the caller may not write them; then there is no mark, which is
// no error.
//
// Platform: the extended attribute `user.holdfast` on Linux; never offered on Windows.
enum class Marked : std::uint8_t { kMarked, kTaken, kNotOffered };

// Does this system have marks at all?
bool offers_marks();

// Never replaces one that is there: kTaken.
Result<Marked> put_mark(const Dir& dir, std::string_view bytes);
// nullopt: there is none, or none is offered.
Result<std::optional<std::string>> mark_of(const Dir& dir);
// Also where there is none.
Result<> remove_mark(const Dir& dir);

}  // namespace holdfast::os
