// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/frame/commands.h"
#include "cli/frame/option_value.h"
#include "cli/frame/test_frame.h"
#include "cli/help/brief.h"
#include "cli/help/doc_files.h"
#include "cli/output/wrap.h"

namespace holdfast::cli {
namespace {

using namespace std::string_view_literals;

std::string rendered(const Page& page, std::optional<int> width) {
  RecordingContext context;
  context.width = width;
  return help_text(page, context);
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    widest = std::max(widest, columns_of(text.substr(at, text.find('\n', at) - at)));
  }
  return widest;
}

TEST(Wrap, LinesFitAndLongWordsStayWhole) {
  EXPECT_EQ(wrap("aa bb cc", 5, 0, 0), "aa bb\ncc");
  EXPECT_EQ(wrap("aa bb", 5, 2, 2), "aa\n  bb");
  EXPECT_EQ(wrap("aaaaaaaa b", 5, 1, 0), "aaaaaaaa\n b");
  EXPECT_EQ(wrap("äöü äöü", 7, 0, 0), "äöü äöü");  // columns, not bytes
  EXPECT_EQ(wrap("  a\n b  ", 9, 0, 0), "a b");
  EXPECT_EQ(wrap("", 9, 0, 0), "");
  EXPECT_EQ(wrap("aa (`b c`) d", 8, 1, 0), "aa\n (`b c`)\n d");    // not inside backticks
  EXPECT_EQ(wrap("aa `b c d e` f", 8, 1, 0), "aa `b c\n d e` f");  // but where there is no room
  EXPECT_EQ(wrap("a ` b c", 5, 0, 0), "a ` b\nc");                 // one that is never closed
}

TEST(HelpText, WidthFollowsTheTerminalWithinLimits) {
  EXPECT_EQ(help_width(std::nullopt), 80U);
  EXPECT_EQ(help_width(0), 80U);
  EXPECT_EQ(help_width(200), 80U);
  EXPECT_EQ(help_width(60), 60U);
  EXPECT_EQ(help_width(7), 40U);
}

TEST(HelpText, EveryPageFitsEightyColumnsAndProseFitsForty) {
  for (const CommandTable& table : {commands(), test_table()}) {
    std::vector<KindedPage> pages = pages_below_overview(table);
    pages.push_back({PageKind::kCommand, overview_page(table)});
    for (const KindedPage& each : pages) {
      EXPECT_LE(widest_line(rendered(each.page, std::nullopt)), 80U) << each.page.name;
      EXPECT_LE(each.page.name.size() + each.page.summary.size(), 80 - "holdfast  - "sv.size())
          << each.page.name << ": its title takes a second line";
      Page prose = each.page;  // code is never wrapped
      std::erase_if(prose.blocks, [](const Block& b) { return b.kind == Block::Kind::kCode; });
      EXPECT_LE(widest_line(rendered(prose, 40)), 40U) << rendered(prose, 40);
    }
  }
}

TEST(HelpText, PageShowsEverythingOfItsCommand) {
  EXPECT_EQ(rendered(command_page(kProbeCommand), std::nullopt),
            "holdfast probe - show what was typed\n"
            "\n"
            "Usage\n"
            "  holdfast probe [OPTION...] PATH... [[--] COMMAND [ARGUMENT...]]\n"
            "\n"
            "Description\n"
            "  First paragraph of the probe.\n"
            "\n"
            "  .Second paragraph with `code` and a \\ in it.\n"
            "\n"
            "Arguments\n"
            "  PATH  one or more files\n"
            "\n"
            "Options\n"
            "  -t, --text S     a text\n"
            "  --many S         several texts; may be repeated\n"
            "  --file FILE      it's a file\n"
            "  -w, --timeout D  give up after D [default: 5s]\n"
            "  --cap SIZE       at most SIZE\n"
            "  --max N          at most N\n"
            "  --check json|toml|utf8|yaml\n"
            "                   demand this format\n"
            "  -a, --all        everything\n"
            "\n"
            "Common options\n"
            "  `--home DIR`, `--json`, `-q, --quiet`, `--color auto|always|never`, `--hook`,\n"
            "  `--hook-allow ANSWER[,ANSWER…]`, `--budget D`, `-h, --help`, `--version`;\n"
            "  `holdfast help` explains them.\n"
            "\n"
            "Exit status\n"
            "  66  nothing to probe\n"
            "\n"
            "  `holdfast help exit-codes` lists every code.\n"
            "\n"
            "JSON fields\n"
            "  arguments  the arguments, as typed\n"
            "  trailing   what followed `--`\n"
            "\n"
            "  `holdfast help json` tells of the fields that every document has.\n"
            "\n"
            "Examples\n"
            "  Probe it:\n"
            "    holdfast probe -a .profile -- true\n");
}

TEST(HelpText, CommonOptionsAreExplainedOnTheOverviewAlone) {
  const std::string text = rendered(overview_page(test_table()), std::nullopt);
  EXPECT_NE(text.find("  --home DIR   keep state in DIR"), std::string::npos) << text;
}

std::string brief_at(const CommandTable& table, std::vector<std::string> words, int width) {
  RecordingContext context;
  context.width = width;
  const auto text = brief_help(table, words, context);
  return text ? *text : to_sentence(text.error());
}

TEST(Brief, EveryCommandFitsOneScreen) {
  const CommandTable table = commands();
  std::vector<std::string> names{""};
  for (const CommandEntry& entry : table.commands) names.emplace_back(entry.name);
  for (const GroupEntry& group : table.groups) names.emplace_back(group.word);
  for (const std::string& name : names) {
    const auto words = name.empty() ? std::vector<std::string>() : std::vector{name};
    const std::string text = brief_at(table, words, 80);
    EXPECT_LE(static_cast<std::size_t>(std::ranges::count(text, '\n')), kBriefLines) << text;
    EXPECT_LE(widest_line(text), 80U) << text;
    EXPECT_NE(text.find("Usage: holdfast"), std::string::npos) << text;
    EXPECT_NE(text.find("--help`"), std::string::npos) << text;
  }
}

TEST(Brief, GroupsOfOptionsNameOnlyOptionsOfTheirCommand) {
  for (const CommandEntry& entry : commands().commands) {
    for (const HelpGroup& group : entry.spec->brief) {
      for (const std::string_view name : names_in(group.options)) {
        EXPECT_TRUE(std::ranges::any_of(entry.spec->options,
                                        [&](const OptionSpec& one) { return one.name == name; }))
            << entry.name << ": " << name;
      }
    }
  }
}

TEST(Brief, ShowsWhatMostPeopleNeedAndCountsTheRest) {
  EXPECT_EQ(brief_at(test_table(), {"probe"}, 80),
            "holdfast probe - show what was typed\n"
            "\n"
            "Usage: holdfast probe [OPTION...] PATH... [[--] COMMAND [ARGUMENT...]]\n"
            "\n"
            "Arguments\n"
            "  PATH             one or more files\n"
            "Options\n"
            "  -t, --text S     a text\n"
            "  --many S         several texts\n"
            "  --file FILE      it's a file\n"
            "  -w, --timeout D  give up after D [default: 5s]\n"
            "  --cap SIZE       at most SIZE\n"
            "  --max N          at most N\n"
            "  --check json|toml|utf8|yaml\n"
            "                   demand this format\n"
            "  -a, --all        everything\n"
            "\n"
            "Examples\n"
            "  # Probe it\n"
            "  holdfast probe -a .profile -- true\n"
            "\n"
            "`holdfast probe --help` is the whole page.\n");
}

TEST(Brief, AnOptionIsExplainedByTheFirstClauseOfItsHelp) {
  EXPECT_EQ(first_clause("end the run after D; time asleep counts"), "end the run after D");
  EXPECT_EQ(first_clause("keep state in DIR (see `holdfast help home`)"), "keep state in DIR");
  EXPECT_EQ(first_clause("everything"), "everything");
}

TEST(HelpText, OverviewGroupsCommandsAndNamesAGroupOnce) {
  const std::string text = rendered(overview_page(test_table()), std::nullopt);
  EXPECT_NE(text.find("\nLocks\n  wrap  run a command\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  journal ...  the record of what happened\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("append"), std::string::npos);
  EXPECT_EQ(text.find("Steps and loops"), std::string::npos);  // an empty section is not shown
}

TEST(Help, CommandsGroupsAndTopicsAreFoundAndOthersAreGuessed) {
  const CommandTable table = test_table();
  const auto name = [&](const std::vector<std::string>& words) {
    const auto page = find_page(table, words);
    return page ? page->name : to_sentence(page.error());
  };
  EXPECT_EQ(name({}), "");
  EXPECT_EQ(name({"probe"}), "probe");
  EXPECT_EQ(name({"journal"}), "journal");
  EXPECT_EQ(name({"journal", "append"}), "journal append");
  EXPECT_EQ(name({"exit-codes"}), "exit-codes");
  EXPECT_NE(name({"exit-code"}).find("did you mean exit-codes?"), std::string::npos);
  EXPECT_NE(name({"qqqqqq"}).find("see `holdfast help`"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::cli
