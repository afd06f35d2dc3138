// SPDX-License-Identifier: Apache-2.0
#include "cli/commit_fence.h"

#include "cli/lock_by_token.h"
#include "cli/lock_options.h"
#include "cli/option_value.h"
#include "lock/chain_gate.h"
#include "lock/place.h"

namespace holdfast::cli {

Result<LockChain> fence_of(const Args& args, const std::string& path) {
  LockChain chain = HF_TRY(chain_of_environment());
  const auto typed = args.text("token");
  if (!typed) return chain;
  if (*typed == "-") {
    return bad_value("token", *typed, "standard input is for the content; use @FILE");
  }
  ChainEntry own;
  own.kind = ChainEntry::Kind::kFile;
  own.token = HF_TRY(typed_token(*typed));
  own.ledger = HF_TRY(lock::file_place(path, lock::AnyFileSystem::kAllow)).ledger_path;
  chain.push_back(std::move(own));
  return chain;
}

Result<std::shared_ptr<CommitGate>> gate_of(const Args& args, const std::string& path) {
  return lock::gate_of(HF_TRY(fence_of(args, path)));
}

Result<std::shared_ptr<CommitGate>> gate_of_environment() {
  return lock::gate_of(HF_TRY(chain_of_environment()));
}

}  // namespace holdfast::cli
