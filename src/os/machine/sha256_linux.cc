// SPDX-License-Identifier: Apache-2.0
//
// OpenSSL calls these functions deprecated. They are the ones that work on a plain struct: no
// provider is loaded, nothing is allocated, and a static program grows by 20 KiB for them.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/sha.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include "os/machine/sha256.h"

namespace holdfast::os {
namespace {

SHA256_CTX* context(std::byte* state) { return std::launder(reinterpret_cast<SHA256_CTX*>(state)); }

// OpenSSL returns 1 always; a 0 would mean a digest of something else.
void must(int done) {
  if (done != 1) std::abort();  // lint: no_output a wrong digest would be taken for a right one
}

}  // namespace

Sha256::Sha256() {
  static_assert(sizeof(SHA256_CTX) <= sizeof(state_));
  static_assert(alignof(SHA256_CTX) <= alignof(Sha256));
  static_assert(std::is_trivially_destructible_v<SHA256_CTX>);
  must(SHA256_Init(new (&state_[0]) SHA256_CTX));
}

Sha256::~Sha256() = default;

Sha256& Sha256::update(std::string_view bytes) {
  must(SHA256_Update(context(&state_[0]), bytes.data(), bytes.size()));
  return *this;
}

Sha256& Sha256::update(const Digest& digest) {
  must(SHA256_Update(context(&state_[0]), digest.bytes.data(), digest.bytes.size()));
  return *this;
}

Digest Sha256::finish() {
  Digest digest;
  must(SHA256_Final(digest.bytes.data(), context(&state_[0])));
  must(SHA256_Init(context(&state_[0])));
  return digest;
}

Digest sha256(std::string_view bytes) { return Sha256().update(bytes).finish(); }

}  // namespace holdfast::os
