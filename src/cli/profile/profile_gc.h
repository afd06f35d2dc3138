// SPDX-License-Identifier: Apache-2.0
//
// The step `gc` of a profile: a pass of `holdfast gc` before the session starts. What it cannot do
// is a warning and keeps nothing from being started; only a signal that asks to end does.
#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/frame/context.h"
#include "format/session/profile.h"

namespace holdfast::cli {

// Before anything is done: would the options be taken? Errors: kConfig.
Result<> check_profile_gc(const Profile& profile);

// Somebody asked to end it: that is meant for the start, too.
inline constexpr std::string_view kGcInterrupted = "interrupted";

// Errors: what `holdfast gc` answers, which the caller makes a warning of; but kBusy with the cause
// kGcInterrupted must keep the session from being started.
Result<> profile_gc(Context& context, const ProfileGc& gc);

}  // namespace holdfast::cli
