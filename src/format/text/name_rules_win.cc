// SPDX-License-Identifier: Apache-2.0
#include "format/text/name_escape.h"

namespace holdfast {

NameRules platform_name_rules() { return NameRules::kCaseless; }

}  // namespace holdfast
