// SPDX-License-Identifier: Apache-2.0
#include "format/file/compose_binds.h"

namespace holdfast {

Result<std::vector<BindMount>> parse_compose_binds(std::string_view /*text*/, std::string_view name,
                                                   std::string_view /*base*/,
                                                   const VariableLookup& /*lookup*/) {
  return fail({.code = ErrorCode::kRefused,
               .op = "read the compose file",
               .subject = std::string(name),
               .cause = "unsupported",
               .detail = "there is no YAML library in this build; nothing was done"});
}

}  // namespace holdfast
