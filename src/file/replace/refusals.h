// SPDX-License-Identifier: Apache-2.0
//
// What may not be replaced unless it was asked for, each with its own cause and sentence
// (replace.h lists them).
#pragma once

#include "base/result.h"
#include "file/replace/old_file.h"
#include "file/replace/replace.h"
#include "file/replace/target.h"

namespace holdfast::file {

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
