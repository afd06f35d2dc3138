// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C (Castagnoli): the checksum of journal records and state slots. It finds accidents (torn,
// zeroed, flipped bytes); against intent there is the SHA-256 chain.
//
// Own code, because Debian 12 has no library for it (zlib's polynomial is another one); it uses the
// processor's instruction where there is one. crc32c("123456789") is 0xe3069283.
#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast {

// `before` is the checksum of the bytes in front, so that a text can be summed in parts.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

// The same without the processor's instruction: what crc32c does where there is none.
std::uint32_t crc32c_portable(std::string_view bytes, std::uint32_t before = 0);

}  // namespace holdfast
