// SPDX-License-Identifier: Apache-2.0
// Whatever the text: a compose file is refused as a configuration error that names its line, or
// its bind sources are absolute and in one spelling.
#include <cstdlib>

#include "format/file/compose_binds.h"
#include "format/text/expand.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto binds = parse_compose_binds(text, "c.yml", "/base",
                                         [](const std::string& name) -> std::optional<std::string> {
                                           if (name == "UNSET") return std::nullopt;
                                           return name == "EMPTY" ? "" : "/v";
                                         });
  if (!binds) {
    const Error& error = binds.error();
    if (error.code != ErrorCode::kConfig || error.cause.empty()) std::abort();
    if (!error.subject.starts_with("c.yml:")) std::abort();
    return 0;
  }
  for (const BindMount& bind : *binds) {
    if (!bind.source.starts_with('/')) std::abort();
    if (lexical_path("/", bind.source) != bind.source) std::abort();
    if (bind.source.find('\0') != std::string::npos) std::abort();
  }
  return 0;
}
