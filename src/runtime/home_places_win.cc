// SPDX-License-Identifier: Apache-2.0
//
// LOCALAPPDATA and not APPDATA, which follows its user from machine to machine: locks and sessions
// are of one machine.
#include "runtime/home_places.h"

#include <array>

namespace holdfast {

using Source = HomeLocation::Source;

std::span<const HomePlace> home_places() {
  static constexpr std::array kPlaces{
      HomePlace{"HOLDFAST_HOME", "", Source::kVariable},
      HomePlace{"XDG_STATE_HOME", "\\holdfast", Source::kXdgState},
      HomePlace{"LOCALAPPDATA", "\\holdfast", Source::kUserHome},
  };
  return kPlaces;
}

std::string_view to_text_here(Source source) {
  constexpr std::array<std::string_view, 4> kTexts{
      "--home", "%HOLDFAST_HOME%", "%XDG_STATE_HOME%\\holdfast", "%LOCALAPPDATA%\\holdfast"};
  return kTexts[static_cast<std::size_t>(source)];
}

}  // namespace holdfast
