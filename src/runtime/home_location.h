// SPDX-License-Identifier: Apache-2.0
//
// Where the home is, and who said so.
//
// The first that is set decides: `--home DIR`, $HOLDFAST_HOME, $XDG_STATE_HOME/holdfast,
// $HOME/.local/state/holdfast (on Windows %LOCALAPPDATA%\holdfast). An empty XDG_STATE_HOME, HOME
// or LOCALAPPDATA counts as unset, as its standard says; an empty HOLDFAST_HOME (a script's
// "$UNSET") is refused, and so is a variable with a relative path: either would quietly name
// another home, and so other locks. A typed relative
// --home is taken from the working directory, for that is what its author sees.
//
// Nothing set at all is kConfig, cause `no-home`: two programs that guess differently would not
// exclude each other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast {

struct HomeLocation {
  enum class Source : std::uint8_t { kOption, kVariable, kXdgState, kUserHome };

  std::string path;  // absolute, no trailing slash, last component not "." or ".."
  Source source = Source::kOption;
};

std::string_view to_text(HomeLocation::Source source);  // "--home", "$HOLDFAST_HOME", …

using EnvLookup = std::function<std::optional<std::string>(const char* name)>;

Result<HomeLocation> locate_home(const std::optional<std::string>& option, const EnvLookup& env);

}  // namespace holdfast
