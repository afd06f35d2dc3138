// SPDX-License-Identifier: Apache-2.0
#include "os/path/stored_name.h"

namespace holdfast::os {

Result<SafeName> stored_name(const Dir& /*dir*/, SafeName name) { return name; }

}  // namespace holdfast::os
