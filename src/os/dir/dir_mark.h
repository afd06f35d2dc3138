// SPDX-License-Identifier: Apache-2.0
//
// A mark on a directory: a few bytes that go where the directory goes, whatever it is renamed to,
// and that are in nobody's way inside of it.
//
// Limits: the owner of the directory can change and remove it, and `cp -a` copies it: the bytes
// must say which directory they are meant for. kNotOffered where the file system keeps no such
// bytes or has no room for them, or the caller may not write them; then there is no mark, which is
// no error.
//
// Platform: the extended attribute `user.holdfast` on Linux; never offered on Windows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

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
