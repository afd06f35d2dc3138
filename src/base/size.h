// SPDX-License-Identifier: Apache-2.0
//
// Sizes as people type and read them: `4096`, `64KiB`, `10M`, `1.5GiB`, `2GB`.
//
// `K M G T` and `KiB MiB GiB TiB` are powers of 1024; `kB MB GB TB` are powers of 1000. A bare
// number is bytes. Decimals must come out at a whole byte. Upper and lower case mean the same. What
// does not fit into 63 bits is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast {

Result<std::uint64_t> parse_size(std::string_view text);

// For people, in powers of 1024 with one decimal, cut off: `0B`, `512B`, `1.5KiB`, `64MiB`.
std::string format_size(std::uint64_t bytes);

}  // namespace holdfast
