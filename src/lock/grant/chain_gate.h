// SPDX-License-Identifier: Apache-2.0
//
// ChainGate: the fenced commit. A change of a file is done only while every lock of a chain is
// still held by its token, and so that no late one can land.
//
//   ChainGate gate(chain);                            // of HOLDFAST_CHAIN
//   const Passage passage = HF_TRY(gate.enter());     // the GUARDs of all its ledgers
//   … rename …                                        // a grant needs GUARD, so nobody gets one
//
// Guarantee: while the passage lives, each lock of the chain is held exclusively by the token that
// the chain names, and nobody can be granted it. Each ledger is opened by its path, and its name
// leads to the file that was checked. A lease that has run out and was taken by nobody passes.
//
// Order: the caller's directory flock, then the GUARDs by (dev, ino). Entries of one ledger take it
// once; each of them must match.
//
// A fence of 0 in an entry stands for "not known": a token is given once, so it decides alone.
//
// Errors, nothing is held then: kRefused `lock-lost` (another token, released, broken), kRefused
// `shared-token` (a reader changes nothing); kCannotTell `chain-ledger-missing`, `chain-ledger-
// foreign` (its ledger cannot be believed) and `chain-ledger-vanishes`; kBusy `guard-timeout`; else
// those of the ledger.
//
// Limit: the directory that holds a ledger is trusted. Not for use by two threads at once.
#pragma once

#include <cstddef>
#include <memory>

#include "base/commit_gate.h"
#include "base/result.h"
#include "format/lock/lock_chain.h"

namespace holdfast::lock {

class ChainGate final : public CommitGate {
 public:
  explicit ChainGate(const LockChain& chain);

  Result<holdfast::Passage> enter() override;
  [[nodiscard]] std::size_t locks() const override { return chain_.size(); }

 private:
  LockChain chain_;  // each entry once
};

// Null for an empty chain: there is nothing to pass.
std::shared_ptr<CommitGate> gate_of(LockChain chain);

}  // namespace holdfast::lock
