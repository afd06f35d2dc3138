// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/environment_block_win.h"

#include <map>
#include <ranges>

#include "os/path/wide_win.h"
#include "os/spawn/env.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

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
