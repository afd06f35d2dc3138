// SPDX-License-Identifier: Apache-2.0
#include "testing/sys_swap_linux.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <tuple>
#include <type_traits>

#include "os/machine/random.h"
#include "os/sys/sys_linux.h"
#include "os/sys/sys_list_linux.h"

namespace holdfast::os {
extern SysTable g_sys_table;  // defined in sys_linux.cc; this is the only other place that names it
}

namespace holdfast::testing {
namespace {

using os::Effect;
using os::SysTable;

CallHook* g_hook = nullptr;
SysTable g_real;

template <auto Member>
constexpr bool kIsOpenat = false;
template <>
constexpr bool kIsOpenat<&SysTable::openat> = true;
template <auto Member>
constexpr bool kIsRenameat2 = false;
template <>
constexpr bool kIsRenameat2<&SysTable::renameat2> = true;
template <auto Member>
constexpr bool kIsOpenat2 = false;
template <>
constexpr bool kIsOpenat2<&SysTable::openat2> = true;
template <auto Member>
constexpr bool kIsWrite = false;
template <>
constexpr bool kIsWrite<&SysTable::write> = true;
template <>
constexpr bool kIsWrite<&SysTable::pwrite> = true;
template <auto Member>
constexpr bool kIsRead = false;
template <>
constexpr bool kIsRead<&SysTable::read> = true;
template <>
constexpr bool kIsRead<&SysTable::pread> = true;
template <auto Member>
constexpr bool kIsClose = false;
template <>
constexpr bool kIsClose<&SysTable::close> = true;

bool creates(std::uint64_t flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  std::abort();  // not reached
}

// One static function per member of the table, with that member's own signature.
template <auto Member>
struct Hooked;
template <typename R, typename... A, R (*SysTable::*Member)(A...)>
struct Hooked<Member> {
  static inline std::string_view name;
  static inline Effect effect = Effect::kQuery;

  static R call(A... a) {
    std::tuple<A...> args(a...);
    CallSite site{.name = name, .mutates = effect == Effect::kMutate};
    if constexpr (kIsOpenat<Member>) {
      const int flags = std::get<2>(args);
      site.mutates = creates(static_cast<std::uint64_t>(flags));
      if ((flags & O_TMPFILE) == O_TMPFILE) site.name = "openat_tmpfile";
      site.path = std::get<1>(args);
    }
    if constexpr (kIsRenameat2<Member>) {
      if ((std::get<4>(args) & RENAME_EXCHANGE) != 0) site.name = "renameat2_exchange";
    }
    if constexpr (kIsOpenat2<Member>) site.mutates = creates(std::get<2>(args)->flags);
    if constexpr (kIsWrite<Member> || kIsRead<Member>) site.transfer_bytes = std::get<2>(args);

    const Fate fate = g_hook->before(site);
    switch (fate.kind) {
      case Fate::Kind::kPass:
        break;
      case Fate::Kind::kFail:
        if constexpr (kIsClose<Member>) std::apply(g_real.*Member, args);
        errno = fate.os_code;
        if constexpr (std::is_pointer_v<R>)
          return nullptr;
        else
          return static_cast<R>(-1);
      case Fate::Kind::kDie:
        die();
      case Fate::Kind::kNothing:
        return R();
      case Fate::Kind::kShorten:
      case Fate::Kind::kTear:
        if constexpr (kIsWrite<Member> || kIsRead<Member>) {
          std::get<2>(args) = (std::get<2>(args) + 1) / 2;
          if (fate.kind == Fate::Kind::kTear) {
            std::apply(g_real.*Member, args);
            die();
          }
        }
        break;
    }
    return std::apply(g_real.*Member, args);
  }
};

struct Install {
  SysTable* table;
  template <auto Member>
  void operator()(std::string_view name, Effect effect) const {
    Hooked<Member>::name = name;
    Hooked<Member>::effect = effect;
    table->*Member = Hooked<Member>::call;
  }
};

}  // namespace

Fate OldKernel::before(const CallSite& call) {
  const auto missing = missing_.find(call.name);
  if (missing != missing_.end()) return {.kind = Fate::Kind::kFail, .os_code = missing->second};
  return next_ != nullptr ? next_->before(call) : Fate{};
}

ScopedCallHook::ScopedCallHook(CallHook& hook) {
  if (g_hook != nullptr) std::abort();
  os::forget_random_block();
  g_real = os::g_sys_table;
  g_hook = &hook;
  os::for_each_sys_call(Install{&os::g_sys_table});
}

ScopedCallHook::~ScopedCallHook() {
  os::g_sys_table = g_real;
  g_hook = nullptr;
}

}  // namespace holdfast::testing
