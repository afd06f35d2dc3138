// SPDX-License-Identifier: Apache-2.0
//
// HOLDFAST_CHAIN: the locks under which a process runs, outermost first.
//
//   v1 named:<token>:<fence>:<path> file:<token>:<fence>:<path>
//
// One space between entries. The path is that of the ledger, absolute, with every byte outside
// [A-Za-z0-9/._-] as %XX (upper case). An empty or absent variable is an empty chain; anything else
// that does not parse is kCorrupt, `bad-chain`: a commit under a chain that cannot be read must not
// go through. A later version is kCannotTell, `newer-version`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"
#include "base/result.h"

namespace holdfast {

struct ChainEntry {
  enum class Kind : std::uint8_t { kNamed, kFile };
  Kind kind = Kind::kNamed;
  Id128 token;
  std::uint64_t fence = 0;
  std::string ledger;  // absolute path
  bool operator==(const ChainEntry&) const = default;
};

using LockChain = std::vector<ChainEntry>;
inline constexpr std::size_t kMaxChain = 32;  // deeper is kUsage, `chain-too-deep`

std::string encode_chain(const LockChain& chain);  // "" for an empty one
Result<LockChain> decode_chain(std::string_view text);

}  // namespace holdfast
