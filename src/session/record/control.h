// SPDX-License-Identifier: Apache-2.0
//
// Control: how a supervisor is asked for something: the FIFO `control` in the session's directory.
//
//   auto control = HF_TRY(Control::make(dir));          // the supervisor; poll control.handle()
//   for (const SessionRequest& asked : HF_TRY(control.read_requests()).requests) …
//
//   HF_TRY(ask(dir, request))                           // anybody else of the same user
//
// Guarantee: neither side ever waits for the other. What cannot be understood is counted, and does
// no harm. read_requests takes what fits into the FIFO at most, however fast somebody writes.
//
// Limits: a FIFO proves nothing: kAsked says that somebody reads it, not that it is the supervisor,
// nor that it will do what was asked. Whoever must know watches the record (session/record/watch.h) and
// falls back on the supervisor's identity. What was asked of a supervisor that died unread is gone.
//
// Errors: os/stream/pipe.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/session/session_request.h"
#include "os/dir/dir.h"
#include "os/sys/handle.h"

namespace holdfast::session {

struct Requests {
  std::vector<SessionRequest> requests;
  std::uint64_t ignored = 0;  // lines that are no request
};

class Control {
 public:
  // 0600. An old one of ours is removed first.
  static Result<Control> make(const os::Dir& session_dir);

  // Readable when somebody has asked.
  [[nodiscard]] const os::Handle& handle() const { return handle_; }
  // All that was asked since the last call; never waits.
  [[nodiscard]] Result<Requests> read_requests();

 private:
  explicit Control(os::Handle handle) : handle_(std::move(handle)) {}

  os::Handle handle_;
  std::string unfinished_;  // a line whose end has not come yet
  bool skipping_ = false;   // it was too long: all up to its end is ignored
};

// Removes the FIFO at the end, so that nobody takes a dead session for one that listens.
Result<> remove_control(const os::Dir& session_dir);

enum class Asked : std::uint8_t { kAsked, kNobodyListens };
Result<Asked> ask(const os::Dir& session_dir, const SessionRequest& request);

}  // namespace holdfast::session
