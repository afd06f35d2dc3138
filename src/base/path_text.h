// SPDX-License-Identifier: Apache-2.0
//
// Paths as text, on either platform; nothing is looked up.
//
// A separator is '/', on Windows '\' as well. A root is `/`; on Windows `C:\` and `\\server\share\`
// too. Names that a caller hands to the system go through os (SafeName, Dir), which judges them:
// this only cuts and joins. A shell is `/bin/sh -c`, on Windows `cmd /d /s /c`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

bool is_separator(char c);

// The one that this platform writes itself.
char path_separator();

// It names the same place whatever the working directory is. On Windows `/a` does not: it lies on
// the current drive.
bool is_absolute_path(std::string_view path);

// As is_absolute_path, but on Windows `/a` counts too: what a record of either platform may hold.
bool is_rooted_path(std::string_view path);

// How many characters of `path` are its root, with the separator behind it; 0: it is relative.
// On Windows `C:a` is relative, too.
std::size_t root_length(std::string_view path);

// The root and nothing else.
bool is_root_path(std::string_view path);

// Behind the last separator; all of it where there is none; empty for a root.
std::string_view last_component(std::string_view path);

// Before the last separator: `/` for `/a`, empty for `a`, a root for itself.
std::string_view parent_path(std::string_view path);

// `name` in `directory`, with one separator between them, the one that `directory` has already;
// `name` alone where `directory` is empty.
std::string join_path(std::string_view directory, std::string_view name);

// Trailing separators cut off, but never into the root.
std::string_view without_trailing_separators(std::string_view path);

// `path` is `above`, or lies below it, by the text alone.
bool is_at_or_below(std::string_view path, std::string_view above);

// The words that run `line` by the shell. On Windows whoever makes one command line of them hands
// on the last word as it is: cmd does not undo quoting as programs do.
std::vector<std::string> shell_words(std::string_view line);
// The same, with one argument for the line: `$1` there, with `name` as `$0`. cmd has no such thing:
// on Windows the line gets it in a variable only.
std::vector<std::string> shell_words(std::string_view line, std::string_view name,
                                     std::string_view argument);

}  // namespace holdfast
