// SPDX-License-Identifier: Apache-2.0
//
// A hash for tests of blocks: not SHA-256 (that is another folder's), but different for different
// content, and written out.
#pragma once

#include <string_view>

#include "base/digest.h"

namespace holdfast {

inline Digest test_hash(std::string_view bytes) {
  std::uint64_t state = 14695981039346656037U;
  for (const char c : bytes) state = (state ^ static_cast<unsigned char>(c)) * 1099511628211U;
  Digest digest;
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    digest.bytes[i] = static_cast<std::uint8_t>(state >> (8 * (i % 8)));
  }
  return digest;
}

}  // namespace holdfast
