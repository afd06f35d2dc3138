// SPDX-License-Identifier: Apache-2.0
//
// The words for the choices of a lock's record. They stand in JSON and in journals: never renamed.
#include <array>
#include <utility>

#include "format/lock/lock_ledger.h"

namespace holdfast {
namespace {

using Word = std::string_view;

constexpr std::array<Word, 3> kLockWordsStates{"free", "held", "retired"};
constexpr std::array<Word, 2> kModes{"exclusive", "shared"};
constexpr std::array<Word, 4> kBindings{"exec", "lib", "owner", "ttl"};
constexpr std::array<Word, 3> kYieldWords{"wait", "take", "kill"};
constexpr std::array<Word, 9> kCauses{"created",  "fresh",    "dead",   "rebooted", "expired",
                                      "replaced", "released", "broken", "retired"};

}  // namespace

std::string_view to_text(LockState state) { return kLockWordsStates[std::to_underlying(state)]; }
std::string_view to_text(LockMode mode) { return kModes[std::to_underlying(mode)]; }
std::string_view to_text(LockBinding binding) { return kBindings[std::to_underlying(binding)]; }
std::string_view to_text(LockYields yields) { return kYieldWords[std::to_underlying(yields)]; }
std::string_view to_text(LockCause cause) { return kCauses[std::to_underlying(cause)]; }

}  // namespace holdfast
