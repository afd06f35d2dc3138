// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/parse.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <optional>

#include "base/units.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"

namespace holdfast::cli {
namespace {

std::string parse_command_of(const CommandSpec& spec) {
  return "holdfast " + std::string(spec.name);
}

std::string see_help(const CommandSpec& spec) {
  return "see `holdfast help " + std::string(spec.name) + "`";
}

// The library cuts `-quiet` into `-q` and the unknown `-uiet`; people want to see what they typed.
std::string as_typed(const std::string& rest, const std::vector<std::string>& words) {
  if (rest.starts_with("--")) return rest;
  for (const std::string& word : words) {
    if (word.starts_with('-') && word.ends_with(rest.substr(1))) return word;
  }
  return rest;
}

Error unknown_option(const CommandSpec& spec, const std::string& word) {
  const std::vector<OptionSpec> options = options_with_common(spec);
  std::vector<std::string_view> names;
  for (const OptionSpec& option : options) names.push_back(option.name);
  const auto guess = nearest(option_stem(word), names);
  return usage_error("unknown-option", "understand the option", word,
                     parse_command_of(spec) + " has no such option; " +
                         (guess ? "did you mean --" + std::string(*guess) + "?" : see_help(spec)));
}

Error from_fault(const CommandSpec& spec, const RawFault& fault) {
  switch (fault.kind) {
    case RawFault::Kind::kMissingValue:
      return usage_error("missing-value", "understand the option", fault.detail,
                         "its value is missing; " + see_help(spec));
    case RawFault::Kind::kValueOfFlag:
      return usage_error("bad-value", "understand the option", fault.detail,
                         "--" + std::string(option_stem(fault.detail)) + " takes no value");
    case RawFault::Kind::kInternal:
      break;
  }
  return {.code = ErrorCode::kInternal,
          .op = "read the command line",
          .cause = "option-parser",
          .detail = fault.detail};
}

// A word such as `---x` is no option for the library; it is no argument for people either.
bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word.starts_with('-') &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

Result<> check_options(std::span<const OptionSpec> options, const RawOptions& raw) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const OptionSpec& option = options[i];
    if (option.kind == OptionKind::kFlag) continue;
    if (option.repeat == Repeat::kOnce && raw.values[i].size() > 1) {
      return fail(usage_error(
          "repeated-option", "use the option", "--" + std::string(option.name),
          "it was given " + std::to_string(raw.values[i].size()) + " times and takes one value"));
    }
    for (const std::string& value : raw.values[i]) {
      HF_TRY(check_value(option, value));
    }
  }
  return {};
}

// An option that would have no effect is a misunderstanding, and is said to be one.
Result<> check_company(std::span<const OptionSpec> options, const RawOptions& raw) {
  const auto given = [&](std::string_view name) {
    const auto option = std::ranges::find(options, name, &OptionSpec::name);
    return option != options.end() &&
           !raw.values[static_cast<std::size_t>(option - options.begin())].empty();
  };
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (raw.values[i].empty()) continue;
    const std::string name = "--" + std::string(options[i].name);
    const auto needs = names_in(options[i].needs);
    if (!needs.empty() && std::ranges::none_of(needs, given)) {
      return fail(
          usage_error("missing-option", "use", name, "it requires " + as_choice(options[i].needs)));
    }
    for (const std::string_view other : names_in(options[i].excludes)) {
      if (!given(other)) continue;
      return fail(
          usage_error("conflict", "use", name, "it does not go with --" + std::string(other)));
    }
  }
  return {};
}

// The argument that the word at `index` stands for; the last one may be a list.
const ArgumentSpec& argument_at(const CommandSpec& spec, std::size_t index) {
  return spec.arguments[std::min(index, spec.arguments.size() - 1)];
}

// An empty path is an unset variable in quotes, never a wish.
Result<> check_paths(const CommandSpec& spec, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ArgumentSpec& argument = argument_at(spec, i);
    if (!arguments[i].empty() || !is_path_argument(argument)) continue;
    return fail(usage_error("bad-value", "use the argument " + std::string(argument.name), "''",
                            "a path is never empty"));
  }
  return {};
}

Result<> check_arguments(const CommandSpec& spec, const std::vector<std::string>& arguments) {
  std::size_t most = 0;
  std::size_t wanted = 0;
  for (const ArgumentSpec& argument : spec.arguments) {
    const bool needed = argument.arity == Arity::kOne || argument.arity == Arity::kOneOrMore;
    if (needed && arguments.size() <= wanted) {
      return fail(usage_error(
          "missing-argument", "run", parse_command_of(spec),
          "the argument " + std::string(argument.name) + " is missing; " + see_help(spec)));
    }
    if (needed) ++wanted;
    const bool one = argument.arity == Arity::kOne || argument.arity == Arity::kOptional;
    most = one ? most + 1 : std::numeric_limits<std::size_t>::max() - 1;
    if (!one) break;  // commands_test.cc: a list is the last argument
  }
  if (arguments.size() <= most) return check_paths(spec, arguments);
  return fail(usage_error("extra-argument", "run", parse_command_of(spec),
                          "unexpected argument '" + arguments[most] + "'; " + see_help(spec)));
}

Result<> check_trailing(const CommandSpec& spec, const CommandLine& line) {
  const bool needed = spec.trailing == Trailing::kCommand || spec.trailing == Trailing::kFilter ||
                      (spec.trailing == Trailing::kOptionalCommand && line.has_dashes);
  if (!needed || !line.trailing.empty()) return {};
  return fail(usage_error("missing-argument", "run", parse_command_of(spec),
                          "the command to run is missing; " + see_help(spec)));
}

Result<> read_hook_options(CommonOptions& common, std::string_view name, const std::string& value) {
  if (name == "hook") common.hook.on = true;
  if (name == "hook-allow") {
    common.hook.on = true;
    common.hook.allow = HF_TRY(hook_allow_value(value));
  }
  if (name != "budget") return {};
  common.budget = HF_TRY(parse_duration(value));
  if (*common.budget > Duration::zero()) return {};
  return bad_value("budget", value, "it is a time above 0, such as 3s");
}

CommonOptions common_of(std::span<const std::vector<std::string>> values) {
  CommonOptions common;
  for (std::size_t i = 0; i < kCommonOptions.size(); ++i) {
    if (values[i].empty()) continue;
    const std::string_view name = kCommonOptions[i].name;
    if (name == "home") common.home = values[i].back();
    if (name == "json") common.mode = OutputMode::kJson;
    if (name == "quiet") common.verbosity = Verbosity::kQuiet;
    if (name == "help") common.help = true;
    if (name == "version") common.version = true;
  }
  return common;
}

Args args_of(const CommandSpec& spec, const RawOptions& raw, const CommandLine& line) {
  ArgsBuilder args(spec);
  for (std::size_t i = 0; i < spec.options.size(); ++i) {
    for (const std::string& value : raw.values[i]) args.option(spec.options[i].name, value);
  }
  for (const std::string& argument : raw.arguments) args.argument(argument);
  if (spec.trailing != Trailing::kNone) args.trailing(line.trailing);
  return args.build();
}

// --- where the user's command begins

using OptionList = std::vector<OptionSpec>;
using OptionAt = OptionList::const_iterator;

// One word that begins with a dash: the options in it, and whether the last one takes the next word
// for its value. nullopt: one of them is none of ours.
struct DashedWord {
  std::vector<std::string_view> names;
  bool takes_next = false;
};

std::optional<DashedWord> read_dashed(const OptionList& options, std::string_view word) {
  DashedWord read;
  if (word.starts_with("--")) {
    const std::size_t equals = word.find('=');
    const OptionAt option =
        std::ranges::find(options, word.substr(2, equals - 2), &OptionSpec::name);
    if (option == options.end()) return std::nullopt;
    read.names.push_back(option->name);
    read.takes_next = option->kind != OptionKind::kFlag && equals == word.npos;
    return read;
  }
  for (std::size_t at = 1; at < word.size(); ++at) {
    const OptionAt option = std::ranges::find(options, word[at], &OptionSpec::letter);
    if (option == options.end()) return std::nullopt;
    read.names.push_back(option->name);
    if (option->kind == OptionKind::kFlag) continue;
    read.takes_next = at + 1 == word.size();
    break;  // the rest is its value
  }
  return read;
}

bool has_one_of(const std::vector<std::string_view>& typed, std::string_view names) {
  return std::ranges::any_of(names_in(names), [&](std::string_view name) {
    return std::ranges::find(typed, name) != typed.end();
  });
}

// The argument that a word stands for behind so many arguments and these options; null: none.
const ArgumentSpec* argument_behind(const CommandSpec& spec, std::size_t arguments,
                                    const std::vector<std::string_view>& typed) {
  if (arguments >= spec.arguments.size()) return nullptr;
  const ArgumentSpec& next = spec.arguments[arguments];
  if (!next.behind.empty() && !has_one_of(typed, next.behind)) return nullptr;
  return has_one_of(typed, next.unless) ? nullptr : &next;
}

void begin_command_at(CommandLine& line, std::size_t at) {
  const auto first = line.words.begin() + static_cast<std::ptrdiff_t>(at);
  std::vector<std::string> command(std::make_move_iterator(first),
                                   std::make_move_iterator(line.words.end()));
  line.words.erase(first, line.words.end());
  if (line.has_dashes) command.emplace_back("--");
  std::ranges::move(line.trailing, std::back_inserter(command));
  line.trailing = std::move(command);
  line.has_dashes = true;
}

}  // namespace

void cut_at_command(const CommandSpec& spec, CommandLine& line) {
  if (spec.trailing == Trailing::kNone) return;
  const OptionList options = options_with_common(spec);
  std::vector<std::string_view> typed;
  std::size_t arguments = 0;
  for (std::size_t at = 0; at < line.words.size(); ++at) {
    const std::string& word = line.words[at];
    const ArgumentSpec* argument = argument_behind(spec, arguments, typed);
    if (!looks_like_option(word) && argument != nullptr) {
      if (argument->arity == Arity::kAny || argument->arity == Arity::kOneOrMore) return;
      ++arguments;
      continue;
    }
    if (word.size() < 2 || !word.starts_with('-')) return begin_command_at(line, at);
    const auto read = read_dashed(options, word);
    if (!read) {  // also a word such as `-5`, which is no command
      const auto rest = line.words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      line.dropped.assign(rest, line.words.end());
      line.words.erase(rest, line.words.end());
      return;
    }
    typed.insert(typed.end(), read->names.begin(), read->names.end());
    if (read->takes_next) ++at;
  }
}

Result<ParsedCommand> parse_command(const CommandSpec& spec, const CommandLine& line) {
  const std::vector<OptionSpec> options = options_with_common(spec);
  auto split = split_options(options, line.words);
  if (!split) return fail(from_fault(spec, split.error()));
  RawOptions& raw = *split;
  if (!raw.unknown.empty()) {
    return fail(unknown_option(spec, as_typed(raw.unknown.front(), line.words)));
  }
  const auto odd = std::ranges::find_if(raw.arguments, looks_like_option);
  if (odd != raw.arguments.end()) return fail(unknown_option(spec, *odd));

  ParsedCommand parsed;
  parsed.common = common_of(std::span(raw.values).subspan(spec.options.size()));
  if (parsed.common.help || parsed.common.version) return parsed;

  if (spec.trailing == Trailing::kNone) {
    raw.arguments.insert(raw.arguments.end(), line.trailing.begin(), line.trailing.end());
  }
  HF_TRY(check_options(options, raw));
  HF_TRY(check_company(options, raw));
  for (std::size_t i = 0; i < kCommonOptions.size(); ++i) {
    const auto& typed = raw.values[spec.options.size() + i];
    if (!typed.empty())
      HF_TRY(read_hook_options(parsed.common, kCommonOptions[i].name, typed.back()));
  }
  HF_TRY(check_arguments(spec, raw.arguments));
  HF_TRY(check_trailing(spec, line));
  parsed.args = args_of(spec, raw, line);
  return parsed;
}

}  // namespace holdfast::cli
