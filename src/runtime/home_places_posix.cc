// SPDX-License-Identifier: Apache-2.0
#include "runtime/home_places.h"

#include <array>

namespace holdfast {

std::span<const HomePlace> home_places() {
  static constexpr std::array kPlaces{
      HomePlace{"HOLDFAST_HOME", "", HomeLocation::Source::kVariable},
      HomePlace{"XDG_STATE_HOME", "/holdfast", HomeLocation::Source::kXdgState},
      HomePlace{"HOME", "/.local/state/holdfast", HomeLocation::Source::kUserHome},
  };
  return kPlaces;
}

std::string_view to_text_here(Source source) {
  constexpr std::array<std::string_view, 4> kTexts{
      "--home", "$HOLDFAST_HOME", "$XDG_STATE_HOME/holdfast", "$HOME/.local/state/holdfast"};
  return kTexts[static_cast<std::size_t>(source)];
}

}  // namespace holdfast
