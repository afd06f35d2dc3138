// SPDX-License-Identifier: Apache-2.0
//
// A blob, for whoever reads records (journal/store/blob_store.h says what blobs are). That it is missing
// or not what its name says is kCorrupt, cause `bad-blob`: what the caller reports as Damage of
// kind `blob`.
#pragma once

#include <string>

#include "base/result.h"
#include "journal/store/blob_store.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

Result<std::string> read_blob(const os::Dir& journal, const BlobRef& blob);

}  // namespace holdfast::journal
