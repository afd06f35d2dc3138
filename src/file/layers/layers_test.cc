// SPDX-License-Identifier: Apache-2.0
//
// The order of the layers and what is asked of each; commands that really run are in tests/cli.
#include "file/layers/layers.h"

#include <gtest/gtest.h>

#include <map>

#include "os/machine/sha256.h"

namespace holdfast::file {
namespace {

using Words = std::vector<std::string>;

// Answers by the command's first word and keeps what it was asked.
class RecordingRunner final : public CommandRunner {
 public:
  std::map<std::string, CommandResult> answers;
  std::vector<CommandRequest> asked;

  Result<CommandResult> run(const CommandRequest& request) override {
    asked.push_back(request);
    return answers.at(request.argv.front());
  }

  void prints(const std::string& command, const std::string& output) {
    answers[command] = {
        .output = output, .exit_code = 0, .timed_out = false, .interrupted = false, .failure = ""};
  }
  void exits(const std::string& command, int code) {
    answers[command] = {.output = "x\n",
                        .exit_code = code,
                        .timed_out = false,
                        .interrupted = false,
                        .failure = "it failed"};
  }
};

struct Tried {
  std::string cause;  // "" where there is a list
  std::string layer;
  Words words;
};

class Layers : public ::testing::Test {
 protected:
  RecordingRunner runner_;
  std::map<std::string, std::string> variables_;
  LayerSource source_{.file = "dir/p.toml", .directory = "dir"};

  Tried assemble(const std::string& text, LayerWords form = LayerWords::kPlain) {
    const auto plan = parse_layer_plan(text, source_.file);
    if (!plan) return {.cause = "plan: " + to_sentence(plan.error()), .layer = "", .words = {}};
    const auto lookup = [&](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      if (found == variables_.end()) return std::nullopt;
      return found->second;
    };
    auto list = assemble_layers(*plan, source_, form, lookup, runner_);
    if (!list) return {.cause = list.error().error.cause, .layer = list.error().layer, .words = {}};
    EXPECT_EQ(list->digest, digest_of_words(list->words));
    return {.cause = "", .layer = "", .words = std::move(list->words)};
  }
};

constexpr const char* kThree =
    "[[layer]]\nname='base'\nrequired=true\nargs=['b1','b2']\n"
    "[[layer]]\nname='made'\ncommand=['gen','--all']\ntimeout='3s'\n"
    "[[layer]]\nname='more'\nwhen=['ask']\nargs=['m']\n";

TEST_F(Layers, StandInTheOrderOfThePlan) {
  runner_.prints("gen", "g1\ng2\n");
  runner_.exits("ask", 0);
  EXPECT_EQ(assemble(kThree).words, (Words{"b1", "b2", "g1", "g2", "m"}));
  ASSERT_EQ(runner_.asked.size(), 2U);
  EXPECT_EQ(runner_.asked[0].argv, (Words{"gen", "--all"}));
  EXPECT_EQ(runner_.asked[0].directory, "dir");
  EXPECT_EQ(runner_.asked[0].timeout, std::chrono::seconds(3));
  EXPECT_EQ(runner_.asked[0].max_output, kMaxLayerOutput);
  EXPECT_EQ(runner_.asked[1].to, CommandRequest::Stdout::kStderr);
}

TEST_F(Layers, AConditionPutsInLeavesOutOrFails) {
  runner_.prints("gen", "g\n");
  runner_.exits("ask", 1);
  EXPECT_EQ(assemble(kThree).words, (Words{"b1", "b2", "g"}));
  for (const int code : {2, 66, 126, 127, 255}) {
    runner_.exits("ask", code);
    const Tried tried = assemble(kThree);
    EXPECT_EQ(tried.cause, "when-failed") << code;
    EXPECT_EQ(tried.layer, "more");
  }
  runner_.answers["ask"] = {.output = "",
                            .exit_code = std::nullopt,
                            .timed_out = true,
                            .interrupted = false,
                            .failure = "too late"};
  EXPECT_EQ(assemble(kThree).cause, "when-failed");
}

TEST_F(Layers, AFailedCommandEndsItAllThoughItHasPrinted) {
  runner_.exits("ask", 0);
  runner_.exits("gen", 3);
  Tried tried = assemble(kThree);
  EXPECT_EQ(tried.cause, "command-failed");
  EXPECT_EQ(tried.layer, "made");
  EXPECT_EQ(runner_.asked.size(), 1U) << "nothing is asked after a failure";
  runner_.answers["gen"] = {.output = "g\n",
                            .exit_code = std::nullopt,
                            .timed_out = true,
                            .interrupted = false,
                            .failure = "too late"};
  EXPECT_EQ(assemble(kThree).cause, "timeout");
  runner_.prints("gen", "g1\ng2");
  EXPECT_EQ(assemble(kThree).cause, "unfinished");
}

TEST_F(Layers, AnInterruptionIsNeitherAnAnswerNorAPart) {
  runner_.prints("gen", "g\n");
  for (const std::optional<int> code : {std::optional(0), std::optional(1), std::optional<int>()}) {
    runner_.answers["ask"] = {.output = "",
                              .exit_code = code,
                              .timed_out = false,
                              .interrupted = true,
                              .failure = "it was interrupted"};
    EXPECT_EQ(assemble(kThree).cause, "interrupted");
  }
  runner_.exits("ask", 0);
  runner_.answers["gen"].interrupted = true;
  EXPECT_EQ(assemble(kThree).cause, "interrupted");
}

TEST_F(Layers, SilenceIsAFailureUnlessThePlanSaysOtherwise) {
  const std::string plan = "[[layer]]\nname='made'\ncommand=['gen']\n";
  runner_.prints("gen", "");
  EXPECT_EQ(assemble(plan).cause, "no-arguments");
  EXPECT_EQ(assemble("[[layer]]\nname='b'\nargs=['b']\n" + plan + "may_be_empty=true\n").words,
            Words{"b"});
}

TEST_F(Layers, AListOfNothingIsRefusedUnlessItIsExpected) {
  const std::string plan = "[[layer]]\nname='a'\nwhen=['ask']\nargs=['x']\n";
  runner_.exits("ask", 1);
  EXPECT_EQ(assemble(plan).cause, "no-arguments");
  EXPECT_EQ(assemble("expect = 0\n" + plan).cause, "");
}

TEST_F(Layers, AnotherCountThanExpectedIsRefused) {
  runner_.prints("gen", "g\n");
  runner_.exits("ask", 1);
  EXPECT_EQ(assemble(std::string("expect=3\n") + kThree).words.size(), 3U);
  EXPECT_EQ(assemble(std::string("expect=4\n") + kThree).cause, "wrong-count");
  EXPECT_EQ(assemble(std::string("expect=2\n") + kThree).cause, "wrong-count");
}

TEST_F(Layers, AnUnsetVariableIsAnErrorOnlyWhereItsLayerIsIn) {
  const std::string plan =
      "[[layer]]\nname='a'\nargs=['x']\n[[layer]]\nname='v'\nwhen=['ask']\nargs=['${V}/f']\n";
  runner_.exits("ask", 0);
  const Tried tried = assemble(plan);
  EXPECT_EQ(tried.cause, "unset-variable");
  EXPECT_EQ(tried.layer, "v");
  variables_["V"] = "/a b";
  EXPECT_EQ(assemble(plan).words, (Words{"x", "/a b/f"}));
  variables_.clear();
  runner_.exits("ask", 1);
  EXPECT_EQ(assemble(plan).words, Words{"x"});
}

TEST_F(Layers, WhatACommandPrintsIsNotExpanded) {
  runner_.prints("gen", "${V}\n~\n");
  EXPECT_EQ(assemble("[[layer]]\nname='a'\ncommand=['gen']\n").words, (Words{"${V}", "~"}));
}

TEST_F(Layers, TheDigestOfACommandIsOfWhatItPrints) {
  runner_.prints("gen", "g\n");
  const std::string plan = "[[layer]]\nname='a'\ncommand=['gen']\ndigest='sha256:";
  EXPECT_EQ(assemble(plan + to_hex(os::sha256("g\n")) + "'\n").words, Words{"g"});
  EXPECT_EQ(assemble(plan + to_hex(os::sha256("g")) + "'\n").cause, "digest-mismatch");
}

TEST(LayerDigest, NoTwoListsOfWordsHaveTheSame) {
  const Words whole{"-f", "a", "-f", "b"};
  EXPECT_EQ(digest_of_words(whole), os::sha256(std::string_view("-f\0a\0-f\0b\0", 10)));
  EXPECT_NE(digest_of_words(whole), digest_of_words(Words{"-f", "a", "-f"}));
  EXPECT_NE(digest_of_words(whole), digest_of_words(Words{"-f", "b", "-f", "a"}));
  EXPECT_NE(digest_of_words(Words{"ab"}), digest_of_words(Words{"a", "b"}));
  EXPECT_NE(digest_of_words(Words{}), digest_of_words(Words{""}));
}

TEST(LayerSource, IsTheDirectoryOfThePlanAsTyped) {
  EXPECT_EQ(layer_source("p.toml").directory, ".");
  EXPECT_EQ(layer_source("a/b/p.toml").directory, "a/b");
  EXPECT_EQ(layer_source("/p.toml").directory, "/");
}

}  // namespace
}  // namespace holdfast::file
