// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_anchors.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <span>
#include <utility>

#include "base/path_text.h"
#include "base/units.h"
#include "cli/frame/user_file.h"
#include "cli/journal/journal_reading.h"
#include "journal/read/filter.h"
#include "os/dir/dir.h"
#include "os/machine/real_clock.h"
#include "supervise/run.h"
#include "supervise/verdict.h"

namespace holdfast::cli {
namespace {

Error not_delivered(const std::string& to, std::string cause, std::string detail) {
  return {.code = ErrorCode::kIo,
          .op = "deliver the anchor to",
          .subject = to,
          .cause = std::move(cause),
          .detail = std::move(detail)};
}

}  // namespace

Result<AnchorTarget> AnchorTarget::file(const std::string& path) {
  AnchorTarget target;
  target.name_ = HF_TRY(absolute_path(path));
  const UserFile at = HF_TRY(locate_file(path));
  if (HF_TRY(at.dir.create_file(at.name, kPrivateFile))) HF_TRY(at.dir.sync());
  auto file = HF_TRY(at.dir.open_file(at.name, os::Access::kAppend));
  if (!file) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "open",
                 .subject = path,
                 .cause = "file-removed",
                 .detail = "somebody removes it while it is being made"});
  }
  target.file_ = std::move(file);
  return target;
}

AnchorTarget AnchorTarget::command(std::string line, Duration timeout) {
  AnchorTarget target;
  target.name_ = "command";
  target.command_ = std::move(line);
  target.timeout_ = timeout;
  return target;
}

Result<> AnchorTarget::deliver(std::string_view anchor) {
  return file_ ? append(anchor) : run(anchor);
}

Result<> AnchorTarget::append(std::string_view anchor) {
  const auto say = [&](const Error& error) {
    return fail(not_delivered(name_, error.cause, error.detail));
  };
  const auto before = file_->info();
  if (!before) return say(before.error());
  std::string line(anchor);
  if (before->size > 0) {
    const auto last = file_->read_at(before->size - 1, 1);
    if (!last) return say(last.error());
    if (*last != "\n") line.insert(0, "\n");
  }
  auto written = file_->write_all(line);
  if (written) written = file_->sync();
  if (written) return {};
  static_cast<void>(file_->truncate(before->size));  // the failure is already told
  return say(written.error());
}

Result<> AnchorTarget::run(std::string_view anchor) const {
  supervise::RunRequest request;
  request.argv = HF_TRY(feed_words(anchor, command_));
  request.timeout = timeout_;
  request.grace = std::chrono::seconds(1);
  request.stdout_to = os::StdoutTo::kStderr;
  const auto report = supervise::run_foreground(os::RealClock(), request);
  if (!report) return fail(not_delivered(name_, report.error().cause, report.error().detail));
  const supervise::Verdict verdict = supervise::judge(*report);
  if (verdict.code == 0) return {};
  if (report->deadline_fired) {
    return fail(not_delivered(name_, "timeout",
                              "the command was ended after " + format_duration(timeout_)));
  }
  return fail(not_delivered(name_, "command-failed",
                            "the command ended with " + std::to_string(verdict.code)));
}

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
    } else if (file.error().cause == cause::kNewerVersion) {
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
