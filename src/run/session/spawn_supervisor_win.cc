// SPDX-License-Identifier: Apache-2.0
#include "base/path_text.h"
#include "run/orphan/adopt.h"
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
               .detail = "whoever counts this run cannot do so for a detached one on Windows"});
}

// What the caller of the other start would have typed, as far as it matters: which home, and words
// that make it come here. The name is only looked at.
std::vector<std::string> words_for(const Services& services, const RunOrder& order) {
  const std::string home(parent_path(services.sessions->dir().path()));
  return {"run", "--home", home, "--name", *order.name, "--", "holdfast"};
}

Result<std::unique_ptr<RunGuard>> guard_of(const Services& services, const std::string& note) {
  if (note.empty()) return std::unique_ptr<RunGuard>();
  if (services.guard_of) return services.guard_of(note);
  return fail({.code = ErrorCode::kInternal,
               .op = "supervise",
               .subject = "a detached run",
               .cause = "no-guard",
               .detail = "nobody here can read who has a say in it; nothing was started"});
}

Result<supervise::TreeReport> run_hosted_order(const Services& services, std::string_view bytes,
                                               const os::SignalState& signals, os::Handle news) {
  HostedOrder decoded = HF_TRY(decode_hosted_order(bytes));
  const auto guard = HF_TRY(guard_of(services, decoded.guard));
  const Services mine{.clock = services.clock,
                      .events = services.events,
                      .sessions = services.sessions,
                      .locks = services.locks,
                      .chain = std::move(decoded.chain),
                      .guard = guard.get()};
  return SessionRun(mine, decoded.order, signals, std::move(news)).run();
}

[[noreturn]] void supervise_here(const Services& services, supervise::Hosted hosted) {
  const std::string bytes = std::move(hosted.order);
  supervise::be_hosted(services.clock, std::move(hosted),
                       [&](const os::SignalState& signals, os::Handle news) {
                         auto done = run_hosted_order(services, bytes, signals, std::move(news));
                         if (done) return *std::move(done);
                         supervise::TreeReport report;
                         report.fault = std::move(done).error();
                         report.ended = services.clock.wall();
                         report.empty = true;
                         return report;
                       });
}

}  // namespace

bool guards_are_in_a_copy() { return false; }
bool adoption_is_offered() { return false; }

Result<std::optional<Started>> spawn_supervisor(const Services& services, const RunOrder& order) {
  auto hosted = HF_TRY(supervise::hosted());
  if (hosted) supervise_here(services, std::move(*hosted));
  if (order.ground != Ground::kBack) return std::optional<Started>();
  const std::string note = services.guard != nullptr ? services.guard->note() : std::string();
  const bool untold = services.guard != nullptr && note.empty();
  if (untold || services.sessions == nullptr || !order.name) return unsupported(order);
  const supervise::HostedProgram program{.argv = words_for(services, order),
                                         .order = encode_hosted_order(order, services.chain, note),
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
