// SPDX-License-Identifier: Apache-2.0
// Whatever a source prints: it is refused as a whole, or ids are unlike, in their bounds, and what
// an item holds can be put into a command or is refused.
#include <cstdlib>
#include <set>

#include "format/loop/loop_source.h"

using namespace holdfast;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_fill(const SourceItem& item) {
  const auto words = fill_command({.words = {"x", "{a}", "{a.b}-{id}"}}, item.json);
  if (!words) {
    check(words.error().code == ErrorCode::kCannotTell && words.error().cause == "no-such-field");
    return;
  }
  check(words->size() == 3 && words->back().ends_with(item.id));
  for (const std::string& word : *words) check(word.find('\0') == word.npos);
}

}  // namespace

// The first byte chooses what the loop asks for; the rest is the output.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  LoopFile file{.name = "fix", .source_is_nul = (data[0] & 1U) != 0, .id = "id"};
  if ((data[0] & 2U) != 0) file.filter = {{.field = "a.b", .one_of = {"x", "1"}}};
  if ((data[0] & 4U) != 0) file.exclude = {{.field = "a.0.c", .one_of = {"true"}}};
  if ((data[0] & 8U) != 0) file.priority = "a.b";
  if ((data[0] & 16U) != 0) file.priority_order = {"x", "y"};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto source = parse_source(bytes, file);
  if (!source) {
    check(source.error().code == ErrorCode::kCannotTell && source.error().cause == "bad-source");
    return 0;
  }
  check(bytes.empty() || bytes.back() == (file.source_is_nul ? '\0' : '\n'));
  check(source->items.size() <= source->listed);
  std::set<std::string> ids;
  for (const SourceItem& item : source->items) {
    check(!item.id.empty() && item.id.size() <= kMaxItemId && ids.insert(item.id).second);
    check_fill(item);
  }
  return 0;
}
