// SPDX-License-Identifier: Apache-2.0
//
// One call of the table of Windows (os/sys/sys_win.h) replaced for the length of a scope, so that a
// test can have it fail. For a single thread, as the table itself is not guarded.
//
//   const testing::ScopedCall fails(&os::SysTable::FlushFileBuffers, [](HANDLE) { … });
#pragma once

#include <type_traits>

#include "os/sys/sys_win.h"

namespace holdfast::os {
extern SysTable g_sys_table;
}  // namespace holdfast::os

namespace holdfast::testing {

template <typename Call>
class ScopedCall {
 public:
  ScopedCall(Call os::SysTable::* which, std::type_identity_t<Call> instead)
      : which_(which), real_(os::g_sys_table.*which) {
    os::g_sys_table.*which_ = instead;
  }
  ~ScopedCall() { os::g_sys_table.*which_ = real_; }
  ScopedCall(const ScopedCall&) = delete;
  ScopedCall& operator=(const ScopedCall&) = delete;
  ScopedCall(ScopedCall&&) = delete;
  ScopedCall& operator=(ScopedCall&&) = delete;

 private:
  Call os::SysTable::* which_;
  Call real_;
};

}  // namespace holdfast::testing
