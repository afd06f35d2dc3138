// SPDX-License-Identifier: Apache-2.0
#include "base/path_text.h"
#include "run/session/final_state.h"
#include "run/session/guard.h"
#include "run/session/hosted_order.h"
#include "run/session/session_run.h"
#include "run/session/spawn_supervisor.h"
#include "supervise/hosted_program.h"

namespace holdfast::run {
namespace {

std::unexpected<Error> unsupported(const RunOrder& order) {
  return fail({.code = ErrorCode::kRefused,
               .op = "start",
               .subject = "'" + order.what.command.front() + "'",
               .cause = "unsupported",
               .detail = "a step or an item of a loop cannot be detached on Windows"});
}

// What the caller of the other start would have typed, as far as it matters: which home, and words
// that make it come here. The name is only looked at.
std::vector<std::string> words_for(const Services& services, const RunOrder& order) {
  const std::string home(parent_path(services.sessions->dir().path()));
  return {"run", "--home", home, "--name", *order.name, "--", "holdfast"};
}

[[noreturn]] void supervise_here(const Services& services, supervise::Hosted hosted) {
  const std::string bytes = std::move(hosted.order);
  supervise::be_hosted(services.clock, std::move(hosted),
                       [&](const os::SignalState& signals, os::Handle news) {
                         supervise::TreeReport report;
                         auto decoded = decode_hosted_order(bytes);
                         if (!decoded) {
                           report.fault = std::move(decoded).error();
                           report.ended = services.clock.wall();
                           report.empty = true;
                           return report;
                         }
                         const Services mine{.clock = services.clock,
                                             .events = services.events,
                                             .sessions = services.sessions,
                                             .locks = services.locks,
                                             .chain = std::move(decoded->chain)};
                         return SessionRun(mine, decoded->order, signals, std::move(news)).run();
                       });
}

}  // namespace

bool guards_are_in_a_copy() { return false; }
bool detached_runs_have_guards() { return false; }

Result<std::optional<Started>> spawn_supervisor(const Services& services, const RunOrder& order) {
  auto hosted = HF_TRY(supervise::hosted());
  if (hosted) supervise_here(services, std::move(*hosted));
  if (order.ground != Ground::kBack) return std::optional<Started>();
  if (services.guard != nullptr || services.sessions == nullptr || !order.name) {
    return unsupported(order);
  }
  const supervise::HostedProgram program{.argv = words_for(services, order),
                                         .order = encode_hosted_order(order, services.chain),
                                         .in_background = true};
  const supervise::Supervised supervised = HF_TRY(
      supervise::run_hosted(services.clock, supervise::Await::kNews,
                            [&](const os::SignalState& signals, supervise::SupervisorPipes& pipes) {
                              return supervise::host_program(program, signals, pipes);
                            }));
  Started started{
      .report = {}, .supervisor = supervised.supervisor, .asked_to_end = supervised.asked_to_end};
  if (supervised.report) started.report = to_run_report(*supervised.report);
  return std::optional(std::move(started));
}

}  // namespace holdfast::run
