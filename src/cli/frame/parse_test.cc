// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/parse.h"

#include <gtest/gtest.h>

#include <array>

#include "cli/frame/command_line.h"
#include "cli/frame/test_frame.h"

namespace holdfast::cli {
namespace {

using namespace std::chrono_literals;
using ParseWords = std::vector<std::string>;

Result<ParsedCommand> parse_words(ParseWords argv, const CommandSpec& spec = kProbeCommand) {
  argv.insert(argv.begin(), "holdfast");
  CommandLine line = cut_at_dashes(argv);
  cut_at_command(spec, line);
  return parse_command(spec, line);
}

ParsedCommand parsed(const ParseWords& words) {
  auto result = parse_words(words);
  EXPECT_TRUE(result) << (result ? "" : to_sentence(result.error()));
  return result.value_or(ParsedCommand{});
}

std::string parse_cause(const ParseWords& words, const CommandSpec& spec = kProbeCommand) {
  const auto result = parse_words(words, spec);
  if (result) return "none";
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  return result.error().cause;
}

std::string sentence(const ParseWords& words, const CommandSpec& spec = kProbeCommand) {
  const auto result = parse_words(words, spec);
  return result ? "none" : to_sentence(result.error());
}

constexpr std::array kFileThenName{
    ArgumentSpec{.name = "FILE", .help = "a file"},
    ArgumentSpec{.name = "NAME", .help = "a name", .arity = Arity::kOptional}};

// What shells and people put into values, and what option parsers like to rewrite.
const ParseWords kHardValues{"",     "[a,b]",     "[]",         "a=b",   "=",        "a,b",
                             "{}",   "{\"x\":1}", "\"quoted\"", "'q'",   "true",     "++",
                             "a\nb", " lead",     "tail ",      "Grüße", "\xff\xfe", "/opt:x",
                             "%s",   "$(x)",      "\\",         "[a",    "a]",       "!x"};

TEST(Parse, ValuesArriveByteForByte) {
  const CommandTable table = test_table();
  const CommandSpec& append = *table.find("journal append");
  for (const std::string& value : kHardValues) {
    EXPECT_EQ(parsed({"--text", value, "p"}).args.text("text"), value);
    EXPECT_EQ(parsed({"--text=" + value, "p"}).args.text("text"), value);
    EXPECT_EQ(parsed({"-t", value, "p"}).args.text("text"), value);
    if (!value.empty()) {
      EXPECT_EQ(parsed({"-t" + value, "p"}).args.text("text"), value);
    }
    EXPECT_EQ(parse_words({value, "p"}, append)->args.arguments(), (ParseWords{value, "p"}));
    EXPECT_EQ(parsed({"p", "--", value}).args.trailing(), ParseWords{value});
  }
}

TEST(Parse, RepeatableOptionKeepsOrderAndBytes) {
  ParseWords words{"p"};
  for (const std::string& value : kHardValues) words.insert(words.end(), {"--many", value});
  EXPECT_EQ(parsed(words).args.texts("many"), kHardValues);
}

TEST(Parse, OptionsAreFoundInAClusterAndBehindOthers) {
  const Args args = parsed({"-aw5", "--many", "-q", "p", "--text=--cap"}).args;
  EXPECT_TRUE(args.flag("all"));
  EXPECT_EQ(args.duration("timeout"), 5s);
  EXPECT_EQ(args.texts("many"), ParseWords{"-q"});
  EXPECT_EQ(args.text("text"), "--cap");
  EXPECT_EQ(args.size("cap"), std::nullopt);
}

TEST(Parse, OptionWithAValueTakesTheNextWordWhateverItLooksLike) {
  EXPECT_EQ(parsed({"--text", "-5", "p"}).args.text("text"), "-5");
  EXPECT_EQ(parsed({"--text", "-x", "p"}).args.text("text"), "-x");
  EXPECT_EQ(parsed({"--text", "--json", "p"}).args.text("text"), "--json");
  EXPECT_EQ(parsed({"--text", "--all=", "p"}).args.text("text"), "--all=");
  EXPECT_FALSE(parsed({"--text", "--all", "p"}).args.flag("all"));
}

TEST(Parse, TypedValuesAreRead) {
  const Args args = parsed({"-w5", "--cap", "1K", "--max", "7", "--check", "toml", "-a", "p"}).args;
  EXPECT_EQ(args.duration("timeout"), 5s);
  EXPECT_EQ(args.size("cap"), 1024U);
  EXPECT_EQ(args.integer("max"), 7U);
  EXPECT_EQ(args.text("check"), "toml");
  EXPECT_TRUE(args.flag("all"));
}

TEST(Parse, WhatWasNotTypedIsAbsent) {
  const Args args = parsed({"p"}).args;
  EXPECT_EQ(args.duration("timeout"), std::nullopt);
  EXPECT_EQ(args.size("cap"), std::nullopt);
  EXPECT_EQ(args.integer("max"), std::nullopt);
  EXPECT_EQ(args.text("text"), std::nullopt);
  EXPECT_TRUE(args.texts("many").empty());
  EXPECT_FALSE(args.flag("all"));
}

TEST(Parse, CommonOptionsAreReadAnywhereBeforeTheDashes) {
  const CommonOptions common = parsed({"--json", "p", "-aq", "--home", "h"}).common;
  EXPECT_EQ(common.mode, OutputMode::kJson);
  EXPECT_EQ(common.verbosity, Verbosity::kQuiet);
  EXPECT_EQ(common.home, "h");
  EXPECT_EQ(parsed({"p", "--", "--json"}).common.mode, OutputMode::kText);
}

TEST(Parse, UnknownOptionIsNamedWithTheNearest) {
  EXPECT_EQ(parse_cause({"--bogus", "p"}), "unknown-option");
  EXPECT_EQ(parse_cause({"-z", "p"}), "unknown-option");
  EXPECT_EQ(parse_cause({"-az", "p"}), "unknown-option");
  EXPECT_EQ(parse_cause({"---x", "p"}), "unknown-option");
  EXPECT_EQ(parse_cause({"-!", "p"}), "unknown-option");
  EXPECT_EQ(parse_cause({"--no-all", "p"}), "unknown-option");
  EXPECT_NE(sentence({"--timout", "5", "p"}).find("did you mean --timeout?"), std::string::npos);
  EXPECT_NE(sentence({"--time=5", "p"}).find("did you mean --timeout?"), std::string::npos);
  EXPECT_NE(sentence({"-quiet", "p"}).find("option -quiet:"), std::string::npos);
  EXPECT_NE(sentence({"-quiet", "p"}).find("did you mean --quiet?"), std::string::npos);
  EXPECT_NE(sentence({"--zzz", "p"}).find("`holdfast help probe`"), std::string::npos);
}

TEST(Parse, AbbreviationsAndWindowsStyleAreNotOptions) {
  EXPECT_EQ(parse_cause({"--al", "p"}), "unknown-option");
  EXPECT_EQ(parsed({"/all"}).args.arguments(), ParseWords{"/all"});
}

TEST(Parse, MissingValueIsToldFromAnEmptyOne) {
  EXPECT_EQ(parse_cause({"p", "--text"}), "missing-value");
  EXPECT_EQ(parse_cause({"p", "-at"}), "missing-value");
  EXPECT_EQ(parse_cause({"p", "--text", "--", "x"}), "missing-value");  // `--` is never a value
  EXPECT_EQ(parsed({"--text", "", "p"}).args.text("text"), "");
  EXPECT_EQ(parsed({"--text=", "p"}).args.text("text"), "");
}

TEST(Parse, BadValuesAreRefusedAndExplained) {
  for (const ParseWords& words :
       {ParseWords{"--timeout", "5x"}, ParseWords{"--timeout="}, ParseWords{"--timeout", "-1"},
        ParseWords{"-w=5"}, ParseWords{"--cap", "1X"}, ParseWords{"--max", "-1"},
        ParseWords{"--max", "1.5"}, ParseWords{"--max", ""},
        ParseWords{"--max", "18446744073709551616"}, ParseWords{"--check", "xml"},
        ParseWords{"--check", ""}, ParseWords{"--file", ""}, ParseWords{"--home="},
        ParseWords{"--all=true"}, ParseWords{"--all="}, ParseWords{"--all={}"}}) {
    ParseWords line = words;
    line.emplace_back("p");
    EXPECT_EQ(parse_cause(line), "bad-value") << words[0];
  }
  EXPECT_NE(sentence({"--check", "jsn", "p"}).find("did you mean json?"), std::string::npos);
}

TEST(Parse, RepeatedOptionIsNoSilentLastOneWins) {
  EXPECT_EQ(parse_cause({"--text", "a", "--text", "b", "p"}), "repeated-option");
  EXPECT_EQ(parse_cause({"-w1", "--timeout", "1", "p"}), "repeated-option");
  EXPECT_EQ(parse_cause({"--home", "a", "p", "--home", "a"}), "repeated-option");
  EXPECT_TRUE(parsed({"-aa", "--all", "p"}).args.flag("all"));  // a flag says the same twice
}

TEST(Parse, ArgumentsAreCounted) {
  const CommandTable table = test_table();
  const CommandSpec& append = *table.find("journal append");
  const CommandSpec& count = *table.find("journal count");
  EXPECT_EQ(parse_cause({}), "missing-argument");
  EXPECT_EQ(parse_cause({}, append), "missing-argument");
  EXPECT_TRUE(parse_words({"a"}, append));
  EXPECT_TRUE(parse_words({"a", "b"}, append));
  EXPECT_EQ(parse_cause({"a", "b", "c"}, append), "extra-argument");
  EXPECT_EQ(parse_cause({"a"}, count), "extra-argument");
  EXPECT_TRUE(parse_words({"-", "-5", "x"}));
}

TEST(Parse, EmptyPathIsRefusedWhereverItStands) {
  EXPECT_EQ(parse_cause({""}), "bad-value");
  EXPECT_EQ(parse_cause({"a", "", "b"}), "bad-value");
  EXPECT_EQ(sentence({""}), "cannot use the argument PATH '': a path is never empty");
  EXPECT_EQ(parse_cause({"a", "", "c"}, *test_table().find("journal append")), "extra-argument");
  const CommandSpec one{
      .name = "one", .summary = "", .description = "", .arguments = kFileThenName};
  EXPECT_EQ(parse_cause({"", "n"}, one), "bad-value");
  EXPECT_EQ(parse_cause({"--", "", "n"}, one), "bad-value");
  EXPECT_EQ(parse_cause({"f", ""}, one), "none");  // NAME is no path
  EXPECT_EQ(parse_cause({"f"}, one), "none");
}

TEST(Parse, WordsAfterTheDashesAreArgumentsWhereNoCommandIsTaken) {
  const CommandTable table = test_table();
  const auto result = parse_words({"a", "--", "--json"}, *table.find("journal append"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->args.arguments(), (ParseWords{"a", "--json"}));
  EXPECT_EQ(result->common.mode, OutputMode::kText);
}

TEST(Parse, WrapperNeedsItsCommand) {
  const CommandTable table = test_table();
  const CommandSpec& wrap = *table.find("wrap");
  EXPECT_EQ(parse_cause({"n"}, wrap), "missing-argument");
  EXPECT_EQ(parse_cause({"n", "--"}, wrap), "missing-argument");
  EXPECT_EQ(parse_cause({"p", "--"}), "missing-argument");  // an optional one, begun and not given
  EXPECT_NE(sentence({"n"}, wrap).find("the command to run is missing"), std::string::npos);
  EXPECT_EQ(parse_words({"n", "--", "a", "--", "-x"}, wrap)->args.trailing(),
            (ParseWords{"a", "--", "-x"}));
}

constexpr std::array kCutOptions{
    OptionSpec{.name = "wait", .letter = 'w', .kind = OptionKind::kText, .value = "D", .help = ""},
    OptionSpec{.name = "file", .kind = OptionKind::kPath, .value = "F", .help = ""},
    OptionSpec{.name = "shared", .letter = 's', .help = ""},
};
constexpr std::array kCutName{
    ArgumentSpec{.name = "NAME", .help = "a name", .arity = Arity::kOptional, .unless = "file"}};
constexpr std::array kCutProfile{
    ArgumentSpec{.name = "NAME", .help = "a name", .arity = Arity::kOptional, .behind = "file"}};

CommandSpec cut_spec(std::span<const ArgumentSpec> arguments) {
  return {.name = "cut",
          .summary = "",
          .description = "",
          .options = kCutOptions,
          .arguments = arguments,
          .trailing = Trailing::kMoreWords};
}

// "NAME|the command", or the cause of the error.
std::string cut(const ParseWords& words, std::span<const ArgumentSpec> arguments) {
  const auto result = parse_words(words, cut_spec(arguments));
  if (!result) return result.error().cause;
  std::string text;
  for (const std::string& word : result->args.arguments()) text += word;
  for (const std::string& word : result->args.trailing()) text += "|" + word;
  return text;
}

TEST(Parse, CommandBeginsAtTheFirstWordThatIsNeitherOptionNorValueNorArgument) {
  EXPECT_EQ(cut({"sleep", "5"}, {}), "|sleep|5");
  EXPECT_EQ(cut({"-s", "--wait", "5", "ls", "--help", "-q"}, {}), "|ls|--help|-q");
  EXPECT_EQ(cut({"-sw", "5", "ls", "--json"}, {}), "|ls|--json");
  EXPECT_EQ(cut({"-sw5", "--wait=6", "ls"}, {}), "repeated-option");
  EXPECT_EQ(cut({"--wait=5", "ls", "--wait", "6"}, {}), "|ls|--wait|6");
  EXPECT_EQ(cut({"--wait", "-x", "ls"}, {}), "|ls");
  EXPECT_EQ(cut({"sh", "-c", "x", "--", "y"}, {}), "|sh|-c|x|--|y");
  EXPECT_EQ(cut({"-s", "--", "-x", "--", "y"}, {}), "|-x|--|y");
  EXPECT_EQ(cut({"a", "b", "-s"}, kCutName), "a|b|-s");
  EXPECT_EQ(cut({"a", "-s", "--", "b"}, kCutName), "a|b");
  EXPECT_EQ(cut({"-s", "a", "-w1", "b", "c"}, kCutName), "a|b|c");
  EXPECT_EQ(cut({"", "x"}, {}), "||x");
}

TEST(Parse, AnOptionalArgumentGivesWayToTheCommand) {
  EXPECT_EQ(cut({"--file", "f", "ls", "-s"}, kCutName), "|ls|-s");
  EXPECT_EQ(cut({"a", "--file", "f", "ls"}, kCutName), "a|ls");
  EXPECT_EQ(cut({"ls", "--file", "f"}, kCutProfile), "|ls|--file|f");
  EXPECT_EQ(cut({"--file", "f", "a", "more", "-s"}, kCutProfile), "a|more|-s");
  EXPECT_EQ(cut({"--file", "f", "--", "more"}, kCutProfile), "|more");
}

TEST(Parse, ADashedWordBeforeTheCommandIsAnOptionOrAnError) {
  EXPECT_EQ(cut({"--wiat", "5", "ls", "--nonsense"}, {}), "unknown-option");
  EXPECT_NE(sentence({"--wiat", "5", "ls", "--nonsense", "--wait"}, cut_spec({}))
                .find("option --wiat: holdfast cut has no such option; did you mean --wait?"),
            std::string::npos);
  EXPECT_EQ(cut({"-sz", "ls"}, {}), "unknown-option");
  EXPECT_EQ(cut({"-5", "ls"}, {}), "extra-argument");
  EXPECT_EQ(cut({"a", "-5", "ls"}, kCutName), "extra-argument");
  EXPECT_EQ(cut({"-5", "ls"}, kCutName), "-5|ls");
  EXPECT_EQ(cut({"--wait"}, {}), "missing-value");
  EXPECT_EQ(cut({"--wait", "--", "ls"}, {}), "missing-value");
}

TEST(Parse, CommonOptionsOfTheCommandAreItsOwn) {
  const auto result =
      parse_words({"--json", "ls", "--quiet", "--home", "x", "--hook"}, cut_spec({}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->common.mode, OutputMode::kJson);
  EXPECT_EQ(result->common.verbosity, Verbosity::kNormal);
  EXPECT_EQ(result->common.home, std::nullopt);
  EXPECT_FALSE(result->common.hook.on);
  EXPECT_TRUE(parse_words({"-h", "ls"}, cut_spec({}))->common.help);
  EXPECT_FALSE(parse_words({"ls", "-h"}, cut_spec({}))->common.help);
}

TEST(Parse, HelpIsGivenWhateverElseIsMissing) {
  EXPECT_TRUE(parsed({"--help"}).common.help);
  EXPECT_TRUE(parsed({"-h", "--timeout", "5x"}).common.help);
  EXPECT_TRUE(parsed({"--version"}).common.version);
}

std::string_view guess(std::string_view typed) {
  static constexpr std::array<std::string_view, 6> kNames{"check", "lock",    "locks",
                                                          "run",   "timeout", "write"};
  return nearest(typed, kNames).value_or("-");
}

TEST(Nearest, SlipsOfTheFingersAreFound) {
  EXPECT_EQ(guess("lcok"), "lock");        // swapped
  EXPECT_EQ(guess("lok"), "lock");         // left out
  EXPECT_EQ(guess("lockk"), "lock");       // doubled
  EXPECT_EQ(guess("wride"), "write");      // replaced
  EXPECT_EQ(guess("tmieotu"), "timeout");  // two slips in a long word
}

TEST(Nearest, BeginningOfANameIsFound) {
  EXPECT_EQ(guess("tim"), "timeout");
  EXPECT_EQ(guess("ti"), "-");
}

TEST(Nearest, NearerOneWinsAndAmongEqualsTheFirst) {
  EXPECT_EQ(guess("locks"), "locks");
  EXPECT_EQ(guess("locj"), "lock");
  EXPECT_EQ(guess("lockz"), "lock");
}

TEST(Nearest, FarOffWordsGetNoGuess) {
  EXPECT_EQ(guess("frobnicate"), "-");
  EXPECT_EQ(guess(""), "-");
  EXPECT_EQ(guess("x"), "-");
  EXPECT_EQ(guess(std::string(1000, 'l')), "-");
}

TEST(Nearest, StemOfAnOptionIsItsName) {
  EXPECT_EQ(option_stem("--time=5=6"), "time");
  EXPECT_EQ(option_stem("-time"), "time");
  EXPECT_EQ(option_stem("--"), "");
}

}  // namespace
}  // namespace holdfast::cli
