// SPDX-License-Identifier: Apache-2.0
#include "run/session/streams.h"

#include <algorithm>

#include "base/cause.h"
#include "base/path_text.h"
#include "os/dir/dir.h"
#include "os/path/safe_name.h"

namespace holdfast::run {
namespace {

// A person named it, so the directories above may be links; the file is a plain one.
Result<os::File> open_input(const std::string& path) {
  const std::string_view above = parent_path(path);
  const os::Dir dir =
      HF_TRY(os::Dir::open_following_links(std::string(above.empty() ? "." : above)));
  const auto name = HF_TRY(os::SafeName::make(last_component(path)));
  auto file = HF_TRY(dir.open_file(name, os::Access::kRead));
  if (file) return std::move(*file);
  return fail({.code = ErrorCode::kNotFound,
               .op = "read stdin from",
               .subject = path,
               .cause = cause::kEnoent,
               .detail = "there is no such file; nothing was started"});
}

}  // namespace

Result<> Streams::open(const RunOrder& order, const Clock& clock, const os::Dir* dir,
                       os::Pty* pty) {
  const bool back = order.ground == Ground::kBack;
  if (pty != nullptr) return open_terminal(order, clock, dir, *pty);
  if (order.what.stdin_path) {
    input_ = HF_TRY(open_input(*order.what.stdin_path));
    filled_.stdin_from = os::StdinFrom::kHandle;
    filled_.input = input_->native();
  } else if (back) {
    filled_.stdin_from = os::StdinFrom::kNothing;
  }
  filled_.stdout_to = order.stdout_to;
  if (dir != nullptr && order.what.log)
    log_ = HF_TRY(LogFile::create(*dir, clock, order.what.log_max));
  // Nobody has to listen: the caller's own streams, which are /dev/null for a detached run.
  if (!log_ && !order.what.idle_timeout) return {};
  relays_.reserve(2);
  const auto shown = [&](os::Stream stream) { return back ? std::nullopt : std::optional(stream); };
  const bool all_to_stderr = order.stdout_to == os::StdoutTo::kStderr;
  filled_.output =
      HF_TRY(relay(shown(all_to_stderr ? os::Stream::kErr : os::Stream::kOut), LogStream::kStdout));
  filled_.stdout_to = os::StdoutTo::kHandle;
  filled_.errors = HF_TRY(relay(shown(os::Stream::kErr), LogStream::kStderr));
  filled_.stderr_to = os::StderrTo::kHandle;
  return {};
}

Result<> Streams::open_terminal(const RunOrder& order, const Clock& clock, const os::Dir* dir,
                                os::Pty& pty) {
  if (dir != nullptr && order.what.log)
    log_ = HF_TRY(LogFile::create(*dir, clock, order.what.log_max));
  std::optional<os::StreamWriter> writer;
  const bool all_to_stderr = order.stdout_to == os::StdoutTo::kStderr;
  if (order.ground == Ground::kFore) {
    auto opened = os::StreamWriter::open(all_to_stderr ? os::Stream::kErr : os::Stream::kOut);
    if (opened) writer.emplace(std::move(*opened));
  }
  filled_.stdin_from = os::StdinFrom::kHandle;
  filled_.stdout_to = os::StdoutTo::kHandle;
  filled_.stderr_to = os::StderrTo::kHandle;
  filled_.input = filled_.output = filled_.errors = pty.slave.get();
  filled_.session = os::SpawnSession::kNewWithTerminal;
  writing_ends_.push_back(std::move(pty.slave));
  relays_.emplace_back(std::move(pty.master), std::move(writer), log_ ? &*log_ : nullptr);
  return {};
}

Result<os::NativeHandle> Streams::relay(std::optional<os::Stream> to, LogStream which) {
  os::Pipe pipe = HF_TRY(os::make_pipe());
  std::optional<os::StreamWriter> writer;
  if (to) {
    // A stream that cannot be written to is one that nobody reads.
    if (auto opened = os::StreamWriter::open(*to)) writer.emplace(std::move(*opened));
  }
  // With a record, the command outlives a supervisor that is killed: it must not die of the pipe.
  writing_ends_.push_back(log_ ? os::unbreakable_end(std::move(pipe.write_end))
                               : std::move(pipe.write_end));
  relays_.emplace_back(std::move(pipe.read_end), std::move(writer), log_ ? &*log_ : nullptr, which);
  return writing_ends_.back().get();
}

void Streams::fill(supervise::TreeRequest& request) const {
  request.stdin_from = filled_.stdin_from;
  request.input = filled_.input;
  request.stdout_to = filled_.stdout_to;
  request.output = filled_.output;
  request.stderr_to = filled_.stderr_to;
  request.errors = filled_.errors;
  if (filled_.session != os::SpawnSession::kKeep) request.session = filled_.session;
}

void Streams::add_handles(std::vector<const os::Handle*>& readable,
                          std::vector<const os::Handle*>& writable) const {
  for (const Relay& relay : relays_) relay.add_handles(readable, writable);
}

bool Streams::round() {
  bool came = false;
  for (Relay& relay : relays_) came = relay.round() || came;
  return came;
}

void Streams::take_rest() {
  for (Relay& relay : relays_) relay.take_rest();
}

bool Streams::is_blocked() const {
  return std::ranges::any_of(relays_, [](const Relay& relay) { return relay.is_blocked(); });
}

std::optional<Error> Streams::not_shown() const {
  for (const Relay& relay : relays_) {
    if (relay.not_shown()) return relay.not_shown();
  }
  return std::nullopt;
}

void Streams::show() {
  for (Relay& relay : relays_) relay.show();
}

}  // namespace holdfast::run
