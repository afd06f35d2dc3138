// SPDX-License-Identifier: Apache-2.0
//
// The state is only the handle of a hash. The provider is opened once and kept: opening it costs as
// much as many small digests.
#include "os/machine/sha256.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "os/sys/sys_win.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMaxPart = std::size_t{1} << 30U;  // CNG counts in 32 bits

void must(NTSTATUS status) {
  if (status < 0) std::abort();  // lint: no_output a wrong digest would be taken for a right one
}

BCRYPT_ALG_HANDLE provider() {
  static const BCRYPT_ALG_HANDLE kept = [] {
    BCRYPT_ALG_HANDLE opened = nullptr;
    must(sys().BCryptOpenAlgorithmProvider(&opened, BCRYPT_SHA256_ALGORITHM, nullptr,
                                           BCRYPT_HASH_REUSABLE_FLAG));
    return opened;
  }();
  return kept;
}

BCRYPT_HASH_HANDLE hash_of(const std::byte* state) {
  BCRYPT_HASH_HANDLE hash = nullptr;
  std::memcpy(&hash, state, sizeof(hash));
  return hash;
}

void add(BCRYPT_HASH_HANDLE hash, const unsigned char* bytes, std::size_t size) {
  while (size > 0) {
    const std::size_t part = std::min(size, kMaxPart);
    // CNG only reads it.
    must(sys().BCryptHashData(hash, const_cast<PUCHAR>(bytes), static_cast<ULONG>(part), 0));
    bytes += part;
    size -= part;
  }
}

}  // namespace

Sha256::Sha256() {
  static_assert(sizeof(BCRYPT_HASH_HANDLE) <= sizeof(state_));
  BCRYPT_HASH_HANDLE hash = nullptr;
  must(
      sys().BCryptCreateHash(provider(), &hash, nullptr, 0, nullptr, 0, BCRYPT_HASH_REUSABLE_FLAG));
  std::memcpy(&state_[0], &hash, sizeof(hash));
}

Sha256::~Sha256() { sys().BCryptDestroyHash(hash_of(&state_[0])); }

Sha256& Sha256::update(std::string_view bytes) {
  add(hash_of(&state_[0]), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return *this;
}

Sha256& Sha256::update(const Digest& digest) {
  add(hash_of(&state_[0]), digest.bytes.data(), digest.bytes.size());
  return *this;
}

Digest Sha256::finish() {
  Digest digest;
  must(sys().BCryptFinishHash(hash_of(&state_[0]), digest.bytes.data(),
                              static_cast<ULONG>(digest.bytes.size()), 0));
  return digest;
}

Digest sha256(std::string_view bytes) { return Sha256().update(bytes).finish(); }

}  // namespace holdfast::os
