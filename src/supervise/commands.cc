// SPDX-License-Identifier: Apache-2.0
#include "supervise/commands.h"

#include <algorithm>

#include "os/stream/pipe.h"
#include "os/watch/poll.h"

namespace holdfast::supervise {

// Each child, at its gate, still holds copies of the gates of those before it. Should this process
// be killed now, the last one's gate closes, it exits, and so on down to the first.
Result<> Commands::spawn(const TreeRequest& request, os::NativeHandle output,
                         const os::SignalState& signals, os::NativeHandle cgroup) {
  os::Handle from_previous;
  for (std::size_t i = 0; i < request.commands.size(); ++i) {
    const bool first = i == 0;
    const bool last = i + 1 == request.commands.size();
    os::Pipe to_next;
    if (!last) to_next = HF_TRY(os::make_pipe());
    os::Spawned spawned = HF_TRY(os::spawn({
        .argv = request.commands[i],
        .stdin_from = first ? request.stdin_from : os::StdinFrom::kHandle,
        .input = first ? request.input : from_previous.get(),
        .stdout_to = last ? request.stdout_to : os::StdoutTo::kHandle,
        .output = last ? output : to_next.write_end.get(),
        .stderr_to = request.stderr_to,
        .errors = request.errors,
        .session = request.session,
        .directory = request.directory,
        .environment = request.environment,
        .environment_without = request.environment_without,
        .inherit = request.inherit,
        .signals = signals,
        .cgroup = cgroup,
        .own_pid_namespace = request.own_pid_namespace,
    }));
    all_.push_back({.spawned = std::move(spawned)});
    all_.back().facts.pid = all_.back().spawned.child().pid;
    from_previous = std::move(to_next.read_end);
  }
  return {};
}

Result<> Commands::release() {
  for (One& one : all_) HF_TRY(one.spawned.release());
  return {};
}

std::vector<const os::Handle*> Commands::start_handles() const {
  std::vector<const os::Handle*> handles;
  for (const One& one : all_) {
    if (!one.start_known) handles.push_back(&one.spawned.start_handle());
  }
  return handles;
}

Result<> Commands::take_starts() {
  Result<> result;
  for (One& one : all_) {
    if (auto taken = take_start(one); !taken && result) result = std::move(taken);
  }
  return result;
}

Result<> Commands::take_start(One& one) {
  if (one.start_known) return {};
  if (!one.facts.end) {
    const auto ready = os::is_readable(one.spawned.start_handle());
    if (!ready || !*ready) return {};
  }
  // Once the child has ended nobody holds the other end of the pipe, so this cannot block; without
  // the answer, a failed start would look like the command's own 125.
  auto failure = one.spawned.read_start();
  one.start_known = true;
  one.facts.start_failure = HF_TRY(std::move(failure));
  return {};
}

std::vector<const os::Handle*> Commands::outcome_handles() const {
  std::vector<const os::Handle*> handles;
  each_living([&](const os::OwnChild& child) {
    if (child.outcome.valid()) handles.push_back(&child.outcome);
  });
  return handles;
}

void Commands::take_outcomes() {
  for (One& one : all_) {
    const os::OwnChild& child = one.spawned.child();
    if (one.facts.end || !child.outcome.valid()) continue;
    const auto readable = os::is_readable(child.outcome);
    if (!readable || !*readable) continue;
    if (auto said = os::read_outcome(child); said && *said) one.facts.end = **said;
  }
}

// What the init of a namespace said of its command counts; its own end is what is known where it
// had no time to say anything.
void Commands::note_end(const os::ChildEnd& end) {
  take_outcomes();
  for (One& one : all_) {
    if (!one.facts.end && one.facts.pid == end.pid) one.facts.end = end;
  }
}

bool Commands::all_started() const {
  return std::ranges::all_of(
      all_, [](const One& one) { return one.start_known && !one.facts.start_failure; });
}

bool Commands::all_ended() const {
  return std::ranges::all_of(all_, [](const One& one) { return one.facts.end.has_value(); });
}

bool Commands::pointless() const {
  const auto cannot_start = [](const One& one) { return one.facts.start_failure.has_value(); };
  return std::ranges::any_of(all_, cannot_start) && std::ranges::any_of(all_, [&](const One& one) {
           return !one.facts.end && !cannot_start(one);
         });
}

void Commands::signal_living(int signal) const {
  each_living([&](const os::OwnChild& child) {
    const auto sent = child.signal(signal);
    static_cast<void>(sent);  // gone or not permitted: the sender's own kill would not say more
  });
}

std::vector<CommandFacts> Commands::facts() const {
  std::vector<CommandFacts> facts;
  facts.reserve(all_.size());
  for (const One& one : all_) facts.push_back(one.facts);
  return facts;
}

}  // namespace holdfast::supervise
