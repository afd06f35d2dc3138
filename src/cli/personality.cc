// SPDX-License-Identifier: Apache-2.0
#include "cli/personality.h"

#include <algorithm>
#include <array>

#include "cli/command_line.h"
#include "cli/render_error.h"

namespace holdfast::cli {
namespace {

// flock(1) runs the wrapped command only after it holds the lock, and callers take any code but the
// command's own as "not locked". Refusing is therefore safe; answering anything else would not be.
int refuse_flock(Console& console, const std::vector<std::string>& /*argv*/) {
  const Error error = usage_error("no-personality", "act as", "flock",
                                  "this version of holdfast does not speak flock(1); nothing was "
                                  "locked and nothing was run");
  render_error(console, error);
  return to_int(ExitCode::kUsage);
}

constexpr std::array kPersonalities{
    Personality{"flock", &refuse_flock},
};

}  // namespace

std::span<const Personality> personalities() { return kPersonalities; }

const Personality* find_personality(std::span<const Personality> table, std::string_view argv0) {
  const std::string_view name = argv0.substr(argv0.rfind('/') + 1);
  const auto found = std::ranges::find(table, name, &Personality::program);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace holdfast::cli
