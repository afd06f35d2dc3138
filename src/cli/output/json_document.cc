// SPDX-License-Identifier: Apache-2.0
#include "cli/output/json_document.h"

#include "format/json/json.h"

namespace holdfast::cli {

std::string json_document(int code, const Json& fields, const Error* error) {
  Json document{{"ok", code == 0}, {"code", code}};
  if (error != nullptr) {
    document["error"] = Json{{"op", error->op},
                             {"subject", error->subject},
                             {"cause", error->cause},
                             {"detail", error->detail}};
  }
  const auto spelled = [](const Json& value) { return value.dump(); };
  // Spelled one by one: a list of a hundred thousand is not copied for it.
  std::string text = spelled(document);
  text.pop_back();
  for (const auto& [key, value] : fields.items()) {
    if (document.contains(key)) continue;
    text += "," + spelled(key) + ":";
    text += spelled(value);
  }
  return text + "}\n";
}

}  // namespace holdfast::cli
