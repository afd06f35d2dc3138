// SPDX-License-Identifier: Apache-2.0
// Whatever the text: parse_event_data refuses it, or says the same as it on one line of UTF-8, with
// its keys known, and saying it again changes nothing.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "format/journal/event_type.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using Json = nlohmann::ordered_json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto event = parse_event_data(text);
  if (!event) {
    if (event.error().code != ErrorCode::kCorrupt || event.error().cause.empty()) std::abort();
    return 0;
  }
  const std::string& compact = event->json();
  if (!is_utf8(compact)) std::abort();
  for (const char c : compact) {
    if (static_cast<unsigned char>(c) < 0x20) std::abort();
  }
  const Json before = Json::parse(text, nullptr, false);
  const Json after = Json::parse(compact, nullptr, false);
  if (!before.is_object() || before != after) std::abort();
  if (event->keys().size() != after.size()) std::abort();
  for (const EventData::Key& key : event->keys()) {
    if (!after.contains(key.name)) std::abort();
  }
  const auto again = parse_event_data(compact);
  if (!again || again->json() != compact) std::abort();
  return 0;
}
