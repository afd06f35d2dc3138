// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/personality.h"

#include <algorithm>
#include <array>

#include "base/path_text.h"
#include "cli/flock/flock_personality.h"

namespace holdfast::cli {
namespace {

constexpr std::array kPersonalities{
    Personality{"flock", &run_flock},
};

}  // namespace

std::span<const Personality> personalities() { return kPersonalities; }

const Personality* find_personality(std::span<const Personality> table, std::string_view argv0) {
  std::string_view name = last_component(argv0);
  if (name.ends_with(".exe")) name.remove_suffix(4);
  const auto found = std::ranges::find(table, name, &Personality::program);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace holdfast::cli
