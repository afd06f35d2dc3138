// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/command_line_win.h"

#include <algorithm>
#include <string_view>

#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMost = 32766;

std::unexpected<Error> command_line_refuse(const std::string& word, const char* why) {
  return fail({.code = ErrorCode::kRefused,
               .op = "start",
               .subject = "'" + word + "'",
               .cause = "unsafe-name",
               .detail = why});
}

std::string command_line_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool is_shell_line(const std::vector<std::string>& words) {
  if (words.size() < 3) return false;
  const std::size_t cut = words[0].find_last_of("/\\:");
  const std::string program =
      command_line_lower(std::string_view(words[0]).substr(cut == std::string::npos ? 0 : cut + 1));
  if (program != "cmd" && program != "cmd.exe") return false;
  bool strips = false;  // `/s`
  for (std::size_t i = 1; i + 2 < words.size(); ++i)
    strips = strips || command_line_lower(words[i]) == "/s";
  return strips && command_line_lower(words[words.size() - 2]) == "/c";
}

void append_quoted(std::wstring& line, std::wstring_view word) {
  const bool plain = !word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring_view::npos;
  if (plain) {
    line += word;
    return;
  }
  line += L'"';
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'\\') {
      ++backslashes;
      continue;
    }
    // Before a quote each backslash is said twice, and the quote itself gets one.
    line.append(c == L'"' ? backslashes * 2 + 1 : backslashes, L'\\');
    backslashes = 0;
    line += c;
  }
  line.append(backslashes * 2, L'\\');  // before the closing quote
  line += L'"';
}

}  // namespace

Result<std::wstring> command_line(const std::vector<std::string>& words) {
  std::wstring line;
  const bool shell = is_shell_line(words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::wstring word = HF_TRY(to_wide(words[i]));
    if (word.find(L'\0') != std::wstring::npos)
      return command_line_refuse(words[i], "it holds a NUL byte");
    if (i == 0) {
      if (word.find(L'"') != std::wstring::npos) {
        return command_line_refuse(words[i], "the name of a program cannot hold a quote");
      }
      line = L"\"" + word + L"\"";
      continue;
    }
    line += L' ';
    if (shell && i + 1 == words.size()) {
      line += L'"' + word + L'"';
    } else {
      append_quoted(line, word);
    }
  }
  if (line.size() > kMost)
    return command_line_refuse(words[0], "its command line is too long for Windows");
  return line;
}

}  // namespace holdfast::os
