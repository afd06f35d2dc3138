// SPDX-License-Identifier: Apache-2.0
//
// Making links in tests. False where the platform makes none, and under Wine for one that leads
// nowhere. What os says of the link is not asked: that is what is tested.
#pragma once

#include <string>

namespace holdfast::testing {

[[nodiscard]] bool make_dir_link(const std::string& target, const std::string& link);
[[nodiscard]] bool make_file_link(const std::string& target, const std::string& link);

// Before a directory is removed with all that is in it: under Wine the links that were made above
// can be removed by nothing but a Unix program. Elsewhere it does nothing.
void remove_links_below(const std::string& path);

}  // namespace holdfast::testing
