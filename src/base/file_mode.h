// SPDX-License-Identifier: Apache-2.0
//
// The modes of what only its owner may see. Windows translates them into an access list.
#pragma once

#include <cstdint>

namespace holdfast {

inline constexpr std::uint32_t kPrivateFile = 0600;
inline constexpr std::uint32_t kPrivateDir = 0700;

}  // namespace holdfast
