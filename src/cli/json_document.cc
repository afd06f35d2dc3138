// SPDX-License-Identifier: Apache-2.0
#include "cli/json_document.h"

#include <nlohmann/json.hpp>

namespace holdfast::cli {

std::string json_document(int code, const Json& fields, const Error* error) {
  Json document{{"ok", code == 0}, {"code", code}};
  if (error != nullptr) {
    document["error"] = Json{{"op", error->op},
                             {"subject", error->subject},
                             {"cause", error->cause},
                             {"detail", error->detail}};
  }
  for (const auto& [key, value] : fields.items()) {
    if (!document.contains(key)) document[key] = value;
  }
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace holdfast::cli
