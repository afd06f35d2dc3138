// SPDX-License-Identifier: Apache-2.0
//
// The CommandRunner (file/replace/command_runner.h) of the program: each command is a supervised tree
// (supervise/pipeline.h), so that what it leaves behind is ended before its output counts.
#pragma once

#include "base/clock.h"
#include "file/replace/command_runner.h"

namespace holdfast::cli {

class PipelineCommandRunner final : public file::CommandRunner {
 public:
  explicit PipelineCommandRunner(const Clock& clock) : clock_(clock) {}

  Result<file::CommandResult> run(const file::CommandRequest& request) override;

 private:
  const Clock& clock_;
};

}  // namespace holdfast::cli
