// SPDX-License-Identifier: Apache-2.0
// Durations, sizes, times and ids as people type them: an answer for every text, and no wrong one.
#include <cstdlib>

#include "base/id128.h"
#include "base/printable.h"
#include "base/units.h"
#include "format/text/rfc3339.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto duration = parse_duration(text)) {
    if (duration->count() < 0) std::abort();
    // What is shown is never more than what was typed.
    const auto shown = parse_duration(format_duration(*duration));
    if (shown && *shown > *duration) std::abort();
  }
  if (const auto bytes = parse_size(text)) {
    if (*bytes >> 63 != 0) std::abort();
  }
  if (const auto time = parse_rfc3339(text)) {
    if (format_rfc3339(*time) != text) std::abort();
  }
  if (const auto id = parse_id128(text)) {
    if (to_hex(*id) != text) std::abort();
  }
  if (!is_utf8(printable(text))) std::abort();
  return 0;
}
