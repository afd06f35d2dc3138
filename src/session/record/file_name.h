// SPDX-License-Identifier: Apache-2.0
//
// The name of a session's directory in sessions/ (kUsage for what is no name of a session), and the
// name that anything of a session has in a trash, which follows from its old name and its id.
#pragma once

#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/text/name_escape.h"
#include "os/path/safe_name.h"

namespace holdfast::session {

inline Result<os::SafeName> file_name_of(std::string_view name) {
  return os::SafeName::make(HF_TRY(escape_name(name, platform_name_rules())));
}

inline Result<os::SafeName> trash_name(std::string_view file_name, const Id128& id) {
  constexpr std::size_t kLongestBase = 200;
  return os::SafeName::make(std::string(file_name.substr(0, kLongestBase)) + "." + to_hex(id));
}

}  // namespace holdfast::session
