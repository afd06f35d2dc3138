// SPDX-License-Identifier: Apache-2.0
//
// Which variables say where the home is, in order, on this platform.
#pragma once

#include <span>
#include <string_view>

#include "runtime/home_location.h"

namespace holdfast {

struct HomePlace {
  const char* variable;
  std::string_view below;  // with a separator in front; empty: the variable names the home itself
  HomeLocation::Source source;
};
std::span<const HomePlace> home_places();

// "$XDG_STATE_HOME/holdfast" and the like.
std::string_view to_text_here(HomeLocation::Source source);

}  // namespace holdfast
