// SPDX-License-Identifier: Apache-2.0
//
// Where a reparse point leads, as it is written in it; for src/os/*/*_win.cc only.
//
// Wine 8 opens what a link leads to, so there is never one to read there: by reading only.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

struct ReparseTarget {
  // With slashes. One that is not relative to the link's own directory begins with a drive or a
  // slash, so that nobody takes it for a name.
  std::string text{};
  bool volume = false;  // a volume is mounted there, rather than a directory linked
};

// What the system gave for a reparse point. kCannotTell `bad-reparse-point` for a link or a mount
// point that is cut short; nullopt: none that leads to a path.
Result<std::optional<ReparseTarget>> parse_reparse(std::span<const std::byte> bytes,
                                                   const std::string& path);

// `handle` is of the thing itself. nullopt: it is no reparse point, or none that leads to a path.
Result<std::optional<ReparseTarget>> read_reparse(const Handle& handle, const std::string& path);

}  // namespace holdfast::os
