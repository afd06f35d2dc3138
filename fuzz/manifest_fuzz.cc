// SPDX-License-Identifier: Apache-2.0
// Whatever the text: the manifest is refused as a configuration error that names its line, or its
// paths are absolute, in one spelling, and no two are the same.
#include <cstdlib>
#include <set>

#include "format/file/manifest.h"
#include "format/text/expand.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto entries = parse_manifest(text, "m.toml", "/base",
                                      [](const std::string& name) -> std::optional<std::string> {
                                        if (name == "UNSET") return std::nullopt;
                                        return name == "HOME" ? "/home/me" : "v";
                                      });
  if (!entries) {
    const Error& error = entries.error();
    if (error.code != ErrorCode::kConfig || error.cause.empty()) std::abort();
    if (!error.subject.starts_with("m.toml:")) std::abort();
    return 0;
  }
  std::set<std::string> paths;
  for (const ManifestEntry& entry : *entries) {
    if (!entry.path.starts_with('/') || lexical_path("/", entry.path) != entry.path) std::abort();
    if (entry.path.find('\0') != std::string::npos || entry.mode > 07777) std::abort();
    if (!paths.insert(entry.path).second) std::abort();
  }
  return 0;
}
