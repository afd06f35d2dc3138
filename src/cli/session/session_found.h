// SPDX-License-Identifier: Apache-2.0
//
// Finding sessions for the commands that only look. Nothing is made.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "session/record/store.h"

namespace holdfast::cli {

inline constexpr ArgumentSpec kSessionArgument{.name = "NAME", .help = "the name of the session"};

// kNotFound `no-such-session`; what cannot be read is another error.
Result<session::SessionDir> find_session(const Context& context, const std::string& name);

}  // namespace holdfast::cli
