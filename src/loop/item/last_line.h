// SPDX-License-Identifier: Apache-2.0
//
// The last line that a session's newest run printed, for people: the reason is often in it. Empty
// if there is none, or if it cannot be read. At most kMostOfALine bytes, safe to show.
#pragma once

#include <cstddef>
#include <string>

#include "session/record/store.h"

namespace holdfast::loop {

inline constexpr std::size_t kMostOfALine = 200;

std::string last_line_of(const session::SessionStore& sessions, const std::string& session);

}  // namespace holdfast::loop
