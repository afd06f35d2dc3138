// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "testing/links.h"

namespace holdfast::testing {

bool make_dir_link(const std::string& target, const std::string& link) {
  return ::symlink(target.c_str(), link.c_str()) == 0;
}

bool make_file_link(const std::string& target, const std::string& link) {
  return ::symlink(target.c_str(), link.c_str()) == 0;
}

void remove_links_below(const std::string&) {}

}  // namespace holdfast::testing
