// SPDX-License-Identifier: Apache-2.0
//
// OldFile: what is at a target before it is replaced, opened, so that it stays this file whatever
// happens to the name.
//
// same_file says whether what has the name now is still that file, unchanged as far as inode, size,
// mode, owner, number of names, and the times of its content and of itself tell; so also its
// attributes. same_displaced leaves out the last of these: an exchange of names sets it. Limit: a
// program that writes into the file in place within the resolution of the file system's clock
// (nanoseconds where the kernel has fine time stamps, else a tick) and keeps the size is not
// noticed.
//
// Errors: kRefused `is-link` (unless links are what is to be replaced), `not-a-regular-file`;
// kBusy `changed-meanwhile` where it keeps changing while it is read.
#pragma once

#include <optional>

#include "base/digest.h"
#include "base/result.h"
#include "file/replace/replace.h"
#include "file/replace/target.h"
#include "os/file/file.h"

namespace holdfast::file {

struct OldFile {
  os::FileInfo info;             // of the link itself where it is one
  std::optional<os::File> file;  // none: it is a link
};

// nullopt: there is nothing.
Result<std::optional<OldFile>> look_at(const Target& target, Links links);

bool same_file(const os::FileInfo& before, const os::FileInfo& now);
bool same_displaced(const os::FileInfo& before, const os::FileInfo& now);

// Of `size` bytes from `offset` on, in flat memory; kBusy where there are fewer.
Result<Digest> digest_of(const os::File& file, std::uint64_t size, std::uint64_t offset = 0);

// What may not be replaced unless it was asked for, each with its own cause and sentence
// (replace.h lists them).

// About the thing that is there.
Result<> check_old(const Target& target, const OldFile& old, const ReplaceOptions& options);
// About the content that shall come; `old_size` is none where there is no file.
Result<> check_size(const Target& target, std::uint64_t new_size,
                    std::optional<std::uint64_t> old_size, const ReplaceOptions& options);
// `--if-hash`: `digest` is that of `old`, which is null where there is nothing. A link has none, so
// it meets no expectation.
Result<> check_expectation(const Target& target, const OldFile* old,
                           const std::optional<Digest>& digest, const ReplaceOptions& options);

// A failed attempt to make a file in the directory, explained where a flag of the directory is why.
Error explain_directory(const Target& target, Error error);

}  // namespace holdfast::file
