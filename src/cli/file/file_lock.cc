// SPDX-License-Identifier: Apache-2.0
#include "cli/file/file_lock.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/frame/option_value.h"
#include "cli/lock/lock_by_token.h"
#include "cli/lock/lock_options.h"
#include "lock/grant/chain_gate.h"
#include "lock/ledger/place.h"
#include "os/spawn/env.h"
#include "run/lock/lock_environment.h"

namespace holdfast::cli {
namespace {

bool names_a_file(const std::optional<std::string>& lock) {
  return lock && lock->starts_with("file:");
}

// From HOLDFAST_CHAIN, and from kFenceTokenOption or the environment about the lock of `path`.
// Errors: kCorrupt `bad-chain`, kCannotTell `newer-version`; kUsage `bad-token`; of lock/ledger/place.h.
Result<LockChain> fence_of(const Args& args, const std::string& path) {
  LockChain chain = HF_TRY(run::chain_of_environment());
  const auto typed = args.text("token");
  if (typed == "-") {
    return bad_value("token", *typed, "standard input is for the content; use @FILE");
  }
  if (!typed && !names_a_file(os::env("HOLDFAST_LOCK"))) return chain;
  const lock::Place place = HF_TRY(lock::file_place(path, lock::AnyFileSystem::kAllow));
  ChainEntry own;
  own.kind = ChainEntry::Kind::kFile;
  own.ledger = place.ledger_path;
  if (typed) {
    own.token = HF_TRY(typed_token(*typed));
  } else {
    const auto token = HF_TRY(token_of_environment(place.label));
    if (!token) return chain;
    own.token = *token;
    const bool known = std::ranges::any_of(chain, [&](const ChainEntry& entry) {
      return entry.ledger == own.ledger && entry.token == own.token;
    });
    if (known) return chain;
  }
  chain.push_back(std::move(own));
  return chain;
}

}  // namespace

Result<std::shared_ptr<CommitGate>> gate_of(const Args& args, const std::string& path) {
  return lock::gate_of(HF_TRY(fence_of(args, path)));
}

Result<std::shared_ptr<CommitGate>> gate_of_environment() {
  return lock::gate_of(HF_TRY(run::chain_of_environment()));
}

Result<FileLocks::Request> file_locks_for(const Args& args, std::string_view command,
                                          const file::ReplaceOptions& options) {
  const std::string& path = args.arguments().front();
  FileLocks::Request request{.path = path, .links = options.links};
  request.lock.wait = options.wait;
  request.lock.any = lock::AnyFileSystem::kAllow;  // a lock that is there is better than none
  request.lock.chain = HF_TRY(fence_of(args, path));
  request.lock.command = "holdfast " + std::string(command) + " " + path;
  return request;
}

}  // namespace holdfast::cli
