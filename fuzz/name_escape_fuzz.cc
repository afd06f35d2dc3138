// SPDX-License-Identifier: Apache-2.0
// Escaping is a bijection under both rules, its output is one safe component, and nothing else
// unescapes.
#include <cstdlib>

#include "format/text/name_escape.h"

using namespace holdfast;

namespace {

void check(std::string_view text, NameRules rules) {
  const auto escaped = escape_name(text, rules);
  if (escaped) {
    if (escaped->empty() || escaped->front() == '.' || escaped->size() > kMaxEscapedName ||
        escaped->find('/') != std::string::npos || escaped->find('\0') != std::string::npos) {
      std::abort();
    }
    const auto raw = unescape_name(*escaped, rules);
    if (!raw || *raw != text) std::abort();
  }
  const auto raw = unescape_name(text, rules);
  if (raw && escape_name(*raw, rules).value_or("") != text) std::abort();
  const auto path = escape_lock_path(text, rules);
  if (path && text.starts_with('/') && unescape_lock(*path, rules).value_or("") != text)
    std::abort();
  const auto lock = unescape_lock(text, rules);
  if (raw && !raw->starts_with('/') && lock.value_or("") != *raw) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, NameRules::kCased);
  check(text, NameRules::kCaseless);
  return 0;
}
