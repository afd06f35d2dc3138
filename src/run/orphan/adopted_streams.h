// SPDX-License-Identifier: Apache-2.0
//
// AdoptedStreams: what an adopted command prints, taken from the pipes that its dead supervisor had
// made, and its log, gone on with.
//
// The pipes have no name. They are opened anew through the descriptors 1 and 2 of the command, as
// far as those are still the ones it was started with (os/stream/pipe.h); where the command has put
// something else in their place, they are left alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/session/session_record.h"
#include "os/dir/dir.h"
#include "os/sys/handle.h"
#include "run/session/log_file.h"
#include "run/session/relay.h"

namespace holdfast::run {

class AdoptedStreams {
 public:
  AdoptedStreams() = default;
  AdoptedStreams(const AdoptedStreams&) = delete;  // the relays know where the log is
  AdoptedStreams& operator=(const AdoptedStreams&) = delete;
  ~AdoptedStreams() = default;

  // `command` is pinned and proven. Returns why the log does not go on; empty: it does, or none was
  // wanted. Without a log the pipes are watched for an idle limit alone.
  std::string open(const SessionRecord& record, const os::Handle& command, const os::Dir& dir,
                   const Clock& clock);

  void add_handles(std::vector<const os::Handle*>& readable) const;
  // True: something was printed.
  bool round();
  void take_rest();
  [[nodiscard]] bool are_watched() const { return !relays_.empty(); }
  [[nodiscard]] LogFile* log() { return log_ ? &*log_ : nullptr; }

 private:
  std::optional<LogFile> log_;
  std::vector<Relay> relays_;
};

}  // namespace holdfast::run
