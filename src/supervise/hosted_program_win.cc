// SPDX-License-Identifier: Apache-2.0
//
// The note is `HOLDFAST_SUPERVISE=order,report,news`: the values of three inherited handles.
#include <array>
#include <charconv>

#include "os/file/file.h"
#include "os/spawn/env.h"
#include "os/spawn/inherited.h"
#include "os/spawn/program.h"
#include "os/spawn/spawn.h"
#include "supervise/hosted_program.h"
#include "supervise/pass_signals.h"
#include "supervise/report_bytes.h"
#include "supervise/shim.h"

namespace holdfast::supervise {
namespace {

constexpr const char* kNote = "HOLDFAST_SUPERVISE";
constexpr std::size_t kMaxOrder = std::size_t{1} << 24U;

class Process final : public ShimHost::Running {
 public:
  explicit Process(os::Pid pid) : pid_(pid) {}
  Result<os::ChildEnd> wait() override { return os::reap_child(pid_); }

 private:
  os::Pid pid_;
};

std::unexpected<Error> bad_note() {
  return fail({.code = ErrorCode::kRefused,
               .op = "supervise",
               .subject = kNote,
               .cause = "bad-note",
               .detail = "this variable is holdfast's own; nothing was started"});
}

std::optional<std::array<std::uint64_t, 3>> numbers_of(std::string_view text) {
  std::array<std::uint64_t, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (bad != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const bool last = i + 1 == numbers.size();
    if (last != text.empty()) return std::nullopt;
    if (last) break;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

Result<ShimHost> host_program(const HostedProgram& program, const os::SignalState& signals,
                              SupervisorPipes& pipes) {
  os::Pipe order = HF_TRY(os::make_pipe());
  auto self = os::own_program_path();
  if (!self) return fail(self.error());
  std::vector<std::string> argv;
  argv.push_back(*std::move(self));
  argv.insert(argv.end(), program.argv.begin(), program.argv.end());
  const std::array ends{order.read_end.get(), pipes.report.write_end.get(),
                        pipes.news.write_end.get()};
  os::SpawnRequest request;
  request.argv = std::move(argv);
  std::string note(kNote);
  for (const os::NativeHandle end : ends) {
    note.append(note == kNote ? "=" : ",").append(std::to_string(end));
  }
  request.environment.push_back(std::move(note));
  request.inherit = {ends.begin(), ends.end()};
  request.signals = signals;
  os::Handle nothing;
  if (program.in_background) {
    nothing = HF_TRY(os::open_nothing());
    request.stdin_from = os::StdinFrom::kNothing;
    request.stdout_to = os::StdoutTo::kHandle;
    request.output = nothing.get();
    request.stderr_to = os::StderrTo::kHandle;
    request.errors = nothing.get();
    request.session = os::SpawnSession::kNew;
  }
  os::Spawned spawned = HF_TRY(os::spawn(request));
  HF_TRY(spawned.release());
  order.read_end.reset();
  pipes.report.write_end.reset();
  pipes.news.write_end.reset();
  os::File to(std::move(order.write_end), "the order");
  const auto sent = to.write_all(program.order);
  static_cast<void>(sent);  // it is gone: the end of the report's pipe says so
  const os::Pid pid = spawned.child().pid;
  os::OwnChild child{.pid = pid, .pidfd = HF_TRY(os::copy_handle(spawned.child().pidfd.get()))};
  return ShimHost(std::move(child), std::make_unique<Process>(pid));
}

Result<std::optional<Hosted>> hosted() {
  const auto note = os::env(kNote);
  if (!note) return std::optional<Hosted>();
  HF_TRY(os::take_env_away(kNote));
  const auto numbers = numbers_of(*note);
  if (!numbers) return bad_note();
  auto report = os::adopt_handed_over((*numbers)[1]);
  auto news = os::adopt_handed_over((*numbers)[2]);
  auto order = os::adopt_handed_over((*numbers)[0]);
  if (!report || !news || !order) return bad_note();
  Hosted found{.order = {}, .report = std::move(*report), .news = std::move(*news)};
  auto text = os::read_pipe_to_end(*order, kMaxOrder);
  if (!text) return fail(text.error());
  found.order = *std::move(text);
  return std::optional(std::move(found));
}

void be_hosted(const Clock& clock, Hosted hosted, const SupervisorWork& work) {
  os::File report_file(std::move(hosted.report), "report");
  try {
    const auto signals = HeldSignals::hold();
    TreeReport done;
    if (signals) {
      done = work(signals->state(), std::move(hosted.news));
    } else {
      done.fault = signals.error();
      done.ended = clock.wall();
      done.empty = true;
    }
    const auto sent = report_file.write_all(to_bytes(done));
    os::exit_process(sent ? 0 : kNoReport);
  } catch (...) {
    os::exit_process(end_all(clock) ? kEndedInNeed : kNoReport);
  }
}

}  // namespace holdfast::supervise
