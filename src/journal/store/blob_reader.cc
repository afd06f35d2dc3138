// SPDX-License-Identifier: Apache-2.0
#include "journal/store/blob_reader.h"

namespace holdfast::journal {
namespace {

std::unexpected<Error> bad_blob(const os::Dir& journal, const BlobRef& blob, std::string detail) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the blob",
               .subject = journal.path() + "/blobs/" + to_hex(blob.digest),
               .cause = "bad-blob",
               .detail = std::move(detail)});
}

// About the blob, not about the reading.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::kCorrupt || error.cause == "too-large" ||
         error.cause == "is-link" || error.cause == "not-a-regular-file";
}

}  // namespace

Result<std::string> read_blob(const os::Dir& journal, const BlobRef& blob) {
  Result<std::optional<std::string>> content = get_blob(journal, blob);
  if (!content && is_damage(content.error())) {
    return bad_blob(journal, blob, content.error().detail);
  }
  if (!content) return fail(std::move(content).error());
  if (!*content) return bad_blob(journal, blob, "it is not there");
  return **std::move(content);
}

}  // namespace holdfast::journal
