// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/end_code_win.h"

#include <algorithm>
#include <array>

namespace holdfast::os {
namespace {

struct Fault {
  DWORD code;
  int signal;
};

constexpr int kEndCodeInt = 2;
constexpr int kIll = 4;
constexpr int kAbrt = 6;
constexpr int kFpe = 8;
constexpr int kSegv = 11;

constexpr std::array kFaults{
    Fault{0xC000013AU, kEndCodeInt},  // STATUS_CONTROL_C_EXIT
    Fault{0xC0000005U, kSegv},        // STATUS_ACCESS_VIOLATION
    Fault{0xC0000006U, kSegv},        // STATUS_IN_PAGE_ERROR
    Fault{0xC00000FDU, kSegv},        // STATUS_STACK_OVERFLOW
    Fault{0xC000001DU, kIll},         // STATUS_ILLEGAL_INSTRUCTION
    Fault{0xC0000096U, kIll},         // STATUS_PRIVILEGED_INSTRUCTION
    Fault{0xC0000094U, kFpe},         // STATUS_INTEGER_DIVIDE_BY_ZERO
    Fault{0xC000008EU, kFpe},         // STATUS_FLOAT_DIVIDE_BY_ZERO
    Fault{0xC0000374U, kAbrt},        // STATUS_HEAP_CORRUPTION
    Fault{0xC0000409U, kAbrt},        // STATUS_STACK_BUFFER_OVERRUN, and every fail-fast
};

}  // namespace

ChildEnd end_of_code(Pid pid, DWORD code) {
  using How = ChildEnd::How;
  constexpr DWORD kMostCode = 255;
  if ((code & ~0x7FU) == kKilledBase) {
    return {.pid = pid, .how = How::kSignalled, .value = static_cast<int>(code & 0x7FU)};
  }
  const auto* fault = std::ranges::find(kFaults, code, &Fault::code);
  if (fault != kFaults.end()) return {.pid = pid, .how = How::kSignalled, .value = fault->signal};
  return {.pid = pid, .how = How::kExited, .value = static_cast<int>(std::min(code, kMostCode))};
}

}  // namespace holdfast::os
