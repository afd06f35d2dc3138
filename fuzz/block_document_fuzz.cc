// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: the parser answers; what it calls clean can be changed and changed back; what
// it does not is refused, and stripping leaves nothing wrong but what it may not take. The first
// byte chooses the style, the rest is the text.
#include <cstdlib>

#include "format/file/block_change.h"
#include "format/file/block_test_hash.h"

using namespace holdfast;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

void change_and_back(std::string_view text, const BlockTask& task, BlockPlace::Where where) {
  std::size_t line = 0;
  const auto put = put_block(text, task, {.content = "new\n", .place = {.where = where}}, line);
  if (!put) {
    demand(put.error().code == ErrorCode::kCorrupt && put.error().cause != "not-text");
    return;
  }
  demand(put->changed);
  demand(get_block(put->text, task, line).value_or("") == "new\n" ||
         get_block(put->text, task, line).value_or("") == "new\r\n");
  const auto again = put_block(put->text, task, {.content = "new\n"}, line);
  demand(again && !again->changed);
  const auto back = remove_block(put->text, task, Edits::kRefuse, line);
  demand(back && back->text == text);
}

void change_each(std::string_view text, const BlockSyntax& syntax, const BlockDocument& document) {
  std::size_t line = 0;
  for (const ManagedBlock& block : document.blocks) {
    BlockSyntax own = syntax;
    if (!block.custom) own.begin.clear();
    const BlockTask task{.path = "f", .syntax = own, .id = block.id, .hash = test_hash};
    const auto put = put_block(text, task, {.content = "new\n", .edits = Edits::kOverwrite}, line);
    const auto gone = remove_block(text, task, Edits::kOverwrite, line);
    demand(put.has_value());
    if (!gone) {
      demand(gone.error().cause == "mark-inside");
      continue;
    }
    const auto after = put->changed ? remove_block(put->text, task, Edits::kRefuse, line)
                                    : remove_block(text, task, Edits::kRefuse, line);
    demand(after && after->text == gone->text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  BlockSyntax syntax{.style = static_cast<BlockStyle>(data[0] & 7U)};
  syntax.fences = (data[0] & 8U) != 0;
  if ((data[0] & 16U) != 0) {
    syntax.begin = "[b";
    syntax.end = "e]";
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const BlockTask task{.path = "f", .syntax = syntax, .id = "fuzz", .hash = test_hash};
  const auto document = parse_blocks(text, syntax, "f");
  std::size_t line = 0;
  if (!document || !document->anomalies.empty()) {
    const auto put = put_block(text, task, {.content = "x"}, line);
    demand(!put && put.error().code == ErrorCode::kCorrupt);
    if (!document) return 0;
  }
  const auto stripped = strip_markers(text, task, *document);
  demand(stripped || stripped.error().cause == "mark-inside");
  demand(!document->anomalies.empty() || *stripped == text);
  if (!document->anomalies.empty()) return 0;
  if (document->find(syntax, "fuzz") == nullptr) {
    change_and_back(text, task, BlockPlace::Where::kEnd);
    change_and_back(text, task, BlockPlace::Where::kStart);
  }
  change_each(text, syntax, *document);
  return 0;
}
