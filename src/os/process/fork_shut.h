// SPDX-License-Identifier: Apache-2.0
//
// ForkShut: descriptors that no child by fork keeps.
//
// A lock of the kernel belongs to an open file, and a child by fork shares the open files of its
// parent: a worker that lives on would keep the locks of a parent that died. Close-on-exec does not
// help a child that executes nothing.
//
//   ForkShut shut;
//   shut.watch({ledger, life});     // again whenever they may have changed; {} for none
//
// Guarantee: in a child made by fork(3), in which any library of the process may have a part, the
// files that are watched are closed before fork returns. A number that was given to another file
// since watch() is left alone: file and device are compared.
//
// Limits: not for a child by vfork, by clone without the C library, or by fork_process()
// (os/spawn/child.h), which hands descriptors on on purpose. Whoever has such a descriptor must not
// use it in the child, nor close it. One table per process, and a handler of the C library that
// stays for good.
//
// Errors of watch: kOsRefused `enomem` where the handler cannot be installed.
// Windows has no fork: nothing happens.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "os/file/file.h"
#include "os/sys/handle.h"

namespace holdfast::os {

class ForkShut {
 public:
  static constexpr std::size_t kMost = 2;

  ForkShut() = default;
  ForkShut(const ForkShut&) = delete;
  ForkShut& operator=(const ForkShut&) = delete;
  ForkShut(ForkShut&&) = delete;
  ForkShut& operator=(ForkShut&&) = delete;
  ~ForkShut();

  // Empty handles and repetitions are left out; kMost at most.
  Result<> watch(std::span<const NativeHandle> handles);

 private:
  friend struct ForkShutTable;
  struct Watched {
    NativeHandle handle = HandleTraits::nothing();
    std::uint64_t device = 0;
    std::uint64_t file = 0;
  };

  std::array<Watched, kMost> watched_{};
  ForkShut* next_ = nullptr;
  bool listed_ = false;
};

}  // namespace holdfast::os
