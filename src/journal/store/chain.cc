// SPDX-License-Identifier: Apache-2.0
#include "journal/store/chain.h"

#include "os/machine/sha256.h"

namespace holdfast::journal {
namespace {

constexpr std::string_view kDomain = "holdfast-journal";
static_assert(kDomain.size() + sizeof(Id128) + sizeof(Digest) == 64, "one block of SHA-256");

}  // namespace

Digest chain_hash(const Id128& journal, const Digest& previous, std::string_view hashed) {
  const std::string_view id(reinterpret_cast<const char*>(journal.bytes.data()),
                            journal.bytes.size());
  return os::Sha256().update(kDomain).update(id).update(previous).update(hashed).finish();
}

}  // namespace holdfast::journal
