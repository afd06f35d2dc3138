// SPDX-License-Identifier: Apache-2.0
//
// read_own_beneath: the beginning of a small file of the caller's own, two names below an open
// directory, with as few calls as can be: for who reads a hundred thousand of them.
//
// Guarantee: no link is followed and no mount is entered on the way, and the file is a plain one of
// the caller's own that others cannot write and that has one name; anything else is not read, and
// said. Nothing is allocated.
//
// Limits: the directory in between is not judged. Where the kernel has no openat2, a mount is not
// noticed. Whoever acts on what was read looks again, the careful way. Windows allocates, and
// refuses a mount as the reparse point that it is (`is-link`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "os/dir/dir.h"

namespace holdfast::os {

struct BeneathRead {
  enum class Kind : std::uint8_t {
    kRead,      // `size` bytes are in the buffer; as many as it holds where the file is longer
    kNotThere,  // neither the directory nor the file need be there
    kRefused,   // `cause` says why: `is-link`, `not-a-regular-file`, `foreign-owner`, …
    kFailed,    // `os_code` says why
  };
  Kind kind = Kind::kFailed;
  std::size_t size = 0;
  std::string_view cause{};
  int os_code = 0;
};

// `directory` and `file` are one component each, NUL-terminated.
BeneathRead read_own_beneath(const Dir& dir, const char* directory, const char* file,
                             std::span<char> buffer);

}  // namespace holdfast::os
