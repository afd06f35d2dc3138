// SPDX-License-Identifier: Apache-2.0
#include "run/lock/lock_environment.h"

#include <algorithm>

#include "os/spawn/env.h"
#include "run/lock/lock_text.h"

namespace holdfast::run {

Result<LockChain> chain_of_environment() {
  return decode_chain(os::env("HOLDFAST_CHAIN").value_or(""));
}

LockEnvironment environment_under(const lock::Lock& lock, const LockChain& outer,
                                  const Clock& clock) {
  const lock::Grant& grant = *lock.grant();
  const ChainEntry own = lock.chain_entry();
  LockChain chain = outer;
  if (std::ranges::find(chain, own) == chain.end()) chain.push_back(own);
  LockEnvironment environment{
      .added = {"HOLDFAST_LOCK=" + lock.label(), "HOLDFAST_TOKEN=" + to_hex(grant.token),
                "HOLDFAST_FENCE=" + std::to_string(grant.fence),
                "HOLDFAST_CHAIN=" + encode_chain(chain), "HOLDFAST_HELD=1"},
      .removed = {}};
  if (grant.deadline) {
    environment.added.push_back("HOLDFAST_DEADLINE=" + wall_of(*grant.deadline, clock));
  } else {
    environment.removed.emplace_back("HOLDFAST_DEADLINE");
  }
  return environment;
}

LockEnvironment environment_without(const LockChain& outer, const lock::Lock* lock) {
  LockEnvironment environment{.added = {"HOLDFAST_HELD=0"}, .removed = {}};
  if (lock == nullptr) return environment;
  environment.added.push_back("HOLDFAST_WITHOUT=" + lock->label());
  LockChain chain = outer;
  const std::string& ledger = lock->ledger_path();
  std::erase_if(chain, [&](const ChainEntry& entry) { return entry.ledger == ledger; });
  if (chain.size() != outer.size())
    environment.added.push_back("HOLDFAST_CHAIN=" + encode_chain(chain));
  if (os::env("HOLDFAST_LOCK") == lock->label()) {
    environment.removed = {"HOLDFAST_LOCK", "HOLDFAST_TOKEN", "HOLDFAST_FENCE",
                           "HOLDFAST_DEADLINE"};
  }
  return environment;
}

}  // namespace holdfast::run
