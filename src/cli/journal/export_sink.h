// SPDX-License-Identifier: Apache-2.0
//
// Where an export goes: to stdout as it is made, or to a new file that appears when it is whole.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/frame/context.h"
#include "cli/frame/user_file.h"
#include "os/file/staged_file.h"

namespace holdfast::cli {

class ExportSink {
 public:
  // Nothing, or `-`: stdout. Errors: kRefused (`exists`): an existing file is never replaced.
  static Result<std::unique_ptr<ExportSink>> open(Context& context,
                                                  const std::optional<std::string>& path);

  Result<> write(std::string_view lines);
  // The file gets its name (0600). Without it nothing is left.
  Result<> finish();

 private:
  explicit ExportSink(Context& context) : context_(context) {}

  Context& context_;
  std::string path_;
  std::optional<UserFile> at_;
  std::optional<os::StagedFile> staged_;
  std::string pending_;
};

}  // namespace holdfast::cli
