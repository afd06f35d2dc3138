// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/frame.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <set>

#include "cli/frame/test_frame.h"
#include "format/json/json.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run(TestConsole& console, const std::vector<std::string>& argv) {
  static constexpr std::array kPersonalities{
      Personality{"other", [](Console& c, const std::vector<std::string>& words) {
                    const auto written = c.write(os::Stream::kOut, words.back());
                    return written ? 9 : 10;
                  }}};
  const os::RealClock clock;
  const int code = run_frame(console, clock, {test_table(), kPersonalities}, argv);
  return {code, console.out, console.err};
}

Outcome run(std::vector<std::string> words) {
  TestConsole console;
  words.insert(words.begin(), "holdfast");
  return run(console, words);
}

Json document(const Outcome& outcome) {
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(outcome.out.ends_with("}\n")) << outcome.out;
  auto parsed = parse_json(outcome.out);
  EXPECT_FALSE(parsed.is_invalid()) << outcome.out;
  EXPECT_EQ(parsed.items().at(0).key, "ok");
  EXPECT_EQ(parsed.items().at(1).key, "code");
  EXPECT_EQ(parsed["code"], outcome.code);
  EXPECT_EQ(parsed["ok"], outcome.code == 0);
  return parsed;
}

TEST(Frame, NothingTypedIsUsageOnStderr) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 64);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("usage: holdfast COMMAND"), std::string::npos);
  EXPECT_EQ(document(run({"--json"}))["error"]["cause"], "missing-command");
}

TEST(Frame, VersionIsAnsweredBeforeAndAfterTheCommandWord) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--version"},
                                                {"-q", "--version"},
                                                {"probe", "--version"},
                                                {"--version", "nonsense"}}) {
    EXPECT_EQ(run(words).out, "holdfast " HOLDFAST_VERSION "\n");
    EXPECT_EQ(run(words).code, 0);
  }
  EXPECT_EQ(document(run({"--version", "--json"}))["version"], HOLDFAST_VERSION);
  EXPECT_EQ(document(run({"--json", "--version"}))["version"], HOLDFAST_VERSION);
}

TEST(Frame, HelpOfACommandIsTheSameHoweverItIsAsked) {
  const std::string page = run({"probe", "--help"}).out;
  EXPECT_TRUE(page.starts_with("holdfast probe - show what was typed\n")) << page;
  EXPECT_EQ(run({"--help", "probe"}).out, page);
  const std::string brief = run({"probe", "-h"}).out;
  EXPECT_TRUE(brief.starts_with("holdfast probe - show what was typed\n")) << brief;
  EXPECT_LT(brief.size(), page.size());
  EXPECT_EQ(run({"-h", "probe"}).out, brief);
  EXPECT_EQ(run({"probe", "-h", "--help"}).out, page) << "the longer one wins";
  EXPECT_EQ(run({"probe", "--help"}).code, 0);
  EXPECT_EQ(document(run({"probe", "--help", "--json"}))["text"], page);
}

TEST(Frame, GroupWordAloneListsItsCommandsAsUsage) {
  const Outcome outcome = run({"journal"});
  EXPECT_EQ(outcome.code, 64);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("holdfast journal append\n"), std::string::npos);
  EXPECT_NE(outcome.err.find("holdfast journal count\n"), std::string::npos);
  EXPECT_EQ(document(run({"journal", "--json"}))["error"]["cause"], "missing-command");
  EXPECT_EQ(run({"journal", "--help"}).code, 0);
  EXPECT_NE(run({"journal", "--help"}).out.find("append a record"), std::string::npos);
}

TEST(Frame, CommandsOfTwoWordsAreFound) {
  EXPECT_EQ(run({"journal", "append", "x"}).out, "argument x\n");
  EXPECT_EQ(run({"-q", "journal", "append", "x"}).err, "");
  EXPECT_EQ(run({"journal", "count"}).code, 66);
}

TEST(Frame, UnknownCommandIsNamedWithTheNearest) {
  EXPECT_EQ(run({"prbe"}).err,
            "holdfast: cannot find the command 'prbe': there is none of that name; did you mean "
            "probe?\n");
  EXPECT_NE(run({"journal", "apend"}).err.find("did you mean journal append?"), std::string::npos);
  EXPECT_NE(run({"jurnal"}).err.find("did you mean journal?"), std::string::npos);
  EXPECT_NE(run({"zzzzzz"}).err.find("see `holdfast help`"), std::string::npos);
  EXPECT_EQ(run({"prbe"}).code, 64);
  EXPECT_EQ(run({""}).code, 64);
}

TEST(Frame, ThreeDashesAreNoOptionBeforeOrAfterTheCommandWord) {
  for (const std::string word : {"---version", "---help", "---json", "----json", "---home=x"}) {
    EXPECT_EQ(run({word}).code, 64) << word;
    EXPECT_EQ(run({word, "probe", "x"}).code, 64) << word;
    EXPECT_EQ(run({"probe", "x", word}).code, 64) << word;
    EXPECT_EQ(run({word, "probe", "x"}).out, "") << word;
  }
  EXPECT_NE(run({"---version"}).err.find("did you mean --version?"), std::string::npos);
}

TEST(Frame, OptionOfACommandInFrontOfItIsExplained) {
  EXPECT_EQ(run({"--timeout", "5", "probe", "x"}).code, 64);
  EXPECT_NE(run({"--timeout", "5", "probe"}).err.find("only common options"), std::string::npos);
  EXPECT_NE(run({"--jsn", "probe"}).err.find("did you mean --json?"), std::string::npos);
  EXPECT_EQ(run({"--home"}).code, 64);
  EXPECT_EQ(run({"--json=1", "probe"}).code, 64);
}

TEST(Frame, UsageErrorIsADocumentWhereJsonStandsAnywhereBeforeTheDashes) {
  const auto parsed = document(run({"probe", "--bogus", "x", "--json"}));
  EXPECT_EQ(parsed["error"]["cause"], "unknown-option");
  EXPECT_EQ(parsed["error"]["subject"], "--bogus");
  EXPECT_NE(parsed["error"]["op"], "");
  EXPECT_NE(parsed["error"]["detail"], "");
  EXPECT_EQ(document(run({"nonsense", "--json"}))["error"]["cause"], "unknown-command");
  EXPECT_NE(run({"probe", "--bogus", "--", "--json"}).err, "");
}

TEST(Frame, AnswerIsOneDocument) {
  const auto parsed = document(run({"--json", "-q", "probe", "a", "--", "b"}));
  EXPECT_EQ(parsed["arguments"].front(), "a");
  EXPECT_EQ(parsed["trailing"].front(), "b");
  EXPECT_EQ(document(run({"journal", "count", "--json"}))["code"], 66);
}

TEST(Frame, BytesThatAreNotUtf8DoNotBreakTheDocument) {
  EXPECT_EQ(document(run({"--json", "-q", "probe", "\xff"}))["arguments"].front(), "\xef\xbf\xbd");
  EXPECT_EQ(document(run({"--json", "\xfe"}))["error"]["subject"], "'\xef\xbf\xbd'");
}

TEST(Frame, ErrorIsOneSafeLineAfterWhatWasPrinted) {
  const Outcome outcome = run({"fail"});
  EXPECT_EQ(outcome.code, 77);
  EXPECT_EQ(outcome.out, "before\n");
  EXPECT_EQ(outcome.err, "holdfast: cannot open the home /x\\x1b[2J: it is a link\n");
  const auto parsed = document(run({"fail", "--json"}));
  EXPECT_EQ(parsed["error"]["cause"], "home-is-link");
  EXPECT_EQ(parsed["seen"], 1);
}

TEST(Frame, WrapperReportsAFailureUnderACodeOfItsOwn) {
  const Outcome outcome = run({"wrap", "n", "--", "nope"});
  EXPECT_EQ(outcome.code, 127);
  EXPECT_EQ(outcome.err, "holdfast: cannot run nope: no such command\n");
  const auto parsed = document(run({"--json", "wrap", "n", "--", "nope"}));
  EXPECT_EQ(parsed["code"], 127);
  EXPECT_EQ(parsed["error"]["cause"], "enoent");
}

// `wrap` fails with the Error code that its NAME names; with `ran` its command ran.
TEST(Frame, FailureOfAWrapperBeforeItsCommandRanIs125) {
  for (const ErrorCodeInfo& row : kErrorCodes) {
    const std::set<int> own{70, 71, 74};
    const int expected = own.contains(to_int(row.exit)) ? 125 : to_int(row.exit);
    EXPECT_EQ(run({"wrap", std::string(row.name), "--", "x"}).code, expected) << row.name;
    EXPECT_EQ(document(run({"--json", "wrap", std::string(row.name), "--", "x"}))["code"],
              expected);
  }
}

TEST(Frame, StdoutThatFailsAfterAWrappersCommandRanIs74AndBefore125) {
  const auto code = [](const std::string& name) {
    TestConsole console;
    console.out_fault = Error{.code = ErrorCode::kIo, .op = "write to", .subject = "stdout"};
    return run(console, {"holdfast", "--json", "wrap", name, "--", "x"}).code;
  };
  EXPECT_EQ(code("ran"), 74);
  EXPECT_EQ(code("refused"), 125);
}

TEST(Frame, ProgramThatCannotBeSetUpSaysSo) {
  const Error error{.code = ErrorCode::kOsRefused, .op = "open", .subject = "x", .detail = "no"};
  const auto refused = [&](const std::vector<std::string>& argv) {
    TestConsole console;
    const os::RealClock clock;
    const int code = refuse_to_start(console, clock, {test_table(), personalities()}, argv, error);
    return Outcome{code, console.out, console.err};
  };
  EXPECT_EQ(refused({"holdfast", "--version"}).code, 71);
  EXPECT_EQ(refused({"holdfast", "--version"}).err, "holdfast: cannot open x: no\n");
  EXPECT_EQ(refused({"holdfast", "--version"}).out, "");
  EXPECT_EQ(refused({"holdfast", "--hook", "probe", "x"}).code, 2);
  for (const std::vector<std::string>& argv : {std::vector<std::string>{},
                                               {"holdfast"},
                                               {"holdfast", "probe", "x"},
                                               {"holdfast", "journal"},
                                               {"holdfast", "no-such"},
                                               {"holdfast", "---x"}}) {
    EXPECT_EQ(refused(argv).code, 71);
  }
  EXPECT_EQ(refused({"holdfast", "-q", "wrap", "n", "--", "x"}).code, 125);
  EXPECT_EQ(document(refused({"holdfast", "--json", "wrap", "n", "--", "x"}))["code"], 125);
}

TEST(Frame, QuietSilencesNotesAndNothingElse) {
  EXPECT_EQ(run({"probe", "x"}).err, "holdfast: probed\n");
  EXPECT_EQ(run({"probe", "x", "-q"}).err, "");
  EXPECT_EQ(run({"probe", "x", "-q"}).out, "argument x\n");
  EXPECT_NE(run({"fail", "-q"}).err, "");
}

TEST(Frame, StdoutThatCannotBeWrittenIs74) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"probe", "x", "-q"},
                                                {"--version"},
                                                {"--help"},
                                                {"fail", "--json"}}) {
    TestConsole console;
    console.out_fault = Error{.code = ErrorCode::kIo,
                              .op = "write to",
                              .subject = "stdout",
                              .cause = "enospc",
                              .detail = "no space left"};
    std::vector<std::string> argv = words;
    argv.insert(argv.begin(), "holdfast");
    EXPECT_EQ(run(console, argv).code, 74) << words[0];
    EXPECT_NE(console.err.find("cannot write to stdout: no space left"), std::string::npos);
    console.err.clear();
    console.out_fault->cause = "epipe";
    EXPECT_EQ(run(console, argv).code, 74) << words[0];
    EXPECT_EQ(console.err.find("stdout"), std::string::npos);
  }
}

TEST(Frame, AStreamIsItsLinesAndOneMoreWhereItFailed) {
  const std::string lines = "{\"n\":1}\n{\"n\":2}\n";
  EXPECT_EQ(run({"stream"}).out, lines);
  EXPECT_EQ(run({"stream", "--json"}).out, lines);
  const Outcome damaged = run({"stream", "--json", "--code", "65"});
  EXPECT_EQ(damaged.code, 65);
  EXPECT_EQ(damaged.out, lines + "{\"ok\":false,\"code\":65,\"seen\":2}\n");
  const Outcome failed = run({"stream", "--json", "--code", "69"});
  EXPECT_EQ(failed.code, 69);
  EXPECT_TRUE(failed.out.starts_with(lines + "{\"ok\":false,\"code\":69,\"error\":{"))
      << failed.out;
  EXPECT_EQ(run({"stream", "--code", "69"}).err, "holdfast: warned\nholdfast: cannot go on\n");
}

TEST(Frame, AStreamThatNobodyReadsEndsQuietlyWith74) {
  for (const char* mode : {"-q", "--json"}) {
    TestConsole console;
    console.out_fault = Error{.code = ErrorCode::kIo, .op = "write to", .cause = "epipe"};
    EXPECT_EQ(run(console, {"holdfast", "stream", mode}).code, 74);
    EXPECT_EQ(console.err, "");
    console.out_fault->cause = "enospc";
    EXPECT_EQ(run(console, {"holdfast", "stream", mode}).code, 74);
    EXPECT_EQ(std::ranges::count(console.err, '\n'), 1) << console.err;
  }
}

TEST(Frame, QuietDoesNotSilenceAWarning) {
  EXPECT_EQ(run({"stream", "-q"}).err, "holdfast: warned\n");
}

TEST(Frame, NameOfTheProgramChoosesThePersonality) {
  TestConsole console;
  EXPECT_EQ(run(console, {"/usr/bin/other", "--version"}).code, 9);
  EXPECT_EQ(console.out, "--version");
  TestConsole plain;
  EXPECT_EQ(run(plain, {"./another", "--version"}).out, "holdfast " HOLDFAST_VERSION "\n");
  TestConsole empty;
  EXPECT_EQ(run(empty, {}).code, 64);
}

TEST(Frame, ColourOnlyOnATerminalThatWantsIt) {
  const auto first_byte = [](bool terminal, std::map<std::string, std::string> environment) {
    TestConsole console;
    console.err_terminal = terminal;
    console.environment = std::move(environment);
    return run(console, {"holdfast", "fail"}).err.at(0);
  };
  EXPECT_EQ(first_byte(true, {{"TERM", "xterm"}}), '\x1b');
  EXPECT_EQ(first_byte(true, {{"TERM", "xterm"}, {"NO_COLOR", ""}}), '\x1b');
  EXPECT_EQ(first_byte(true, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}), 'h');
  EXPECT_EQ(first_byte(true, {{"TERM", "dumb"}}), 'h');
  EXPECT_EQ(first_byte(false, {{"TERM", "xterm"}}), 'h');
}

TEST(Frame, AGroupMayHaveACommandOfItsOwn) {
  // A member is meant only where no command follows; else it is the name of something.
  EXPECT_EQ(run({"wrap", "show", "ran"}).out, "argument ran\n");
  EXPECT_EQ(run({"wrap", "ran", "--", "true"}).out, "ran\n");
  EXPECT_EQ(run({"wrap", "show", "--", "true"}).code, 127);
  EXPECT_EQ(document(run({"wrap", "--json"}))["error"]["cause"], "missing-argument");
  const std::string page = run({"wrap", "--help"}).out;
  EXPECT_NE(page.find("holdfast wrap [OPTION...] NAME [--] COMMAND"), std::string::npos) << page;
  EXPECT_NE(page.find("wrap show"), std::string::npos) << page;
  EXPECT_NE(run({"wrap", "show", "--help"}).out.find("show what was wrapped"), std::string::npos);
  // One line of the overview for both.
  const std::string overview = run({"--help"}).out;
  EXPECT_NE(overview.find("  wrap "), std::string::npos) << overview;
  EXPECT_EQ(overview.find("wrap ..."), std::string::npos) << overview;
}

}  // namespace
}  // namespace holdfast::cli
