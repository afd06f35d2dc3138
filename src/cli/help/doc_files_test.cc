// SPDX-License-Identifier: Apache-2.0
//
// Help, manual, docs/cli and the three completions say the same about every command and option.
#include "cli/help/doc_files.h"

#include <gtest/gtest.h>

#include "cli/frame/commands.h"
#include "cli/frame/common_options.h"
#include "cli/frame/test_frame.h"
#include "cli/help/help.h"

namespace holdfast::cli {
namespace {

std::string text_of(const std::vector<DocFile>& files, const std::string& name) {
  for (const DocFile& file : files) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no file " << name;
  return {};
}

// Wrapped text with every run of blanks as one space, so that a phrase can be searched in it.
std::string unwrapped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const char next = c == '\n' ? ' ' : c;
    if (next != ' ' || !out.ends_with(' ')) out += next;
  }
  return out;
}

void expect_contains(const std::string& text, const std::string& part, const std::string& where) {
  EXPECT_NE(text.find(part), std::string::npos) << where << " lacks: " << part;
}

class DocFiles : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static CommandTable table() { return GetParam() ? commands() : test_table(); }
};
INSTANTIATE_TEST_SUITE_P(Tables, DocFiles, testing::Bool());

TEST_P(DocFiles, EveryOptionIsInHelpManualAndPageWithItsText) {
  const auto man = man_files(table());
  const auto markdown = markdown_files(table());
  for (const CommandEntry& entry : table().commands) {
    const std::string stem = file_stem(entry.name);
    RecordingContext context;
    const std::string help = unwrapped(help_text(command_page(table(), *entry.spec), context));
    const std::string page = text_of(markdown, stem + ".md");
    const std::string manual = unwrapped(text_of(man, "holdfast-" + stem + ".1"));
    expect_contains(help, std::string(entry.spec->summary), "help");
    expect_contains(page, std::string(entry.spec->summary), "page");
    expect_contains(manual, man_escape(entry.spec->summary), "manual");
    for (const OptionSpec& option : entry.spec->options) {
      expect_contains(help, option_term(option) + " " + std::string(option.help), "help");
      expect_contains(page, "`" + option_term(option) + "`: ", "page");
      expect_contains(manual, man_escape(option_term(option)) + " " + man_escape(option.help),
                      "manual");
    }
    for (const OptionSpec& option : kCommonOptions) {
      expect_contains(help, "`" + option_term(option) + "`", "help");
    }
    for (const JsonField& field : entry.spec->json_fields) {
      const std::string name(field.name);
      expect_contains(help, " " + name + " " + std::string(field.says), "help");
      expect_contains(page, "- `" + name + "`: ", "page");
      expect_contains(manual, man_escape(name) + " " + man_escape(field.says), "manual");
    }
  }
}

TEST_P(DocFiles, CommonOptionsAreExplainedOnThePageOfTheProgram) {
  RecordingContext context;
  const std::string help = unwrapped(help_text(overview_page(table()), context));
  const std::string page = text_of(markdown_files(table()), "README.md");
  const std::string manual = unwrapped(text_of(man_files(table()), "holdfast.1"));
  for (const OptionSpec& option : kCommonOptions) {
    expect_contains(help, option_term(option) + " " + std::string(option.help), "help");
    expect_contains(page, "`" + option_term(option) + "`: ", "page");
    expect_contains(manual, man_escape(option_term(option)) + " " + man_escape(option.help),
                    "manual");
  }
}

TEST_P(DocFiles, EveryCommandAndOptionIsInEveryCompletion) {
  const std::string bash = bash_completion(table());
  const std::string zsh = zsh_completion(table());
  const std::string fish = fish_completion(table());
  for (const FirstWord& first : first_words(table())) {
    expect_contains(bash, std::string(first.word), "bash");
    expect_contains(zsh, "'" + std::string(first.word) + ":", "zsh");
    expect_contains(fish, "-a '" + std::string(first.word) + "'", "fish");
  }
  for (const CommandEntry& entry : table().commands) {
    expect_contains(bash, "    '" + std::string(entry.name) + "')", "bash");
    expect_contains(zsh, "_holdfast_" + file_stem(entry.name) + "() {", "zsh");
    for (const OptionSpec& option : options_with_common(*entry.spec)) {
      expect_contains(bash, "--" + std::string(option.name), "bash");
      expect_contains(zsh, "--" + std::string(option.name), "zsh");
      expect_contains(fish, "-l " + std::string(option.name), "fish");
    }
  }
}

TEST_P(DocFiles, OverviewsNameEveryPage) {
  const std::string readme = text_of(markdown_files(table()), "README.md");
  const std::string manual = text_of(man_files(table()), "holdfast.1");
  for (const KindedPage& each : pages_below_overview(table())) {
    const std::string stem = file_stem(each.page.name);
    if (!each.page.name.contains(' ')) expect_contains(readme, "(" + stem + ".md)", "README.md");
    expect_contains(manual, man_escape("holdfast-" + stem), "holdfast.1");
  }
}

TEST_P(DocFiles, NamesOfFilesDoNotClashAndOutputIsAlwaysTheSame) {
  for (const auto& make : {markdown_files, man_files, completion_files}) {
    std::set<std::string> names;
    const auto first = make(table());
    const auto second = make(table());
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(names.insert(first[i].name).second) << first[i].name;
      EXPECT_EQ(first[i].text, second[i].text);
      EXPECT_TRUE(first[i].text.ends_with('\n'));
    }
  }
}

TEST(ManEscape, NothingIsTakenForAMacro) {
  EXPECT_EQ(man_escape("a-b \\ \"c\" `d`"), "a\\-b \\e \\(dqc\\(dq \\fBd\\fR");
  const std::string page = text_of(man_files(test_table()), "holdfast-probe.1");
  expect_contains(page, "\n\\&.Second paragraph", "manual");
}

TEST(Markdown, MarkupInTextIsEscapedOutsideCode) {
  const std::string page = text_of(markdown_files(commands()), "json.md");
  expect_contains(page, "end in `_ms`.", "page");
  const std::string probe = text_of(markdown_files(test_table()), "probe.md");
  expect_contains(probe, "give up after D \\[default: 5s]", "page");
}

}  // namespace
}  // namespace holdfast::cli
