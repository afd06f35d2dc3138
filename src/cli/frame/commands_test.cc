// SPDX-License-Identifier: Apache-2.0
//
// What every command of the table must keep to. The order of the table is checked by the compiler.
#include "cli/frame/commands.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <sstream>

#include "cli/frame/args.h"
#include "cli/frame/common_options.h"
#include "cli/frame/option_value.h"
#include "cli/frame/parse.h"
#include "cli/frame/test_frame.h"
#include "cli/help/doc_files.h"
#include "cli/help/topics.h"

namespace holdfast::cli {
namespace {

bool is_phrase(std::string_view text) {
  return !text.empty() && !text.ends_with('.') && !text.contains('\n');
}

TEST(Commands, TableNamesItsSpecs) {
  for (const CommandEntry& entry : commands().commands) {
    EXPECT_EQ(entry.name, entry.spec->name);
    EXPECT_NE(entry.spec->run, nullptr) << entry.name;
    EXPECT_TRUE(is_phrase(entry.spec->summary)) << entry.name;
    EXPECT_LE(entry.spec->summary.size(), 72U) << entry.name;
    EXPECT_FALSE(entry.spec->description.empty()) << entry.name;
  }
}

TEST(Commands, EveryGroupWordIsInTheTableOfGroups) {
  const CommandTable table = commands();
  for (const CommandEntry& entry : table.commands) {
    const std::size_t space = entry.name.find(' ');
    if (space == entry.name.npos) continue;
    EXPECT_NE(table.find_group(entry.name.substr(0, space)), nullptr) << entry.name;
  }
  for (const GroupEntry& group : table.groups) EXPECT_FALSE(table.members(group).empty());
}

TEST(Commands, WhatMovedIsNoCommandAnyMoreAndLeadsToOne) {
  const CommandTable table = commands();
  ASSERT_FALSE(table.moved.empty());
  for (const MovedCommand& moved : table.moved) {
    EXPECT_EQ(table.find(moved.name), nullptr) << moved.name;
    EXPECT_EQ(table.find_group(moved.name), nullptr) << moved.name;
    EXPECT_TRUE(table.find(moved.now) != nullptr || table.find_group(moved.now) != nullptr);
    std::istringstream typed{std::string(moved.name)};
    const std::vector<std::string> words{std::istream_iterator<std::string>(typed), {}};
    const auto found = find_command(table, words);
    ASSERT_FALSE(found) << moved.name;
    EXPECT_TRUE(found.error().detail.contains("`holdfast " +
                                              std::string(*table.moved_to(moved.name)) + "`"));
    // Behind `once list -- CMD` there is a key that is called `list`.
    if (table.find(words[0]) == nullptr) continue;
    const auto key = find_command(table, words, Dashes::kTyped);
    ASSERT_TRUE(key) << moved.name;
    EXPECT_EQ(key->spec, table.find(words[0]));
  }
}

TEST(Commands, WordsOfOtherToolsAreNoCommandsAndLeadToOne) {
  const CommandTable table = commands();
  for (const MovedCommand& guess : table.guesses) {
    const std::vector<std::string> typed{std::string(guess.name)};
    const auto found = find_command(table, typed);
    ASSERT_FALSE(found) << guess.name;
    EXPECT_TRUE(found.error().detail.contains("`holdfast " + std::string(guess.now) + "`"));
    std::string now(guess.now);
    std::vector<std::string> words{now.substr(0, now.find(' '))};
    if (words[0].size() < now.size()) words.push_back(now.substr(words[0].size() + 1));
    EXPECT_TRUE(now.starts_with("--") || find_command(table, words)) << guess.now;
  }
}

TEST(Commands, TheHiddenCommandIsFoundByItsNameAndOnNoPage) {
  const CommandTable table = commands();
  ASSERT_NE(table.hidden, nullptr);
  const std::vector<std::string> typed{std::string(table.hidden->name)};
  const auto found = find_command(table, typed);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->spec, table.hidden);
  EXPECT_EQ(table.find(table.hidden->name), nullptr);
}

TEST(Commands, TickIsToldWhatToTypeNow) {
  for (const Dashes dashes : {Dashes::kNone, Dashes::kTyped}) {
    const auto found = find_command(commands(), std::vector<std::string>{"tick", "sync"}, dashes);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kUsage);
    EXPECT_TRUE(found.error().detail.contains("`holdfast run --name NAME --if-busy skip -- "));
  }
}

TEST(Commands, NamesOfCommandsGroupsAndTopicsDoNotClash) {
  std::set<std::string_view> names;
  for (const CommandEntry& entry : commands().commands) names.insert(entry.name);
  for (const GroupEntry& group : commands().groups) {
    // `loop FILE` beside `loop status FILE`: the command's page wins, so it names the others.
    names.insert(group.word);
  }
  for (const Topic& topic : topics()) EXPECT_TRUE(names.insert(topic.name).second) << topic.name;
}

TEST(Commands, OptionsAreUniqueAndLeaveTheCommonOnesAlone) {
  for (const CommandEntry& entry : commands().commands) {
    std::set<std::string> seen;
    for (const OptionSpec& option : options_with_common(*entry.spec)) {
      for (const std::string& word : spellings(option)) {
        EXPECT_TRUE(seen.insert(word).second) << entry.name << " " << word;
      }
    }
  }
}

TEST(Commands, OptionsNeedAndExcludeOnlyOthersOfTheSameCommand) {
  for (const CommandEntry& entry : commands().commands) {
    std::set<std::string_view> names;
    for (const OptionSpec& option : entry.spec->options) names.insert(option.name);
    for (const OptionSpec& option : entry.spec->options) {
      for (const std::string_view list : {option.needs, option.excludes}) {
        for (const std::string_view name : names_in(list)) {
          EXPECT_TRUE(names.contains(name) && name != option.name)
              << entry.name << " --" << option.name << ": " << name;
        }
      }
    }
  }
}

TEST(Commands, ArgumentsAreBehindOrInsteadOfOptionsOfTheSameCommand) {
  for (const CommandEntry& entry : commands().commands) {
    std::set<std::string_view> names;
    for (const OptionSpec& option : entry.spec->options) names.insert(option.name);
    for (const ArgumentSpec& argument : entry.spec->arguments) {
      for (const std::string_view list : {argument.behind, argument.unless}) {
        for (const std::string_view name : names_in(list)) {
          EXPECT_TRUE(names.contains(name)) << entry.name << " " << argument.name << ": " << name;
        }
        EXPECT_TRUE(list.empty() || argument.arity == Arity::kOptional) << entry.name;
      }
    }
  }
}

TEST(Commands, OptionsAreDescribed) {
  for (const CommandEntry& entry : commands().commands) {
    for (const OptionSpec& option : options_with_common(*entry.spec)) {
      EXPECT_TRUE(is_phrase(option.help)) << entry.name << " --" << option.name;
      EXPECT_EQ(option.kind == OptionKind::kFlag, option.value.empty()) << option.name;
      const bool chosen = option.kind == OptionKind::kChoice;
      EXPECT_GE(choices_of(option).size(), chosen ? 2U : 0U) << option.name;
    }
  }
}

TEST(Commands, JsonFieldsAreDescribedOnceAndAreNotThoseOfEveryDocument) {
  for (const CommandEntry& entry : commands().commands) {
    std::set<std::string_view> seen{"ok", "code", "error"};
    for (const JsonField& field : entry.spec->json_fields) {
      EXPECT_TRUE(seen.insert(field.name).second) << entry.name << " " << field.name;
      EXPECT_TRUE(is_phrase(field.says)) << entry.name << " " << field.name;
    }
  }
}

TEST(Commands, OnlyTheLastArgumentMayBeOptionalOrAList) {
  for (const CommandEntry& entry : commands().commands) {
    for (const ArgumentSpec& argument : entry.spec->arguments) {
      EXPECT_TRUE(is_phrase(argument.help)) << entry.name;
      const bool last = &argument == &entry.spec->arguments.back();
      EXPECT_TRUE(last || argument.arity == Arity::kOne) << entry.name << " " << argument.name;
    }
  }
}

TEST(Commands, HelpCommandShowsAPageAsTextAndAsFields) {
  RecordingContext text;
  EXPECT_EQ(kHelpCommand.run(text, ArgsBuilder(kHelpCommand).argument("help").build()).value_or(-1),
            0);
  EXPECT_TRUE(text.printed.starts_with("holdfast help - ")) << text.printed;
  RecordingContext json(OutputMode::kJson);
  EXPECT_TRUE(kHelpCommand.run(json, ArgsBuilder(kHelpCommand).argument("help").build()));
  ASSERT_EQ(json.emitted.size(), 1U);
  EXPECT_EQ(json.emitted[0]["text"], text.printed);
}

TEST(ArgsDeathTest, AskingForAnUndeclaredOptionIsAProgrammingFault) {
  const Args args = ArgsBuilder(kProbeCommand).build();
  EXPECT_DEATH(static_cast<void>(args.flag("no-such-option")), "");
}

}  // namespace
}  // namespace holdfast::cli
