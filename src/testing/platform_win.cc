// SPDX-License-Identifier: Apache-2.0
//
// Links for tests. CreateSymbolicLinkW answers yes under Wine 8 and makes nothing, so its word is
// checked by looking; there the link is made from the Unix side by a shell, and that shell says
// whether it is one. The code under test is not asked: were it blind to links, its tests would skip
// themselves. One that leads nowhere is taken away again, since Wine shows nothing of it.
#include "testing/platform.h"

#include <windows.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> g_made_by_shell = false;

std::wstring links_native(const std::string& utf8) {
  return fs::path(std::u8string(utf8.begin(), utf8.end())).make_preferred().wstring();
}

bool shows_as_link(const std::wstring& path) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  return attributes != 0xFFFFFFFFU && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

// Empty where this is no Wine.
std::wstring unix_path(const std::wstring& path) {
  using GetUnixName = char*(CDECL*)(const wchar_t*);
  const auto get = reinterpret_cast<GetUnixName>(reinterpret_cast<void (*)()>(
      ::GetProcAddress(::GetModuleHandleW(L"kernel32.dll"), "wine_get_unix_file_name")));
  if (get == nullptr) return {};
  char* name = get(path.c_str());
  if (name == nullptr) return {};
  std::wstring wide = fs::path(reinterpret_cast<const char8_t*>(name)).wstring();
  ::HeapFree(::GetProcessHeap(), 0, name);
  return wide;
}

// Runs `script` by the Unix shell, with `first` and `second` as its arguments, and waits for it.
// Wine gives no handle to wait on and no pipe that a Unix program could hold, so the shell leaves a
// file beside `second` when it is done, which is looked for.
bool run_in_shell(const std::wstring& script, const std::wstring& first, const std::wstring& second,
                  const std::wstring& done) {
  std::wstring command_line =
      L"sh -c \"" + script + LR"(; : >\"$2.done\"" sh ")" + first + L"\" \"" + second + L"\"";
  STARTUPINFOW start{};
  start.cb = sizeof(start);
  PROCESS_INFORMATION process{};
  if (::CreateProcessW(LR"(Z:\bin\sh)", command_line.data(), nullptr, nullptr, FALSE, 0, nullptr,
                       nullptr, &start, &process) == FALSE) {
    return false;
  }
  if (process.hProcess != nullptr) ::CloseHandle(process.hProcess);
  if (process.hThread != nullptr) ::CloseHandle(process.hThread);
  constexpr int kTries = 10'000;  // of at least a millisecond
  for (int i = 0; i < kTries; ++i) {
    if (::DeleteFileW(done.c_str()) != FALSE) return true;
    ::Sleep(1);
  }
  return false;
}

bool make_link(const std::string& target, const std::string& link, DWORD kind) {
  constexpr DWORD kUnprivileged = 2;  // SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE
  const std::wstring wide_target = links_native(target);
  const std::wstring wide_link = links_native(link);
  ::CreateSymbolicLinkW(wide_link.c_str(), wide_target.c_str(), kind | kUnprivileged);
  if (shows_as_link(wide_link)) return true;
  const std::wstring unix_target = unix_path(wide_target);
  const std::wstring unix_link = unix_path(wide_link);
  if (unix_target.empty() || unix_link.empty()) return false;
  const std::wstring done = wide_link + L".done";
  const std::wstring failed = wide_link + L".failed";
  if (!run_in_shell(LR"(ln -s \"$1\" \"$2\" && test -L \"$2\" && test -e \"$2\")"
                    LR"( || { rm -f \"$2\"; : >\"$2.failed\"; })",
                    unix_target, unix_link, done)) {
    return false;
  }
  g_made_by_shell = true;
  return ::DeleteFileW(failed.c_str()) == FALSE;
}

}  // namespace

bool make_dir_link(const std::string& target, const std::string& link) {
  return make_link(target, link, SYMBOLIC_LINK_FLAG_DIRECTORY);
}

bool make_file_link(const std::string& target, const std::string& link) {
  return make_link(target, link, 0);
}

void remove_links_below(const std::string& path) {
  if (!g_made_by_shell) return;
  const std::wstring wide = links_native(path);
  const std::wstring unix_place = unix_path(wide);
  if (unix_place.empty()) return;
  run_in_shell(LR"(find \"$1\" -type l -exec rm -f {} +)", unix_place, unix_place, wide + L".done");
}

ScopedEnv::ScopedEnv(std::string name, const std::string& value) : name_(std::move(name)) {
  if (::SetEnvironmentVariableA(name_.c_str(), value.c_str()) == FALSE) std::abort();
}

ScopedEnv::~ScopedEnv() { ::SetEnvironmentVariableA(name_.c_str(), nullptr); }

constexpr DWORD kStdError = 0xFFFFFFF4U;

void ignore_broken_pipes() {}  // no signal here

SwappedStderr::SwappedStderr(const os::Handle& instead)
    : before_(reinterpret_cast<os::NativeHandle>(::GetStdHandle(kStdError))) {
  ::SetStdHandle(kStdError, reinterpret_cast<HANDLE>(instead.get()));
}

SwappedStderr::~SwappedStderr() { ::SetStdHandle(kStdError, reinterpret_cast<HANDLE>(before_)); }

}  // namespace holdfast::testing
