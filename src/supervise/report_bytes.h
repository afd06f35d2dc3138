// SPDX-License-Identifier: Apache-2.0
//
// A TreeReport as bytes, from the shim to the front end of the same program over a pipe. It is
// never stored, so it has no version; whole or not at all: bytes of another length are no report.
// Long texts are cut and at most kMaxSurvivors are named; there are at most kMaxCommands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "supervise/report.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

inline constexpr std::size_t kMaxSurvivors = 64;

std::string to_bytes(const TreeReport& report);
std::optional<TreeReport> from_bytes(std::string_view text);

}  // namespace holdfast::supervise
