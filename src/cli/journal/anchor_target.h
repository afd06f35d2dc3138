// SPDX-License-Identifier: Apache-2.0
//
// Where an anchor goes: to a file, as one more line at its end, or to a command, on its standard
// input.
//
// A file is opened (made, 0600) before the anchor exists, so that a wrong name is found before
// anything is recorded. The line is appended whole and synced; if that fails it is taken off again,
// so that the file stays readable. After a last line that somebody left without its newline, a
// newline goes first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "os/file/file.h"

namespace holdfast::cli {

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

}  // namespace holdfast::cli
