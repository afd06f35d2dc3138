// SPDX-License-Identifier: Apache-2.0
//
// Paths as text, without a look at any file: one spelling for each place.
//
// The result is absolute, without empty components, `.`, `..` and a final slash; the root alone is
// `/`. On Windows the root may be `C:/` or `//server/share/`, every separator becomes `/`, and `/a`
// lies on the drive of `base`; upper and lower case stay apart, as they are written. `..` takes
// away the component before it. That is right where no component is a link: the users of this
// refuse links.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

// `base` is absolute; it counts where `path` is relative.
std::string lexical_path(std::string_view base, std::string_view path);

// Everything before the last component of such a result: "/" for "/a".
std::string_view lexical_parent(std::string_view path);

}  // namespace holdfast
