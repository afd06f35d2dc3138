// SPDX-License-Identifier: Apache-2.0
//
// parse_command: the words of one command line against one CommandSpec.
//
// The option parser is CLI11, seen by parse_cli11.cc only; it knows the options of the chosen
// command and the common ones, nothing else. What it does not give is done around it, so that these
// rules hold:
//   - every value arrives byte for byte: `[a,b]`, `a=b`, an empty one, quotes, newlines, any UTF-8;
//   - `--name value`, `--name=value`, `-n value`, `-nvalue`; letters of flags combine (`-qh`);
//   - an option with a value takes the next word whatever it looks like (`--reason -x`), as getopt
//     does; a `--` is never a value, it ends the options;
//   - names are typed in full: no abbreviations, no negations, no /windows style;
//   - an option of Repeat::kOnce with a value, typed twice, is an error, never a silent last one
//     wins; a repeated flag says the same thing twice and is allowed;
//   - a word such as `-5` is an argument; any other word that starts with `-` must be an option;
//   - a path is never empty, neither as an option's value nor as an argument (`doctor "$UNSET"`);
//   - with --help or --version nothing but unknown options is complained about.
//
// The user's command becomes Args::trailing() if the command takes one; else what follows `--` is
// further arguments.
//
// Errors: kUsage with cause `unknown-option`, `missing-value`, `bad-value`, `repeated-option`,
// `missing-argument` or `extra-argument`. Nothing is thrown.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/command_line.h"
#include "cli/frame/common_options.h"

namespace holdfast::cli {

struct ParsedCommand {
  CommonOptions common;
  Args args;
};

// Without `--`, the user's command begins at the first word that is neither an option of `spec` or
// a common one, nor the value of one, nor one of its arguments, as with timeout(1), env(1) and
// nice(1): from there on nothing is holdfast's, whatever it looks like. An option that `spec` does
// not have ends the search: what follows it is dropped (CommandLine::dropped), and parse_command names
// it. Where the last argument is a list, only `--` begins a command.
//
// Both want `line.words` to hold the common options typed in front of the command word and
// everything after it, without the command word.
void cut_at_command(const CommandSpec& spec, CommandLine& line);

// `line` is cut already.
Result<ParsedCommand> parse_command(const CommandSpec& spec, const CommandLine& line);

// Only for parse.cc: what the option parser library (parse_cli11.cc) makes of the words. Which are
// options, which values they got, what is left over. No value is checked there.
struct RawOptions {
  // One list per option, in the order of `options`; a flag that was typed has one empty value each
  // time.
  std::vector<std::vector<std::string>> values;
  std::vector<std::string> arguments;
  std::vector<std::string> unknown;  // words that look like options and are none
};

// Which word the library could not take, and why.
struct RawFault {
  enum class Kind : std::uint8_t { kMissingValue, kValueOfFlag, kInternal };
  Kind kind = Kind::kInternal;
  std::string detail;
};

std::expected<RawOptions, RawFault> split_options(std::span<const OptionSpec> options,
                                                  const std::vector<std::string>& words);

}  // namespace holdfast::cli
