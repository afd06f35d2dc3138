// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_anchors.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <span>
#include <utility>

#include "base/path_text.h"
#include "cli/frame/user_file.h"
#include "cli/journal/journal_reading.h"
#include "journal/read/filter.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} * 1024 * 1024;

// A last line without its newline may be one that somebody is writing: then the file is read again
// until it stays as it is.
Result<std::string> read_at_rest(const std::string& path) {
  constexpr std::chrono::milliseconds kPause{50};
  constexpr int kTries = 20;
  std::string text = HF_TRY(read_user_file(path, kMaxFileBytes));
  for (int i = 0; i < kTries && !text.empty() && !text.ends_with('\n'); ++i) {
    os::pause(kPause);
    std::string again = HF_TRY(read_user_file(path, kMaxFileBytes));
    if (again == text) break;
    text = std::move(again);
  }
  return text;
}

}  // namespace

Result<AnchorFile> read_anchor_file(const std::string& path, const std::optional<Id128>& journal) {
  const std::string text = HF_TRY(read_at_rest(path));
  journal::AnchorLines lines = HF_TRY(journal::parse_anchors(text, path));
  AnchorFile file{.path = path, .anchors = std::move(lines.anchors), .bad = std::move(lines.bad)};
  const auto own = [&](const journal::Anchor& anchor) { return anchor.journal == journal; };
  if (!std::ranges::any_of(file.anchors, own)) return file;
  for (journal::BadAnchorLine& bad : file.bad) {
    const auto before = std::span(file.anchors).first(bad.anchors_before);
    bad.anchors_before = static_cast<std::size_t>(std::ranges::count_if(before, own));
  }
  std::erase_if(file.anchors, [&](const journal::Anchor& anchor) { return !own(anchor); });
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
    } else if (file.error().cause == "newer-version") {
      return fail(std::move(file).error());
    } else if (file.error().code == ErrorCode::kCorrupt && file.error().subject != path) {
      const Error& error = file.error();  // of its first line that is no anchor
      files.push_back({.path = path, .bad = {{.says = error.subject + ": " + error.detail}}});
    } else {
      context.note("the anchors in " + path + " are not used: " + to_sentence(file.error()));
    }
  }
  return files;
}

}  // namespace holdfast::cli
