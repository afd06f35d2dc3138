// SPDX-License-Identifier: Apache-2.0
//
// CommitGate: what a change of a file must pass in its last moment, for a caller that runs under
// locks. Who replaces files (src/file) knows only this; what stands behind it are the ledgers of
// the locks (lock/grant/chain_gate.h).
//
//   const auto passage = HF_TRY(enter_gate(options.gate.get()));   // the locks are still ours
//   …                                                              // one rename
//                                                                  // and nobody else got one
//
// Guarantee: while a Passage lives, no lock behind the gate is granted to anybody. So hold it for
// one step and never across a sync: others wait for it, and only for a moment.
//
// Order: the directory's flock first, then the gate, then the step.
//
// Errors of enter: kRefused `lock-lost` where one of the locks is another's by now, or whatever
// keeps one from telling; in each case the step must not be done.
#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"

namespace holdfast {

class CommitGate {
 public:
  class Passage {
   public:
    Passage() = default;
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;
    Passage(Passage&&) = delete;
    Passage& operator=(Passage&&) = delete;
    virtual ~Passage() = default;
  };

  CommitGate() = default;
  CommitGate(const CommitGate&) = delete;
  CommitGate& operator=(const CommitGate&) = delete;
  CommitGate(CommitGate&&) = delete;
  CommitGate& operator=(CommitGate&&) = delete;
  virtual ~CommitGate() = default;

  virtual Result<std::unique_ptr<Passage>> enter() = 0;
  // How many locks stand behind it.
  [[nodiscard]] virtual std::size_t locks() const = 0;
};

using Passage = std::unique_ptr<CommitGate::Passage>;

// Where there is no gate there is nothing to pass: an empty passage.
inline Result<Passage> enter_gate(CommitGate* gate) {
  if (gate == nullptr) return Passage();
  return gate->enter();
}

// Are the locks still the caller's, at this moment?
inline Result<> check_gate(CommitGate* gate) {
  const auto passage = enter_gate(gate);
  if (!passage) return fail(passage.error());
  return {};
}

}  // namespace holdfast
