// SPDX-License-Identifier: Apache-2.0
#include "journal/store/chain.h"

#include <string_view>

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

namespace {

using namespace std::string_view_literals;

Digest node(const Digest& left, const Digest& right) {
  return os::Sha256().update("\x01"sv).update(left).update(right).finish();
}

}  // namespace

void MerkleRoot::add(const Digest& record_hash) {
  Digest subtree = os::Sha256().update("\0"sv).update(record_hash).finish();
  // As in a binary counter: each trailing 1 of the old count is a complete subtree of this size.
  for (std::uint64_t count = leaves_; (count & 1) != 0; count >>= 1) {
    subtree = node(peaks_.back(), subtree);
    peaks_.pop_back();
  }
  peaks_.push_back(subtree);
  ++leaves_;
}

Digest MerkleRoot::root() const {
  if (peaks_.empty()) return os::sha256("");
  Digest root = peaks_.back();
  for (std::size_t i = peaks_.size() - 1; i-- > 0;) root = node(peaks_[i], root);
  return root;
}

}  // namespace holdfast::journal
