// SPDX-License-Identifier: Apache-2.0
//
// Full paths; for src/os/*/*_win.cc only.
//
// Windows reads an ordinary path in surprising ways: it is cut at 260 characters, trailing dots and
// spaces vanish, `NUL` is a device, `a:b` a stream. A path that starts with `\\?\` is taken as it
// is, at any length. So a caller's path is made absolute once, every component of it is checked,
// and from then on only the `\\?\` form reaches the system.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// `path` as an absolute path with backslashes and without a trailing one (but `C:\`), `\\?\` left
// off. kRefused: `not-utf8`, or `unsafe-name` for a device, a stream or a NUL byte.
Result<std::string> absolute_path(std::string_view path);

// The form for system calls of a path that absolute_path made, or of one below it.
Result<std::wstring> extended_path(std::string_view absolute);

// The opposite, for answers of the system: `\\?\` cut off.
std::string plain_path(std::wstring_view extended);

// The same names, whatever their case? Compared by code units and the system's own table of cases,
// as the file system does; no language has a say.
bool same_path(std::string_view one, std::string_view other);

// `absolute` with its short names (`PROGRA~1`) spelled out; as it is where that cannot be told.
std::string long_path(const std::string& absolute);

// Where an open thing lies, every link resolved. An error where it has no such path (a volume
// without a letter). `path` is for messages.
Result<std::string> final_path(const Handle& handle, std::string_view path);

}  // namespace holdfast::os
