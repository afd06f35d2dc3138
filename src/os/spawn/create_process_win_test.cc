// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/create_process_win.h"

#include <gtest/gtest.h>
#include <windows.h>
// The order matters.
#include <shellapi.h>

#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

std::vector<std::string> cut_up(const std::wstring& line) {
  int count = 0;
  wchar_t** const words = ::CommandLineToArgvW(line.c_str(), &count);
  std::vector<std::string> result;
  for (int i = 0; i < count; ++i) result.push_back(from_wide(words[i]));
  ::LocalFree(words);
  return result;
}

// Every text of up to four characters out of those that matter.
TEST(CommandLine, WhateverTheWordsTheyComeBackAsTheyWere) {
  const std::string alphabet = "a \\\"\t";
  std::vector<std::string> texts{""};
  std::size_t begin = 0;
  for (int length = 0; length < 4; ++length) {
    const std::size_t end = texts.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const char c : alphabet) texts.push_back(texts[i] + c);
    }
    begin = end;
  }
  ASSERT_EQ(texts.size(), 1U + 5 + 25 + 125 + 625);
  for (const std::string& text : texts) {
    const std::vector<std::string> words{"C:\\a program\\x.exe", text, "between", text};
    EXPECT_EQ(cut_up(command_line(words).value()), words) << "'" << text << "'";
  }
}

TEST(CommandLine, TheShellGetsItsLineAsItStands) {
  EXPECT_EQ(command_line({"cmd", "/d", "/s", "/c", "echo \"a b\" & exit 3"}).value(),
            L"\"cmd\" /d /s /c \"echo \"a b\" & exit 3\"");
  EXPECT_EQ(command_line({"C:\\Windows\\System32\\CMD.EXE", "/S", "/C", "x"}).value(),
            L"\"C:\\Windows\\System32\\CMD.EXE\" /S /C \"x\"");
  EXPECT_EQ(command_line({"cmd", "/c", "a \"b\""}).value(), L"\"cmd\" /c \"a \\\"b\\\"\"")
      << "without /s it is a word like any other";
}

TEST(CommandLine, WhatCannotBeSaidIsRefused) {
  EXPECT_FALSE(command_line({"a\"b"}));
  EXPECT_FALSE(command_line({"a", std::string("b\0c", 3)}));
  EXPECT_FALSE(command_line({"a", "\xFF"}));
  EXPECT_FALSE(command_line({"a", std::string(40000, 'x')}));
}

}  // namespace
}  // namespace holdfast::os
