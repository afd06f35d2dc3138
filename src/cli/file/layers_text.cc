// SPDX-License-Identifier: Apache-2.0
#include "cli/file/layers_text.h"

#include "cli/frame/shell_line.h"
#include "format/json/json.h"

namespace holdfast::cli {

LayerFormat layer_format(const Args& args) {
  const std::string word = args.text("format").value_or("args");
  if (word == "compose") return LayerFormat::kCompose;
  if (word == "nul") return LayerFormat::kNul;
  return word == "json" ? LayerFormat::kJson : LayerFormat::kArgs;
}

std::string layers_text(std::span<const std::string> words, LayerFormat format) {
  switch (format) {
    case LayerFormat::kArgs:
    case LayerFormat::kCompose:
      return shell_line(words) + "\n";
    case LayerFormat::kNul: {
      std::string text;
      for (const std::string& word : words) text.append(word.c_str(), word.size() + 1);
      return text;
    }
    case LayerFormat::kJson:
      return Json(std::vector<std::string>(words.begin(), words.end())).dump() + "\n";
  }
  __builtin_unreachable();
}

}  // namespace holdfast::cli
