// SPDX-License-Identifier: Apache-2.0
#include "authority/engine.h"

#include <algorithm>

#include "base/units.h"
#include "os/machine/real_clock.h"
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

namespace {

struct Finished {
  supervise::PipelineReport report{};
  std::string output{};
};

Result<Finished> finish_client(const std::vector<std::string>& argv, const Deadline& deadline,
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

  Finished finished;
  bool too_large = false;
  const auto take = [&](std::string_view bytes) -> Result<> {
    too_large = bytes.size() > kMaxClientOutput - finished.output.size();
    if (too_large) return garbled(client, {});
    finished.output += bytes;
    return {};
  };
  auto report = supervise::run_pipeline(os::RealClock(), request, take);
  if (too_large) {
    return garbled(client, "it printed more than " + format_size(kMaxClientOutput));
  }
  if (!report) return not_told("failed", client, to_sentence(report.error()));
  finished.report = *std::move(report);
  return finished;
}

std::unexpected<Error> client_failed(const std::string& client,
                                     const supervise::PipelineReport& report) {
  const std::string failure = supervise::describe_failure(report);
  const auto& start_failure = report.stages.front().start_failure;
  if (start_failure && start_failure->kind == os::StartFailure::Kind::kNotFound) {
    return not_told("no-client", client, failure);
  }
  if (report.interrupted) return not_told("interrupted", client, failure);
  if (report.timed_out) return not_told("timed-out", client, failure);
  return not_told("failed", client, failure);
}

}  // namespace

Result<std::string> run_client(const std::vector<std::string>& argv, const Deadline& deadline,
                               Speech speech) {
  Finished finished = HF_TRY(finish_client(argv, deadline, speech));
  if (finished.report.succeeded()) return std::move(finished.output);
  return client_failed(argv.front(), finished.report);
}

std::string one_line(std::string_view output) {
  const std::size_t begin = std::min(output.find_first_not_of("\r\n"), output.size());
  output.remove_prefix(begin);
  return std::string(output.substr(0, output.find_first_of("\r\n")));
}

Result<ClientEnd> run_client_to_end(const std::vector<std::string>& argv,
                                    const Deadline& deadline) {
  Finished finished = HF_TRY(finish_client(argv, deadline, Speech::kPlain));
  const std::optional<int> code = finished.report.stages.front().exit_code;
  // Everything else that succeeded() asks for still has to hold.
  if (code) finished.report.stages.front().exit_code = 0;
  if (!code || !finished.report.succeeded()) return client_failed(argv.front(), finished.report);
  return ClientEnd{.code = *code, .output = std::move(finished.output)};
}

}  // namespace holdfast::authority
