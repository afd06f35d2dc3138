// SPDX-License-Identifier: Apache-2.0
//
// Helper executables (dashboard, etcd client), found relative to the running binary, as git does:
//
//   DIR/../libexec/holdfast/NAME   the installed tree; DIR is the binary's own directory
//   DIR/NAME                       the build tree
//
// PATH and argv[0] play no part, so nobody can put another program in a helper's place without
// being able to replace holdfast itself.
//
// Errors: kNotFound with cause `no-helper`, naming both places; where it cannot be told whether a
// file is there, that error, never the other place instead.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::cli {

// The places in the order in which they are tried; `program` is the binary's absolute path.
std::array<std::string, 2> helper_places(std::string_view program, std::string_view name);

Result<std::string> find_helper_of(std::string_view program, std::string_view name);

// The helper `name` of the running program.
Result<std::string> find_helper(std::string_view name);

}  // namespace holdfast::cli
