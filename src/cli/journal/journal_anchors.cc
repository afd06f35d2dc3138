// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_anchors.h"

#include <algorithm>
#include <set>

#include "base/path_text.h"
#include "cli/frame/user_file.h"
#include "cli/journal/journal_reading.h"
#include "journal/read/filter.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} * 1024 * 1024;

}  // namespace

Result<AnchorFile> read_anchor_file(const std::string& path, const std::optional<Id128>& journal) {
  AnchorFile file{.path = path, .anchors = {}};
  const std::string text = HF_TRY(read_user_file(path, kMaxFileBytes));
  file.anchors = HF_TRY(journal::parse_anchors(text, path));
  const auto own = [&](const journal::Anchor& anchor) { return anchor.journal == journal; };
  if (std::ranges::any_of(file.anchors, own)) {
    std::erase_if(file.anchors, [&](const journal::Anchor& anchor) { return !own(anchor); });
  }
  return file;
}

Result<std::vector<AnchorFile>> find_anchor_files(Context& context, const os::Dir& dir,
                                                  const std::optional<Id128>& journal) {
  std::set<std::string> named;
  const std::vector<std::string> to{"to"};
  journal::QueryRequest request;
  request.filter.types = {"journal.anchored"};
  // Damage is what the verification itself is about to tell.
  HF_TRY(with_snapshot(dir, [&](const journal::Snapshot& snapshot) {
    return journal::query(snapshot, request,
                          [&](const journal::QueriedRecord& record) -> Result<os::Visit> {
                            const auto path = journal::read_field(record.data, to);
                            if (path && *path && is_absolute_path(**path)) named.insert(**path);
                            return os::Visit::kContinue;
                          });
  }));
  std::vector<AnchorFile> files;
  for (const std::string& path : named) {
    auto file = read_anchor_file(path, journal);
    if (file) {
      files.push_back(*std::move(file));
    } else {
      context.note("the anchors in " + path + " are not used: " + to_sentence(file.error()));
    }
  }
  return files;
}

}  // namespace holdfast::cli
