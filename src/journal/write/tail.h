// SPDX-License-Identifier: Apache-2.0
//
// The end of the newest segment, as the next writer finds it.
//
// A writer that dies, a disk that fills up or a power cut may leave bytes behind the last whole
// record: half a record, NUL bytes, a page of something else. examine_tail finds the last record
// that is whole and right, and says how many bytes behind it are not.
//
// Only an *end* may be torn. The search goes back over at most kMaxTornBytes; if there is no good
// record in them, the damage is more than a torn write explains, and the answer is kCorrupt
// (`no-good-end`): a person runs `journal repair`. The last good record must also continue the one
// before it, else kCorrupt (`chain-broken`). A record of a newer version is kCannotTell: nothing is
// written behind it.
#pragma once

#include <cstdint>
#include <string>

#include "base/digest.h"
#include "base/id128.h"
#include "base/result.h"
#include "os/file/file.h"

namespace holdfast::journal {

inline constexpr std::uint64_t kMaxTornBytes = std::uint64_t{4} * 1024 * 1024;

struct Tail {
  std::uint64_t good_bytes = 0;  // length of the segment up to its last good record
  std::uint64_t torn_bytes = 0;  // what follows
  std::uint64_t seq = 0;         // of the last good record
  Digest hash;
  std::string type;
};

Result<Tail> examine_tail(const os::File& segment, const Id128& journal);

}  // namespace holdfast::journal
