// SPDX-License-Identifier: Apache-2.0
//
// Digest: the 32 bytes of a SHA-256, and its two spellings. Made by os/machine/sha256.h; this type only
// holds, compares and spells.
//
//   hex        64 lower-case digits: content addresses (blobs), what sha256sum prints
//   base64url  43 characters, no padding: the chain in the journal, where every byte counts
//
// The parsers take exactly that spelling and nothing else; in base64url the two unused bits of the
// last character must be 0, so that one digest has one spelling.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

struct Digest {
  std::array<std::uint8_t, 32> bytes{};

  auto operator<=>(const Digest&) const = default;
};

inline constexpr std::size_t kDigestBase64Chars = 43;

std::string to_hex(const Digest& digest);
std::optional<Digest> parse_digest_hex(std::string_view hex);

// Writes exactly kDigestBase64Chars characters to `out`.
void write_base64url(const Digest& digest, char* out);
// Into a digest that is there already; where it says false, `digest` holds rubbish.
[[nodiscard]] bool read_base64url(std::string_view text, Digest& digest);
std::string to_base64url(const Digest& digest);
std::optional<Digest> parse_digest_base64url(std::string_view text);

}  // namespace holdfast
