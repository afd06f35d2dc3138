// SPDX-License-Identifier: Apache-2.0
//
// The chain: each record's hash covers the record before it, so that a record cannot be changed,
// left out or put in between without every later hash being wrong.
//
//   h = SHA-256("holdfast-journal" ‖ journal id ‖ previous h ‖ the record's bytes before `,"h":`)
//
// The first three fill exactly one block. The first record of a journal has a previous h of zeros;
// the first record of a later segment continues from the last of the one before. The journal id
// keeps records of one journal from verifying in another.
//
// Limit: whoever can write the files can also re-chain them, or cut the tail off; an anchor kept
// elsewhere (`journal anchor`) is what shows that.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/id128.h"

namespace holdfast::journal {

Digest chain_hash(const Id128& journal, const Digest& previous, std::string_view hashed);

// The Merkle root of a sealed segment (the tree of RFC 6962), so that one record can be proven to
// belong to it without handing over the others.
//
//   leaf(i) = SHA-256(0x00 ‖ h of record i)    node = SHA-256(0x01 ‖ left ‖ right)
//
// A leaf is the record's chain hash, which already covers its bytes: sealing reads 32 bytes per
// record and hashes no text again. Memory is one digest per level of the tree.
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
