// SPDX-License-Identifier: Apache-2.0
#include "format/file/layer_output.h"

namespace holdfast {
namespace {

std::unexpected<Error> bad_output(std::string_view cause, std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read",
               .subject = "what the command printed",
               .cause = std::string(cause),
               .detail = std::string(why)});
}

}  // namespace

Result<std::vector<std::string>> split_layer_output(std::string_view bytes, LayerOutput output) {
  const char end = output == LayerOutput::kNul ? '\0' : '\n';
  if (!bytes.empty() && bytes.back() != end) {
    return bad_output("unfinished", std::string("its last argument does not end with a ") +
                                        (end == '\0' ? "NUL byte" : "newline") +
                                        ", so it may be cut off");
  }
  std::vector<std::string> words;
  while (!bytes.empty()) {
    const std::string_view word = bytes.substr(0, bytes.find(end));
    const std::string number = std::to_string(words.size() + 1);
    if (output == LayerOutput::kLines && word.empty()) {
      return bad_output("empty-line", "line " + number + " is empty");
    }
    if (word.contains('\0')) {
      return bad_output("nul-byte",
                        "line " + number + " holds a NUL byte; is `output = \"nul\"` missing?");
    }
    words.emplace_back(word);
    bytes.remove_prefix(word.size() + 1);
  }
  return words;
}

}  // namespace holdfast
