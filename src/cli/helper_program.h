// SPDX-License-Identifier: Apache-2.0
//
// Helper executables (dashboard, etcd client), found relative to the running binary, as git does:
//
//   DIR/../libexec/holdfast/NAME   the installed tree; only where DIR is called `bin`
//   DIR/NAME                       the build tree
//
// DIR is the binary's own directory as the kernel tells it; PATH and argv[0] play no part.
//
// Guarantee: a helper is found only where its file, its directory and `libexec` are real (no
// links), belong to this user or to root, and cannot be written by anybody else. What is above them
// is above holdfast itself, too: who can tamper there can replace holdfast.
//
// Limits: the answer is a path; the guarantee is about who could change what lies there, not about
// what this user or root puts there later.
//
// Errors: kNotFound with cause `no-helper`, naming the places; kRefused with cause `unsafe-helper`,
// `is-link` or `not-a-regular-file` where one is there but could be somebody else's; where it
// cannot be told whether a file is there, that error. None of them leads to the next place instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::cli {

// The places in the order in which they are tried; `program` is the binary's absolute path.
std::vector<std::string> helper_places(std::string_view program, std::string_view name);

Result<std::string> find_helper_of(std::string_view program, std::string_view name);

// The helper `name` of the running program.
Result<std::string> find_helper(std::string_view name);

}  // namespace holdfast::cli
