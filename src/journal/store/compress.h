// SPDX-License-Identifier: Apache-2.0
//
// compress_segment: a sealed plain segment becomes `.zst`, with the same text inside.
//
// Sequence: the compressed file is written unseen, synced, gets its name; it is read back, unpacked
// and compared (SHA-256) with the plain one; then the plain one is removed and the directory
// synced. Death at any point leaves the plain file, or both (readers take the plain one; the next
// call goes on with it), or the compressed one. The caller holds the journal's lock or otherwise
// knows that no retention runs.
//
// Errors: kNotFound where there is no such segment; kRefused (`not-sealed`) where its last record
// is not a seal, (`unsupported`) on Windows; kCorrupt (`compressed-differs`) where the copy does
// not unpack to the same text: then the copy is removed and the plain file stays.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

struct Compressed {
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
  bool already = false;  // it was compressed before, and nothing was done
};

Result<Compressed> compress_segment(const os::Dir& dir, std::uint64_t first_seq);

}  // namespace holdfast::journal
