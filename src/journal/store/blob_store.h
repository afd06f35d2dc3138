// SPDX-License-Identifier: Apache-2.0
//
// Blobs: `journal/blobs/<sha256>-<segment>`: data that is too large for a record, and damaged bytes
// that a repair cut off. A blob appears whole under the name of its content, and is never changed.
//
// `segment` is the newest segment at the time of writing. The record that speaks of the blob is in
// that segment or in the next one (the writer makes sure of it), so a blob goes when both are gone.
//
// A record whose data went to a blob holds {"blob":"<sha256>","segment":n,"bytes":n} instead of it.
//
// put_blob of bytes that are already there checks them: a blob that is not what its name says is
// kCorrupt, never replaced. get_blob checks too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/event.h"
#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"

namespace holdfast::journal {

inline constexpr std::size_t kMaxBlobBytes = std::size_t{8} * 1024 * 1024;

struct BlobRef {
  Digest digest;
  std::uint64_t segment = 0;
  bool operator==(const BlobRef&) const = default;
};

EventData blob_data(const BlobRef& blob, std::uint64_t bytes);
// Nothing where `data` is not exactly what blob_data makes: ordinary data.
std::optional<BlobRef> parse_blob_data(std::string_view data);

// `journal` is the journal's directory; `blobs` in it is made with the first blob.
Result<BlobRef> put_blob(const os::Dir& journal, std::uint64_t segment, std::string_view bytes,
                         os::Durability durability);

// nullopt: there is no such blob. kCorrupt: it is there and not what its name says.
Result<std::optional<std::string>> get_blob(const os::Dir& journal, const BlobRef& blob);

// How many bytes of blobs there are, by their `segment`; of `only`, where it is given.
Result<std::map<std::uint64_t, std::uint64_t>> blob_bytes(
    const os::Dir& journal, std::optional<std::uint64_t> only = std::nullopt);

// Removes the blobs of every segment before `first_kept`.
Result<> remove_blobs_before(const os::Dir& journal, std::uint64_t first_kept);

// A blob, for whoever reads records (journal/store/blob_store.h says what blobs are). That it is missing
// or not what its name says is kCorrupt, cause `bad-blob`: what the caller reports as Damage of
// kind `blob`.
Result<std::string> read_blob(const os::Dir& journal, const BlobRef& blob);

}  // namespace holdfast::journal
