// SPDX-License-Identifier: Apache-2.0
//
// The `kind` of a session's record, for the two sides of its codec.
#pragma once

#include <string_view>

namespace holdfast {

inline constexpr std::string_view kSessionRecordKind = "holdfast-session";

}  // namespace holdfast
