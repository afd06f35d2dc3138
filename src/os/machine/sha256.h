// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 by the platform's library: OpenSSL's low-level functions on Linux (the one-shot call
// would drag megabytes into a static program), CNG on Windows. It uses the processor's instructions
// where there are some. It cannot fail once constructed; a Windows that denies CNG aborts the
// program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/digest.h"

namespace holdfast::os {

class Sha256 {
 public:
  Sha256();
  ~Sha256();  // NOLINT(performance-trivially-destructible): on Windows it has work to do
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Sha256& update(std::string_view bytes);
  Sha256& update(const Digest& digest);
  // The digest of everything so far; the object then starts anew.
  Digest finish();

 private:
  alignas(16) std::byte state_[128];  // NOLINT(modernize-avoid-c-arrays): the library's own state
};

Digest sha256(std::string_view bytes);

}  // namespace holdfast::os
