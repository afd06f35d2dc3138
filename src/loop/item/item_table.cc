// SPDX-License-Identifier: Apache-2.0
#include "loop/item/item_table.h"

namespace holdfast::loop {

std::string_view to_text(ItemEvent event) {
  constexpr std::array<std::string_view, kItemEvents> kNames{
      "claimed",      "not started",  "to verify",   "ask again",   "failed",
      "exhausted",    "verified",     "cannot know", "act unsure",  "act done",
      "act not done", "act given up", "retried",     "act retried", "settled"};
  return kNames[static_cast<std::size_t>(event)];
}

}  // namespace holdfast::loop
