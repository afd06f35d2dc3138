// SPDX-License-Identifier: Apache-2.0
#include "base/path_text.h"

namespace holdfast {

bool is_separator(char c) { return c == '/'; }

char path_separator() { return '/'; }

std::size_t root_length(std::string_view path) { return path.starts_with('/') ? 1 : 0; }

bool is_absolute_path(std::string_view path) { return path.starts_with('/'); }

bool is_rooted_path(std::string_view path) { return path.starts_with('/'); }

std::vector<std::string> shell_words(std::string_view line) {
  return {"/bin/sh", "-c", std::string(line)};
}

std::vector<std::string> shell_words(std::string_view line, std::string_view name,
                                     std::string_view argument) {
  return {"/bin/sh", "-c", std::string(line), std::string(name), std::string(argument)};
}

}  // namespace holdfast
