// SPDX-License-Identifier: Apache-2.0
#include "gc/rescue.h"

#include <utility>

#include "base/path_text.h"
#include "supervise/pipeline.h"

namespace holdfast::gc {

Rescue rescue(const Clock& clock, const std::string& command, Duration timeout,
              const std::string& session, const std::string& directory,
              std::vector<os::NativeHandle> locks) {
  supervise::PipelineRequest request;
  request.stages = {shell_words(command)};
  request.output = supervise::PipelineRequest::Output::kStderr;
  request.directory = directory;
  // The names of 0.1 beside those of today: what goes may be a session as well.
  for (const char* word : {"HOLDFAST_SESSION", "HOLDFAST_WORKSPACE"}) {
    request.environment.push_back(std::string(word) + "=" + session);
    request.environment.push_back(std::string(word) + "_DIR=" + directory);
  }
  request.timeout = timeout;
  request.inherit = std::move(locks);
  // What it does in the background is a part of it: cutting that off would lose what it saves.
  request.leftovers = supervise::Leftovers::kWait;
  const auto report = supervise::run_pipeline(clock, request, {});
  if (!report) return {.failure = to_sentence(report.error())};
  if (report->succeeded()) return {.done = true};
  return {.interrupted = report->interrupted.has_value(),
          .failure =
              report->timed_out ? "it did not end in time" : supervise::describe_failure(*report)};
}

}  // namespace holdfast::gc
