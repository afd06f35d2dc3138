// SPDX-License-Identifier: Apache-2.0
//
// hf_test_child for Windows: the behaviours of child.h that have a meaning there. A signal is a
// console event, and `die N` ends itself as holdfast's KILL would.
#include <fcntl.h>
#include <io.h>
#include <windows.h>
// The order matters.
#include <shellapi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "os/path/wide_win.h"
#include "os/process/job.h"
#include "os/spawn/child_win.h"
#include "os/spawn/create_process_win.h"
#include "os/spawn/spawn.h"
#include "testing/child/child.h"

namespace holdfast::testing::child {

void die_with(const std::string& what) {
  static_cast<void>(std::fprintf(stderr, "hf_test_child: %s\n", what.c_str()));
  ::ExitProcess(99);
}

void wait_forever() {
  ::Sleep(kLongest * 1000);
  ::ExitProcess(98);
}

namespace {

constexpr const wchar_t* kReadyVariable = L"HF_TEST_CHILD_READY";

void say(const std::string& line) {
  static_cast<void>(std::printf("%s\n", line.c_str()));
  static_cast<void>(std::fflush(stdout));
}

void tell_starter() {
  wchar_t name[128]{};
  const DWORD length = ::GetEnvironmentVariableW(kReadyVariable, name, 128);
  if (length == 0 || length >= 128) return;
  ::SetEnvironmentVariableW(kReadyVariable, nullptr);
  const HANDLE event = ::OpenEventW(EVENT_MODIFY_STATE, FALSE, name);
  if (event == nullptr || ::SetEvent(event) == FALSE) die_with("cannot say that it is ready");
  ::CloseHandle(event);
}

// This program once more. With `own_group` it hears no console event that is meant for us.
HANDLE start_again(const Words& behaviour, bool own_group) {
  wchar_t self[MAX_PATH]{};
  ::GetModuleFileNameW(nullptr, self, MAX_PATH);
  Words words{os::from_wide(self)};
  words.insert(words.end(), behaviour.begin(), behaviour.end());
  auto line = os::command_line(words);
  if (!line) die_with("cannot say its words");
  STARTUPINFOW startup{};
  startup.cb = sizeof(startup);
  PROCESS_INFORMATION info{};
  const DWORD flags = own_group ? CREATE_NEW_PROCESS_GROUP : 0;
  if (::CreateProcessW(self, line->data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                       &startup, &info) == FALSE) {
    die_with("cannot start itself again");
  }
  ::CloseHandle(info.hThread);
  return info.hProcess;
}

std::atomic<bool> g_ignore{false};

BOOL WINAPI on_event(DWORD event) {
  if (!g_ignore) say(event == CTRL_C_EVENT ? "got INT" : "got TERM");
  return TRUE;
}

[[noreturn]] void chain_link() {
  start_again({"chain-link"}, true);
  ::ExitProcess(0);
}

}  // namespace

void ready() {
  say("ready " + std::to_string(::GetCurrentProcessId()));
  tell_starter();
}

void start_tree(const Words& words, bool stay) {
  const std::string& kind = words.at(0);
  Words behaviour(words.begin() + 1, words.end());
  if (behaviour.empty()) behaviour = {"sleep-forever"};
  const std::wstring name = L"hf-ready-" + std::to_wstring(::GetCurrentProcessId()) + L"-" +
                            std::to_wstring(::GetTickCount64());
  const HANDLE event = ::CreateEventW(nullptr, TRUE, FALSE, name.c_str());
  wchar_t ours[128]{};
  const DWORD had = ::GetEnvironmentVariableW(kReadyVariable, ours, 128);
  ::SetEnvironmentVariableW(kReadyVariable, name.c_str());
  const HANDLE child = start_again(behaviour, kind != "child");
  ::SetEnvironmentVariableW(kReadyVariable, had == 0 ? nullptr : ours);
  const HANDLE both[]{event, child};
  if (::WaitForMultipleObjects(2, both, FALSE, INFINITE) != WAIT_OBJECT_0) {
    die_with("the started behaviour is not ready");
  }
  ready();
  if (stay) wait_forever();
  ::ExitProcess(0);
}

namespace {

// Its holder: who kills this process closes the job.
[[noreturn]] void hold_in_job(const Words& behaviour) {
  auto job = os::Job::make({});
  if (!job) die_with("no job");
  wchar_t self[MAX_PATH]{};
  ::GetModuleFileNameW(nullptr, self, MAX_PATH);
  os::SpawnRequest request;
  request.argv.push_back(os::from_wide(self));
  request.argv.insert(request.argv.end(), behaviour.begin(), behaviour.end());
  request.cgroup = job->handle();
  auto spawned = os::spawn(request);
  if (!spawned || !spawned->release()) die_with("cannot start it in the job");
  wait_forever();
}

}  // namespace

void fork_chain(int chains) {
  for (int i = 0; i < chains; ++i) start_again({"chain-link"}, true);
  ready();
  wait_forever();
}

void report_signals() {
  ::SetConsoleCtrlHandler(nullptr, FALSE);
  ::SetConsoleCtrlHandler(on_event, TRUE);
  ready();
  wait_forever();
}

void behave(const Words& words) {
  behave_plainly(words);
  const std::string& what = words.at(0);
  const auto number = [&] { return std::atoi(words.at(1).c_str()); };
  if (what == "exit") ::ExitProcess(static_cast<UINT>(number()));
  if (what == "exit-code") {
    ::ExitProcess(static_cast<UINT>(std::strtoul(words.at(1).c_str(), nullptr, 16)));
  }
  if (what == "die") ::TerminateProcess(::GetCurrentProcess(), os::killed_code(number()));
  if (what == "stay") start_tree({words.begin() + 1, words.end()}, true);
  if (what == "child" || what == "setsid-child" || what == "double-fork" || what == "daemon") {
    start_tree(words, false);
  }
  if (what == "in-job") hold_in_job({words.begin() + 1, words.end()});
  if (what == "fork-chain") fork_chain(number());
  if (what == "chain-link") chain_link();
  if (what == "report-signals") report_signals();
  if (what == "has-handle") {
    DWORD flags = 0;
    const auto value = static_cast<std::intptr_t>(std::strtoull(words.at(1).c_str(), nullptr, 10));
    ::ExitProcess(::GetHandleInformation(reinterpret_cast<HANDLE>(value), &flags) != FALSE ? 0 : 1);
  }
  if (what == "ignore-term") {
    g_ignore = true;
    ::SetConsoleCtrlHandler(on_event, TRUE);
  } else if (what != "sleep-forever") {
    die_with("no behaviour " + what);
  }
  ready();
  wait_forever();
}

}  // namespace holdfast::testing::child

int main() {
  using namespace holdfast;
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
  int count = 0;
  wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  testing::child::Words words;
  for (int i = 1; i < count; ++i) words.push_back(os::from_wide(wide[i]));
  if (words.empty()) testing::child::die_with("which behaviour?");
  testing::child::behave(words);
}
