// SPDX-License-Identifier: Apache-2.0
#include "authority/client.h"

#include <algorithm>

#include "authority/engine.h"
#include "base/size.h"
#include "os/real_clock.h"
#include "supervise/pipeline.h"

namespace holdfast::authority {
namespace {

// A client has nothing to save when it is told to go.
constexpr Duration kGrace = std::chrono::seconds(1);

}  // namespace

Deadline::Deadline(Duration timeout) : end_(BootTime::max()) {
  const BootTime now = os::RealClock().boot();
  if (timeout < BootTime::max() - now) end_ = now + timeout;
}

Duration Deadline::left() const {
  return std::max(Duration::zero(), end_ - os::RealClock().boot());
}

Result<std::string> run_client(const std::vector<std::string>& argv, const Deadline& deadline,
                               Speech speech) {
  const std::string& client = argv.front();
  const Duration left = deadline.left();
  if (left == Duration::zero()) {
    return not_told("timed-out", client, "the time was over before it was started");
  }
  supervise::PipelineRequest request;
  request.stages = {argv};
  if (speech == Speech::kPlain) request.environment = {"LC_ALL=C"};
  request.timeout = left;
  request.grace = kGrace;

  std::string output;
  bool too_large = false;
  const auto take = [&](std::string_view bytes) -> Result<> {
    too_large = bytes.size() > kMaxClientOutput - output.size();
    if (too_large) return garbled(client, {});
    output += bytes;
    return {};
  };
  const auto report = supervise::run_pipeline(os::RealClock(), request, take);
  if (too_large) {
    return garbled(client, "it printed more than " + format_size(kMaxClientOutput));
  }
  if (!report) return not_told("failed", client, to_sentence(report.error()));
  if (report->succeeded()) return output;

  const std::string failure = supervise::describe_failure(*report);
  const auto& start_failure = report->stages.front().start_failure;
  if (start_failure && start_failure->kind == os::StartFailure::Kind::kNotFound) {
    return not_told("no-client", client, failure);
  }
  if (report->interrupted) return not_told("interrupted", client, failure);
  if (report->timed_out) return not_told("timed-out", client, failure);
  return not_told("failed", client, failure);
}

}  // namespace holdfast::authority
