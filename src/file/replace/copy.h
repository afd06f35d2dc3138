// SPDX-License-Identifier: Apache-2.0
//
// Bytes from one open file to another, in flat memory.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/file/file.h"

namespace holdfast::file {

// `size` bytes from `offset` on, added to `to` at its position. kBusy `changed-meanwhile` where
// `from` has fewer.
Result<> copy_content(const os::File& from, std::uint64_t offset, std::uint64_t size, os::File& to);
// The same, written over the beginning of `to`, whose length is not cut.
Result<> copy_over(const os::File& from, std::uint64_t offset, std::uint64_t size, os::File& to);

}  // namespace holdfast::file
