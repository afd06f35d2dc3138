// SPDX-License-Identifier: Apache-2.0
//
// Paths as the system knows them now: where relative ones start, what an open directory is called,
// how a name is spelled; and an open file by way of itself. They serve people, records and children; whoever acts uses a handle,
// because a path may be swapped. (What is only text: base/path_text.h.)
#pragma once

#include <string>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"
#include "os/path/safe_name.h"

namespace holdfast::os {

// The directory that relative paths start from, as an absolute path. Fails where it was removed or
// cannot be named; a relative path then has no meaning and must not be guessed.
Result<std::string> working_dir();

// A path that means the same from everywhere, for records and for children that
// run elsewhere.
//
// POSIX: an absolute path as it is, any other behind the working directory; nothing is tidied up,
// because `..` behind a link means what the kernel says that it means. Windows: drive, backslashes,
// no `.` and `..` (the system itself takes them away by the text there); a device or a stream is
// kRefused `unsafe-name`.
Result<std::string> absolute_from_here(const std::string& path);

// The path of an open directory with every link on the way resolved. Fails where the directory was removed or cannot be named (outside this root).
Result<std::string> real_path_of(const Dir& dir);

// The name of an entry as its directory has it. What is derived from a name, above all the sidecar
// of a file's lock, must be the same for everybody who means the file.
//
// Windows: one file answers to `Data`, `DATA` and, where the volume makes short names, `DATA-2~1`;
// the answer is the long name in its own case. For a name that nobody has, and for a link, which is
// not followed, it is `name` itself. Linux: always `name`, since a name is its bytes there.
//
// Limits: of a file that does not exist yet, two spellings are two names until it does; on Windows
// they differ in case only, and so do the names derived from them, which are one file. Errors: see
// os_error.h; where it cannot be told.
Result<SafeName> canonical_name(const Dir& dir, SafeName name);

// The same file once more, read-only, with a position of its own.
//
// A handle that a command inherits shares its position and its rights with ours; this one shares
// neither. It goes by the open file, not by its name, so it reaches a file without one
// (os/file/staged_file.h) and cannot be led to another by a rename.
//
// Errors: kOsRefused `no-proc`: it needs /proc, and there is none here or it is not the kernel's;
// else as opening the file: the mode may not let us read it. Windows: ReOpenFile.
Result<File> reopen_for_reading(const File& file);

// A path by which another process can read a file that is open here, while it is.
//
// Linux: by this process and the descriptor (/proc/PID/fd/N): the file needs no name. Windows: its
// name; a stage has one there (os/file/staged_file.h).
std::string open_path_of(const File& file);

}  // namespace holdfast::os
