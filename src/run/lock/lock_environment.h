// SPDX-License-Identifier: Apache-2.0
//
// What a command is told about the lock that it runs under:
//
//   HOLDFAST_LOCK      NAME, or `file:` and the absolute path: the innermost lock that is held
//   HOLDFAST_TOKEN     its token; with it the command can renew, check and release
//   HOLDFAST_FENCE     its fence
//   HOLDFAST_DEADLINE  when the lease ends if it is not renewed; unset without a lease
//   HOLDFAST_CHAIN     every lock that it runs under (format/lock/lock_chain.h)
//   HOLDFAST_HELD      1; 0 where the command runs without the lock that was asked for
//   HOLDFAST_WITHOUT   that lock: changes of its file do not wait for it (cli/file/file_lock.h)
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/lock/lock_chain.h"
#include "lock/grant/backend.h"

namespace holdfast::run {

// The locks that this process runs under already, of HOLDFAST_CHAIN. Errors: kCorrupt `bad-chain`,
// kCannotTell `newer-version`.
Result<LockChain> chain_of_environment();

struct LockEnvironment {
  std::vector<std::string> added;    // NAME=VALUE
  std::vector<std::string> removed;  // names
};

// Of a lock that is held. `outer` is the chain of this process; a lock that was entered again is in
// it already.
LockEnvironment environment_under(const lock::Lock& lock, const LockChain& outer,
                                  const Clock& clock);
// Without the lock, which is null where it could not even be opened: what is known of outer ones
// stays as it is, but an entry of this lock goes. It was lost, or it would have been entered again.
LockEnvironment environment_without(const LockChain& outer, const lock::Lock* lock);

}  // namespace holdfast::run
