// SPDX-License-Identifier: Apache-2.0
//
// The anchors that a verification uses: those of the files that the user names, and those of the
// files that the journal itself says it was anchored to.
//
// A file may hold anchors of several journals; those of others are left out, unless it has none of
// this one: then all of them count, and fail, for the journal is not the one that was pinned.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id128.h"
#include "cli/frame/context.h"
#include "journal/read/snapshot.h"
#include "journal/read/verify.h"

namespace holdfast::cli {

struct AnchorFile {
  std::string path;
  std::vector<journal::Anchor> anchors{};
  std::vector<journal::BadAnchorLine> bad{};
};

// A file that was named must be readable and hold an anchor.
Result<AnchorFile> read_anchor_file(const std::string& path, const std::optional<Id128>& journal);

// Those that journal.anchored records name. One that is gone, empty or cannot be read is a note:
// whoever keeps it elsewhere, as one should, names it. One that holds other things than anchors is
// all bad lines, and one of a newer version an error.
Result<std::vector<AnchorFile>> find_anchor_files(Context& context, const os::Dir& dir,
                                                  const std::optional<Id128>& journal);

}  // namespace holdfast::cli
