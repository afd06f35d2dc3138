// SPDX-License-Identifier: Apache-2.0
//
// read_whole: all bytes of a file as one moment had them, for those who only look and take no lock.
//
// Hostile interleavings, and what excludes them:
//   - it is swapped while it is read: the reader has one of the two files open, whole;
//   - it is written in place (in_place.h), and the reader gets a mixture: the undo file lies beside
//     it as long as that lasts, and is looked for after the reading; a writer that has finished
//     before this look has changed the time of the file, and it is read again;
//   - the writer in place was cut short: the undo file is there until the next change of the file
//     puts the old content back, so the answer is that nobody can tell;
//   - a program that takes no lock writes into it: read again, up to kMostReads times.
//
// Limit: as for same_file (old_file.h), a write that keeps size and time is not noticed.
//
// Errors: those of locate; kNotFound `enoent`; kRefused `is-link` (also for Links::kReplace: there
// is nothing to replace), `not-a-regular-file`, `too-large`, `foreign-owner`; kCannotTell
// `write-in-place-unfinished`; kBusy `changed-meanwhile`.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "file/replace/replace.h"
#include "file/replace/target.h"

namespace holdfast::file {

inline constexpr int kMostReads = 16;

struct ReadOptions {
  Links links = Links::kRefuse;
  TrustDir trust = TrustDir::kOnlyOwn;
  // May the file belong to another user? Who believes what it says refuses it, root as well.
  ForeignOwner foreign_owner = ForeignOwner::kAccept;
  std::size_t max = 0;  // bytes
};

Result<std::string> read_whole(const std::string& path, const ReadOptions& options);

// For the owner of a file that is to be believed. Errors: kRefused `foreign-owner`.
Result<> check_owner(const std::string& path, const os::File& file, const os::FileInfo& info,
                     ForeignOwner policy);

// "it belongs to user 7"; on Windows users have no numbers.
std::string owner_words(const os::FileInfo& info);

}  // namespace holdfast::file
