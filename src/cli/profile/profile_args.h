// SPDX-License-Identifier: Apache-2.0
//
// The options of a profile as the Args of the command that does the step, checked as the parser
// checks a command line; what it would call wrong usage is a configuration error here, at its place
// in the profile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "format/session/profile.h"

namespace holdfast::cli {

// kUsage becomes kConfig at the key of the option that it is about, or at `place` where that cannot
// be told; other errors stay.
Error as_config(Error error, const std::vector<ProfileOption>& options, const std::string& place);

// Errors: kConfig. The options must be `spec`'s.
Result<Args> checked_args(const CommandSpec& spec, const std::vector<ProfileOption>& options,
                          const std::string& place, std::optional<std::string> argument = {},
                          std::vector<std::string> command = {});

// The step `gc` of a profile, a pass of `holdfast gc` before the session starts: would its options
// be taken? Errors: kConfig.
Result<> check_profile_gc(const Profile& profile);

// Somebody asked to end it: that is meant for the start, too.
inline constexpr std::string_view kGcInterrupted = "interrupted";

// What it cannot do is a warning and keeps nothing from being started; only a signal that asks to
// end does. Errors: what `holdfast gc` answers, which the caller makes a warning of; but kBusy with
// the cause kGcInterrupted must keep the session from being started.
Result<> profile_gc(Context& context, const ProfileGc& gc);

}  // namespace holdfast::cli
