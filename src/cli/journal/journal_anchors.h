// SPDX-License-Identifier: Apache-2.0
//
// Anchors: where `journal anchor` takes one, and which `journal verify` uses: those of the files
// that the user names, and those of the files that the journal itself says it was anchored to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "journal/read/snapshot.h"
#include "journal/read/verify.h"
#include "os/file/file.h"

namespace holdfast::cli {

// Where an anchor goes: to a file, as one more line at its end, or to a command, on its standard
// input.
//
// A file is opened (made, 0600) before the anchor exists, so that a wrong name is found before
// anything is recorded. The line is appended whole and synced; if that fails it is taken off again,
// so that the file stays readable. After a last line that somebody left without its newline, a
// newline goes first.
class AnchorTarget {
 public:
  static Result<AnchorTarget> file(const std::string& path);
  // Run by /bin/sh -c; its standard output goes to stderr.
  static AnchorTarget command(std::string line, Duration timeout);

  // The absolute path, or `command`: what the journal keeps. The shell line may hold secrets.
  [[nodiscard]] const std::string& name() const { return name_; }
  // Errors: kIo, whatever went wrong; the detail says what.
  Result<> deliver(std::string_view anchor);

 private:
  Result<> append(std::string_view anchor);
  [[nodiscard]] Result<> run(std::string_view anchor) const;

  std::string name_;
  std::optional<os::File> file_;
  std::string command_;
  Duration timeout_{};
};

// A file may hold anchors of several journals; those of others are left out, unless it has none of
// this one: then all of them count, and fail, for the journal is not the one that was pinned.
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

// Words to run that put `text` on the standard input of the shell command `line`; the status is the
// command's. Windows has no such shell: kRefused `unsupported`, and nothing was done.
Result<std::vector<std::string>> feed_words(std::string_view text, const std::string& line);

}  // namespace holdfast::cli
