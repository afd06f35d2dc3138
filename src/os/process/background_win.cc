// SPDX-License-Identifier: Apache-2.0
//
// There is no fork here: whoever is to be in the background was started for it, with nothing but
// NUL for its streams, nothing inherited but what was listed, and a console of its own that nobody
// sees (spawn.h, SpawnSession::kNew). What is left is the directory, which Windows lets nobody
// remove while a process stands in it.
#include "os/process/background.h"

#include <array>
#include <atomic>

#include "os/spawn/child_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

std::atomic<bool> g_in_background{false};

}  // namespace

bool is_in_background() { return g_in_background.load(); }

Result<> enter_background(std::string_view /*name*/) {
  std::array<wchar_t, 4> root{L'C', L':', L'\\', L'\0'};
  std::array<wchar_t, MAX_PATH> system{};
  const UINT length = sys().GetSystemDirectoryW(system.data(), MAX_PATH);
  if (length >= 2 && length < MAX_PATH && system[1] == L':') root[0] = system[0];
  if (sys().SetCurrentDirectoryW(root.data()) == FALSE) {
    return fail(last_os_error("go to", "the root of the system drive"));
  }
  g_in_background = true;
  return {};
}

}  // namespace holdfast::os
