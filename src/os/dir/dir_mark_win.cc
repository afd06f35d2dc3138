// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_mark.h"

namespace holdfast::os {

bool offers_marks() { return false; }

Result<Marked> put_mark(const Dir& /*dir*/, std::string_view /*bytes*/) {
  return Marked::kNotOffered;
}

Result<std::optional<std::string>> mark_of(const Dir& /*dir*/) { return std::nullopt; }

Result<> remove_mark(const Dir& /*dir*/) { return {}; }

}  // namespace holdfast::os
