// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include <gtest/gtest.h>

#include "cli/frame/commands.h"
#include "cli/frame/test_frame.h"
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
            "  --home DIR   keep state in DIR instead of the default home (see\n"
            "               `holdfast help home`)\n"
            "  --json       print exactly one JSON document on stdout, or the lines of a\n"
            "               stream\n"
            "  -q, --quiet  print no notes and no progress\n"
            "  --hook       for hooks of agents: on record first; exit with 2 in place of any\n"
            "               answer of holdfast's own but 0, with the reason on stderr\n"
            "  --hook-allow ANSWER[,ANSWER…]\n"
            "               as --hook, but exit with 0, on record, where the answer is one of\n"
            "               these, such as busy,deadline (see `holdfast help hooks`)\n"
            "  --budget D   the time that all of this may take, from the start; what then\n"
            "               still waits or runs is ended (see `holdfast help hooks`)\n"
            "  -h, --help   show this help and exit\n"
            "  --version    print the version and exit\n"
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
