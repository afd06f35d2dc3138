// SPDX-License-Identifier: Apache-2.0
//
// Control files: the small texts through which the kernel is asked and told (cgroups).
//
// Guarantees: a value is written by one call, so the kernel takes it whole or refuses it; every
// read starts at the beginning and is what holds now. A thing that is gone is an answer: nullopt
// for a name that is not there, and for an open file whose directory was removed (ENODEV).
//
// Limits: a text that needs several reads (the list of a large group) is no snapshot.
// Errors: see os_error.h; kRefused `too-large` above kMaxControlText. Windows has none:
// `unsupported`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/path/safe_name.h"
#include "os/sys/handle.h"

namespace holdfast::os {

inline constexpr std::size_t kMaxControlText = std::size_t{64} << 20U;

enum class ControlAccess : std::uint8_t { kRead, kWrite };  // some can be only one of the two

class ControlFile {
 public:
  // nullopt: there is no such file.
  static Result<std::optional<ControlFile>> open(const Dir& dir, const SafeName& name,
                                                 ControlAccess access);

  // nullopt: what it belongs to is gone.
  [[nodiscard]] Result<std::optional<std::string>> read() const;
  // Its first bytes, as many as fit; allocates nothing unless it fails.
  [[nodiscard]] Result<std::optional<std::size_t>> read_start(std::span<char> buffer) const;
  // False: what it belongs to is gone. Allocates nothing unless it fails.
  [[nodiscard]] Result<bool> write(std::string_view value) const;

  [[nodiscard]] const Handle& handle() const { return handle_; }

 private:
  ControlFile(Handle handle, std::string path)
      : handle_(std::move(handle)), path_(std::move(path)) {}

  Handle handle_;
  std::string path_;  // for messages
};

// Open, read, close. nullopt: no such file, or gone.
Result<std::optional<std::string>> read_control(const Dir& dir, const SafeName& name);
// Open, write, close. False: no such file, or gone.
Result<bool> write_control(const Dir& dir, const SafeName& name, std::string_view value);

enum class CgroupVersion : std::uint8_t { kNone, kV1, kV2 };
// Of the file system that the directory lies on.
Result<CgroupVersion> cgroup_version(const Dir& dir);

}  // namespace holdfast::os
