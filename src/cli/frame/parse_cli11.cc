// SPDX-License-Identifier: Apache-2.0
//
// The only file that includes CLI11, and the only one that catches what it throws.
//
// CLI11 2.1.2 rewrites words: `[a,b]` given to a list becomes two values, `--name=` takes the next
// word for its value, `--flag=true` and `--flag={}` are flags, a lone `++` can end a subcommand.
// All of it happens by looking at the end or the whole of a word. So every word that carries a
// value (it does not start with `-`, or holds a `=`) is given a NUL at its end before CLI11 sees it
// and loses it afterwards: no argv word can contain a NUL, so nothing is ever confused with it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "cli/frame/parse.h"

namespace holdfast::cli {
namespace {

bool carries_value(std::string_view word) { return !word.starts_with('-') || word.contains('='); }

std::vector<std::string> guarded_and_reversed(const std::vector<std::string>& words) {
  std::vector<std::string> guarded(words.rbegin(), words.rend());  // as App::parse wants them
  for (std::string& word : guarded) {
    if (carries_value(word)) word.push_back('\0');
  }
  return guarded;
}

std::vector<std::string> unguarded(std::vector<std::string> words) {
  for (std::string& word : words) {
    if (word.ends_with('\0')) word.pop_back();
  }
  return words;
}

std::string cli11_names(const OptionSpec& option) {
  std::string names = "--" + std::string(option.name);
  if (option.letter != '\0') names = names + ",-" + option.letter;
  return names;
}

CLI::Option* declare(CLI::App& app, const OptionSpec& option) {
  if (option.kind == OptionKind::kFlag) {
    return app.add_flag(cli11_names(option))->disable_flag_override();
  }
  return app.add_option(cli11_names(option), CLI::callback_t{})
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// Whether a word can be this option: CLI11 takes one by its whole name, or by its letter in a
// cluster. What no word can be is not declared: that would cost more than all else in a short line.
bool may_be_given(const OptionSpec& option, const std::vector<std::string>& words) {
  const std::string name = "--" + std::string(option.name);
  return std::ranges::any_of(words, [&](const std::string& word) {
    if (word.starts_with("--")) return word.starts_with(name);
    return option.letter != '\0' && word.starts_with('-') && word.contains(option.letter);
  });
}

bool holds_no_option(const std::vector<std::string>& words) {
  return std::ranges::none_of(words, [](const std::string& word) { return word.starts_with('-'); });
}

RawOptions split(std::span<const OptionSpec> options, const std::vector<std::string>& words) {
  if (holds_no_option(words)) {
    RawOptions plain;
    plain.values.resize(options.size());
    plain.arguments = words;
    return plain;
  }
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.allow_windows_style_options(false);
  std::vector<CLI::Option*> declared;  // null: not given
  declared.reserve(options.size());
  for (const OptionSpec& option : options) {
    declared.push_back(may_be_given(option, words) ? declare(app, option) : nullptr);
  }
  CLI::Option* arguments = app.add_option("arguments", CLI::callback_t{})
                               ->expected(0, -1)
                               ->allow_extra_args()
                               ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  std::vector<std::string> guarded = guarded_and_reversed(words);
  app.parse(guarded);

  RawOptions raw;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::vector<std::string> values;
    if (declared[i] != nullptr) values = unguarded(declared[i]->results());
    if (options[i].kind == OptionKind::kFlag) std::ranges::fill(values, "");
    raw.values.push_back(std::move(values));
  }
  raw.arguments = unguarded(arguments->results());
  raw.unknown = unguarded(app.remaining());
  return raw;
}

bool gives_flag_a_value(std::span<const OptionSpec> options, std::string_view word) {
  return std::ranges::any_of(options, [&](const OptionSpec& option) {
    return option.kind == OptionKind::kFlag &&
           word.starts_with("--" + std::string(option.name) + "=");
  });
}

}  // namespace

std::expected<RawOptions, RawFault> split_options(std::span<const OptionSpec> options,
                                                  const std::vector<std::string>& words) {
  try {
    return split(options, words);
  } catch (const CLI::ArgumentMismatch&) {
    for (const std::string& word : words) {
      if (gives_flag_a_value(options, word)) {
        return std::unexpected(RawFault{RawFault::Kind::kValueOfFlag, word});
      }
    }
    // A value is missing only where the words ran out, so the last word is the option.
    return std::unexpected(RawFault{RawFault::Kind::kMissingValue, words.back()});
  } catch (const std::exception& fault) {
    return std::unexpected(RawFault{RawFault::Kind::kInternal, fault.what()});
  }
}

}  // namespace holdfast::cli
