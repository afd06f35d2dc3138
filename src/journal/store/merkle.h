// SPDX-License-Identifier: Apache-2.0
//
// The Merkle root of a sealed segment (the tree of RFC 6962), so that one record can be proven to
// belong to it without handing over the others.
//
//   leaf(i) = SHA-256(0x00 ‖ h of record i)    node = SHA-256(0x01 ‖ left ‖ right)
//
// A leaf is the record's chain hash, which already covers its bytes: sealing reads 32 bytes per
// record and hashes no text again. Memory is one digest per level of the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "base/digest.h"

namespace holdfast::journal {

class MerkleRoot {
 public:
  void add(const Digest& record_hash);
  // The root of everything added; of nothing, SHA-256 of no bytes.
  [[nodiscard]] Digest root() const;

 private:
  std::uint64_t leaves_ = 0;
  std::vector<Digest> peaks_;  // of the complete subtrees, largest first
};

}  // namespace holdfast::journal
