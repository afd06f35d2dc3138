// SPDX-License-Identifier: Apache-2.0
// Whatever the text: TOML is refused with the line, or it is a tree of bounded depth.
#include <cstdlib>

#include "format/text/toml.h"

using namespace holdfast;

namespace {

constexpr int kMostLevels = 2200;

void walk(const TomlTable& table, int depth);

void walk(const TomlValue& value, int depth) {
  if (depth > kMostLevels) std::abort();
  if (const auto* array = std::get_if<TomlArray>(&value.value)) {
    for (const TomlValue& element : *array) walk(element, depth + 1);
  }
  if (const auto* table = std::get_if<TomlTable>(&value.value)) walk(*table, depth);
}

void walk(const TomlTable& table, int depth) {
  for (const auto& [key, value] : table.entries) {
    if (value.line < 1 || table.find(key) == nullptr) std::abort();
    walk(value, depth + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto table = parse_toml({reinterpret_cast<const char*>(data), size}, "t.toml");
  if (table) {
    walk(*table, 0);
  } else if (table.error().cause != "toml-syntax" ||
             !table.error().subject.starts_with("t.toml:")) {
    std::abort();
  }
  return 0;
}
