// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/adopted_streams.h"

#include "os/stream/pipe.h"

namespace holdfast::run {

std::string AdoptedStreams::open(const SessionRecord& record, const os::Handle& command,
                                 const os::Dir& dir, const Clock& clock) {
  if (!record.order.log && !record.order.idle_timeout) return "";
  if (!command.valid() || !record.command) return "the command had ended before";
  if (record.order.log) {
    auto log = LogFile::go_on(dir, clock, record.order.log_max, record.log_bytes, record.log_lost);
    if (!log) return to_sentence(log.error());
    log_.emplace(*std::move(log));
  }
  std::string why;
  for (const int descriptor : {1, 2}) {
    auto pipe = os::reopen_pipe(os::Pid{record.command->pid}, command, descriptor);
    if (pipe && *pipe) {
      const LogStream which = record.order.pty  ? LogStream::kMixed
                              : descriptor == 1 ? LogStream::kStdout
                                                : LogStream::kStderr;
      relays_.emplace_back(**std::move(pipe), std::nullopt, log(), which);
    } else {
      why = pipe ? "the command prints to something else by now" : to_sentence(pipe.error());
    }
  }
  return relays_.empty() ? why : "";
}

void AdoptedStreams::add_handles(std::vector<const os::Handle*>& readable) const {
  std::vector<const os::Handle*> none;
  for (const Relay& relay : relays_) relay.add_handles(readable, none);
}

bool AdoptedStreams::round() {
  bool came = false;
  for (Relay& relay : relays_) came = relay.round() || came;
  return came;
}

void AdoptedStreams::take_rest() {
  for (Relay& relay : relays_) relay.take_rest();
}

}  // namespace holdfast::run
