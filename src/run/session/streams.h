// SPDX-License-Identifier: Apache-2.0
//
// Streams: what a run's command reads and prints.
//
//   stdin    the caller's; a file (--stdin); nothing for a detached run
//   output   through two pipes to the log and on to the caller's own stdout and stderr; straight to
//            them without a log; to the log alone for a detached run; to nothing at all for a
//            detached run without a log
//   --pty    all three are a terminal of its own; what is typed goes there (run/session/keyboard.h), and
//            what it prints goes to the log and to the caller's stdout
//
// Sequence: open → fill into the request → spawned() once the command has its ends → the handles,
// round() → take_rest() when all who could print are gone → is_blocked(), show().
#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/file/file.h"
#include "os/stream/pipe.h"
#include "os/stream/terminal.h"
#include "run/session/log_file.h"
#include "run/session/order.h"
#include "run/session/relay.h"
#include "supervise/tree_request.h"

namespace holdfast::run {

class Streams {
 public:
  Streams() = default;
  Streams(const Streams&) = delete;  // the relays know where the log is
  Streams& operator=(const Streams&) = delete;
  ~Streams() = default;

  // `dir` is the session's, which keeps the log; null for a run without a name, which has none. It
  // must outlive this.
  // `pty` is the command's own terminal, where it is to have one; else null.
  Result<> open(const RunOrder& order, const Clock& clock, const os::Dir* dir, os::Pty* pty);
  void fill(supervise::TreeRequest& request) const;
  void spawned() { writing_ends_.clear(); }

  void add_handles(std::vector<const os::Handle*>& readable,
                   std::vector<const os::Handle*>& writable) const;
  // True: something was printed.
  bool round();
  void take_rest();
  [[nodiscard]] bool is_blocked() const;
  void show();

  // Null where there is none.
  [[nodiscard]] LogFile* log() { return log_ ? &*log_ : nullptr; }
  [[nodiscard]] std::optional<Error> not_shown() const;
  // Whether anybody sees here that the command prints.
  [[nodiscard]] bool are_watched() const { return !relays_.empty(); }

 private:
  Result<> open_terminal(const RunOrder& order, const Clock& clock, const os::Dir* dir,
                         os::Pty& pty);
  Result<os::NativeHandle> relay(std::optional<os::Stream> to, LogStream which);

  std::optional<os::File> input_;
  std::optional<LogFile> log_;
  std::vector<os::Handle> writing_ends_;
  std::vector<Relay> relays_;
  supervise::TreeRequest filled_;
};

}  // namespace holdfast::run
