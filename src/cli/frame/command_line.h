// SPDX-License-Identifier: Apache-2.0
//
// The command line before any option parser sees it: cut at the first `--`, the common options in
// front of the command word read, the command word found. parse.h cuts it once more, where the
// user's command begins without `--`.
//
// Guarantee: what follows `--` is kept byte for byte and looked at by nobody. Nothing here needs
// the parser library, so `holdfast --version` is answered without it.
//
// Limit: an option in front of the command word must be one of kCommonOptions; options of a command
// go after it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/text/nearest.h"

namespace holdfast::cli {

struct CommandLine {
  std::vector<std::string> words;     // without the program name, up to the first `--`
  bool has_dashes = false;            // was there a `--`, or a command without one?
  std::vector<std::string> trailing;  // what followed it

  std::vector<std::string> dropped;  // behind a word that is an error: nobody knows whose they are

  // Is `--json` anywhere before the user's command, or in what was dropped? It decides how a usage error is shown, when the line could
  // not be parsed to the end.
  [[nodiscard]] bool mentions_json() const;
  // The same of --hook and --hook-allow.
  [[nodiscard]] bool mentions_hook() const;
  // And of --help in full: `-h` asks for less.
  [[nodiscard]] bool mentions_whole_help() const;
  // The last word of --color before `--`, right or wrong; nothing: it is not there.
  [[nodiscard]] std::optional<std::string_view> color() const;
};

CommandLine cut_at_dashes(const std::vector<std::string>& argv);

// What stands in front of the command word.
struct Leading {
  std::size_t command_at = 0;  // index of the command word; words.size() where there is none
  bool help = false;
  bool version = false;
};

// Errors: kUsage with cause `unknown-option`, `missing-value` or `bad-value`.
Result<Leading> read_leading(const std::vector<std::string>& words);

// An Error of kind kUsage; every wrong command line is one of these.
Error usage_error(std::string_view cause, std::string op, std::string subject, std::string detail);

// "Did you mean …?" (format/text/nearest.h), for words of a command line.
using holdfast::nearest;

// The name inside an option as typed: `--tim=5`, `--tim` and `-tim` are all `tim`.
std::string_view option_stem(std::string_view word);

}  // namespace holdfast::cli
