// SPDX-License-Identifier: Apache-2.0
//
// Managed blocks of a file: read, changed in memory (format/file/block_change.h), replaced whole
// (replace.h).
//
//   the file's lock, if it has one → the directory's → read → change → the new file beside it
//   → swap → unlock
//
// Hostile interleavings. Two processes put different blocks at once: without the lock both read the
// old text, and the later rename drops the earlier block; here the lock is held from before the
// read until after the swap, so both blocks survive. An editor, which takes no lock, saves between
// the read and the swap: the swap notices that it displaced something else and undoes itself
// (`changed-meanwhile`, 75).
//
// Guarantee: whoever reads the file finds the whole old or the whole new text; bytes outside the
// block never change; every refusal leaves the file byte for byte.
//
// Limits: files and content up to kLargestText. The text is in memory, twice while it is changed.
//
// Errors: those of replace.h and format/file/block_change.h; kNotFound (66) `enoent`; kRefused
// `too-large`; kUsage `bad-value` for links that are to be replaced: what is behind a link cannot
// be read and replaced by a file at once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "file/replace/replace.h"
#include "format/file/block_change.h"

namespace holdfast::file {

inline constexpr std::size_t kLargestText = 64U << 20U;

struct BlockFile {
  std::string path;
  BlockSyntax syntax;
  std::string id;
};

struct BlockEdited {
  Replaced file;
  bool block_changed = false;
  std::optional<Digest> old_digest;  // of the block's content
  std::optional<Digest> new_digest;
};

enum class Absent : std::uint8_t { kRefuse, kCreate };

// What is known also where the answer is an Error.
struct BlockReport {
  std::size_t line = 0;   // of the refusal in the file, where it has one
  bool restored = false;  // an earlier write in place was cut short; its old content was put back
};

// Of `options`, locking and base are set here.
Result<BlockEdited> put_block_in(const BlockFile& block, const BlockPut& put, Absent absent,
                                 const ReplaceOptions& options, BlockReport& report);
Result<BlockEdited> remove_block_from(const BlockFile& block, Edits edits, ReplaceOptions options,
                                      BlockReport& report);

// The marker lines that strip_markers takes away, and whether anything is wrong afterwards.
struct Stripped {
  struct Line {
    std::size_t number;
    MarkerAnomaly::Kind kind;
    std::string text;
  };
  std::vector<Line> lines;
  std::vector<Line> left;          // those that are not in order and stay all the same
  std::optional<Replaced> file{};  // where it was done
};
// What would be done; changes nothing.
Result<Stripped> plan_strip(std::string_view text, const BlockFile& block);
// Does it; a file without such lines is left alone. At least one backup is kept.
Result<Stripped> strip_orphans(const BlockFile& block, ReplaceOptions options, BlockReport& report);

// All of the file, for those who only look (read_whole.h).
Result<std::string> read_text(const std::string& path, Links links,
                              TrustDir trust = TrustDir::kOnlyOwn);

}  // namespace holdfast::file
