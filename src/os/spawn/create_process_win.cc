// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/create_process_win.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>

#include "os/path/wide_win.h"
#include "os/spawn/env.h"
#include "os/sys/native_win.h"

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

std::wstring upper(std::wstring_view name) {
  std::wstring result(name);
  for (wchar_t& c : result) {
    if (c >= L'a' && c <= L'z') c = static_cast<wchar_t>(c - L'a' + L'A');
  }
  return result;
}

// A leading '=' is part of the name: that is how cmd's own entries look.
std::size_t end_of_name(std::wstring_view entry) { return entry.find(L'=', 1); }

Result<std::map<std::wstring, std::wstring>> own_entries() {
  std::map<std::wstring, std::wstring> entries;
  wchar_t* const block = sys().GetEnvironmentStringsW();
  if (block == nullptr) {
    return fail(last_os_error("read", "the environment", "nothing was started"));
  }
  for (const wchar_t* at = block; *at != L'\0';) {
    const std::wstring_view entry(at);
    if (const std::size_t end = end_of_name(entry); end != std::wstring_view::npos) {
      entries.insert_or_assign(upper(entry.substr(0, end)), std::wstring(entry));
    }
    at += entry.size() + 1;
  }
  sys().FreeEnvironmentStringsW(block);
  return entries;
}

std::unexpected<Error> bad(const std::string& assignment) {
  return fail({.code = ErrorCode::kRefused,
               .op = "start a command with",
               .subject = "'" + assignment + "'",
               .cause = "bad-environment",
               .detail = "a variable is NAME=VALUE, with a name, and without a NUL byte"});
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

Result<std::wstring> environment_block(const std::vector<std::string>& added,
                                       const std::vector<std::string>& without) {
  std::map<std::wstring, std::wstring> entries = HF_TRY(own_entries());
  for (const std::string& name : without) {
    const std::wstring wide = HF_TRY(to_wide(name));
    entries.erase(upper(wide));
  }
  for (const std::string& assignment : added) {
    const std::size_t end = assignment.find('=');
    const bool has_nul = assignment.find('\0') != std::string::npos;
    if (end == 0 || end == std::string::npos || has_nul) return bad(assignment);
    const std::wstring wide = HF_TRY(to_wide(assignment));
    entries.insert_or_assign(upper(wide.substr(0, end_of_name(wide))), wide);
  }
  std::wstring block;
  for (const auto& [name, entry] : entries) block.append(entry).push_back(L'\0');
  if (block.empty()) block.push_back(L'\0');
  block.push_back(L'\0');
  return block;
}

std::optional<std::string> path_with(const std::vector<std::string>& added) {
  for (const std::string& assignment : std::views::reverse(added)) {
    const bool is_path = assignment.size() >= 5 && (assignment[0] == 'P' || assignment[0] == 'p') &&
                         (assignment[1] == 'A' || assignment[1] == 'a') &&
                         (assignment[2] == 'T' || assignment[2] == 't') &&
                         (assignment[3] == 'H' || assignment[3] == 'h') && assignment[4] == '=';
    if (is_path) return assignment.substr(5);
  }
  return env("PATH");
}

}  // namespace holdfast::os
