// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/nearest.h"

#include <algorithm>

namespace holdfast::cli {

std::string_view option_stem(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word.substr(0, word.find('='));
}

}  // namespace holdfast::cli
