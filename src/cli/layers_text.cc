// SPDX-License-Identifier: Apache-2.0
#include "cli/layers_text.h"

#include "cli/completion_words.h"
#include "format/json.h"

namespace holdfast::cli {
namespace {

// No shell reads anything into these; a leading `=` means something to zsh.
bool is_plain(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  return !word.empty() && word.front() != '=' && word.find_first_not_of(kPlain) == word.npos;
}

std::string layers_text_shell_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += is_plain(word) ? word : cli::quoted(word);
  }
  return line + "\n";
}

}  // namespace

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
      return layers_text_shell_line(words);
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
