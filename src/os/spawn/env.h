// SPDX-License-Identifier: Apache-2.0
//
// The process environment, read only. An unset variable is nullopt; an empty one is an empty
// string: the difference matters where "set but empty" must not silently mean "default".
#pragma once

#include <optional>
#include <string>

namespace holdfast::os {

// `name` is ASCII. On Windows the value is UTF-8.
std::optional<std::string> env(const char* name);

}  // namespace holdfast::os
