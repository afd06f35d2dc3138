// SPDX-License-Identifier: Apache-2.0
//
// A command as data. Parser, `--help`, manual pages, docs/cli/ and shell completions are all made
// from the same CommandSpec, so they cannot disagree.
//
// To add a command:
//   1. write src/cli/cmd_NAME.cc, which defines `const CommandSpec kNameCommand` and its run
//   function;
//   2. declare it in commands.h and add it, with its section of the overview, to the sorted table
//      in commands.cc (a first word of two is a group: add that to kGroups);
//   3. run `./dev docs`; the tests of help, manual and completions then cover it.
//
// A run function parses nothing and prints no error: it takes checked Args, makes one call into the
// layers below, renders the answer through Context, and returns the exit status, or an Error, which
// the frame renders (sentence on stderr, or the `--json` error document) and turns into its exit
// code.
//
// A wrapper (is_wrapper) returns an Error only while its command has not run: the frame
// then answers 125 for 70, 71 and 74. Once the command may have run, a failure goes through
// Context::report, and the wrapper returns the code.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/exit_code.h"
#include "base/result.h"

namespace holdfast::cli {

class Args;
class Context;

enum class OptionKind : std::uint8_t {
  kFlag,      // no value
  kText,      // any value
  kPath,      // a file or directory; completed as one
  kDuration,  // base/units.h
  kSize,      // base/units.h
  kInteger,   // a decimal whole number, 0 or more
  kChoice,    // one of the words of `value`, separated by |
};

enum class Repeat : std::uint8_t { kOnce, kMany };

struct OptionSpec {
  std::string_view name;  // long form without dashes; the key in Args
  char letter = '\0';     // short form, or none
  OptionKind kind = OptionKind::kFlag;
  std::string_view value = {};  // as the help shows it ("D"), or the words of a choice ("a|b")
  std::string_view help;        // one sentence, lower case, no full stop
  Repeat repeat = Repeat::kOnce;
  // Options of the same command, separated by |: without one of these it would have no effect, and
  // is refused; with one of those it is refused as well.
  std::string_view needs = {};
  std::string_view excludes = {};
};

enum class Arity : std::uint8_t { kOne, kOptional, kOneOrMore, kAny };

struct ArgumentSpec {
  // In capitals: "NAME"; some names are paths (is_path_argument). Only the last argument of a
  // command may be optional or a list.
  std::string_view name;
  std::string_view help;
  Arity arity = Arity::kOne;
  // For an optional argument before a command that may stand without `--`. Options of the same
  // command, separated by |: the word is this argument only behind one of these, or behind none of
  // those; else it begins the command.
  std::string_view behind = {};
  std::string_view unless = {};
};

// An argument called PATH, FILE, DIR, MANIFEST or PLAN is a path: completed as one, never empty.
constexpr bool is_path_argument(const ArgumentSpec& argument) {
  constexpr std::array<std::string_view, 5> kNames{"PATH", "FILE", "DIR", "MANIFEST", "PLAN"};
  return std::ranges::find(kNames, argument.name) != kNames.end();
}

// What may follow the arguments: nothing, or a command that runs without a shell. It begins behind
// `--`, or at the first word that is neither an option, nor the value of one, nor an argument
// (cut_at_command, parse.h). It is cut off before the option parser sees it, so nothing in it can be
// taken for an option or be rewritten. kFilter: a command is needed, but holdfast's answer is about
// something else; it is no wrapper. kMoreWords: a wrapper that may have its command from elsewhere,
// and then what follows is added to it; it says itself what is missing.
enum class Trailing : std::uint8_t { kNone, kOptionalCommand, kFilter, kCommand, kMoreWords };

constexpr bool is_wrapper(Trailing trailing) {
  return trailing == Trailing::kCommand || trailing == Trailing::kMoreWords;
}

struct Example {
  std::string_view line;  // as typed
  std::string_view says;  // what it does
};

struct ExitNote {
  ExitCode code;
  std::string_view says;  // what the code means for this command
};

// A field of the document that --json prints. `ok`, `code` and `error` are in every document and
// not listed again.
struct JsonField {
  std::string_view name;
  std::string_view says;  // lower case, no full stop
};

// Options that `-h` shows together; where a command has none of these, all its options.
struct HelpGroup {
  std::string_view title;
  std::string_view options;  // their names, separated by |, those that most people need first
};

struct CommandSpec {
  std::string_view name;         // one word, or two: "journal append"
  std::string_view summary;      // one line, lower case, no full stop
  std::string_view description;  // paragraphs, separated by an empty line
  std::span<const OptionSpec> options = {};
  std::span<const ArgumentSpec> arguments = {};
  Trailing trailing = Trailing::kNone;
  std::span<const Example> examples = {};
  std::span<const ExitNote> exits = {};
  std::span<const JsonField> json_fields = {};
  std::span<const HelpGroup> brief = {};
  Result<int> (*run)(Context&, const Args&) = nullptr;
};

}  // namespace holdfast::cli
