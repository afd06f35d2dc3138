// SPDX-License-Identifier: Apache-2.0
//
// Standing between os and the kernel: a CallHook sees every call of the table before it is made and
// says what becomes of it. Nothing but this folder can install one.
//
// One hook at a time; the whole process is hooked, so sweeps run single-threaded. The hook itself
// must not use src/os.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace holdfast::testing {

struct CallSite {
  std::string_view name;           // "openat"; "openat_tmpfile", "renameat2_exchange" by its flags
  bool mutates = false;            // others, or a later boot, can see its effect
  std::size_t transfer_bytes = 0;  // of read, pread, write and pwrite; 0 for the rest
  std::string_view path{};         // of openat; empty for the rest
};

// Is it `name`, or another way to the same: a child is born by "fork", or by "clone_vm" where it
// shares memory.
inline bool is_call(const CallSite& call, std::string_view name) {
  return call.name == name || (name == "fork" && call.name == "clone_vm");
}

struct Fate {
  enum class Kind : std::uint8_t {
    kPass,  // the real call
    kFail,  // not made; -1 and os_code (close is made all the same: its descriptor never survives)
    kShorten,  // a read or write of half the bytes
    kNothing,  // not made; 0, as if no byte had been transferred
    kDie,      // SIGKILL to this process instead of the call
    kTear,     // a write of half the bytes, then SIGKILL
  };
  Kind kind = Kind::kPass;
  int os_code = 0;
};

class CallHook {
 public:
  virtual ~CallHook() = default;
  virtual Fate before(const CallSite& call) = 0;
};

// The calls that a kernel or file system lacks, and what it answers instead: {"openat2", ENOSYS}.
using MissingCalls = std::map<std::string, int, std::less<>>;

// A kernel without some calls; all others go on to `next`.
class OldKernel final : public CallHook {
 public:
  explicit OldKernel(const MissingCalls& missing, CallHook* next = nullptr)
      : missing_(missing), next_(next) {}
  Fate before(const CallSite& call) override;

 private:
  const MissingCalls& missing_;
  CallHook* next_;
};

class ScopedCallHook {
 public:
  explicit ScopedCallHook(CallHook& hook);
  ~ScopedCallHook();
  ScopedCallHook(const ScopedCallHook&) = delete;
  ScopedCallHook& operator=(const ScopedCallHook&) = delete;
};

}  // namespace holdfast::testing
