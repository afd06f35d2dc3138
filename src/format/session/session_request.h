// SPDX-License-Identifier: Apache-2.0
//
// SessionRequest: what a supervisor is asked for, as one line of JSON in its FIFO.
//
//   {"v":1,"ask":"stop","grace_ms":10000,"signal":15,"by":"holdfast stop, pid 4711"}\n
//
// At most kMaxSessionRequestBytes with the newline, so that the kernel keeps it in one piece; `by`,
// which is for people, is cut to fit. Decoding: kCorrupt, cause `bad-session-request`; a newer
// version or another `ask` is kCannotTell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast {

// End the session. There is nothing else to ask for yet.
struct SessionRequest {
  static constexpr std::int64_t kVersion = 1;

  std::optional<Duration> grace{};  // between `signal` and KILL; none: the session's own
  std::optional<int> signal{};      // none: the session's own
  std::string by{};                 // who asks, for the record

  bool operator==(const SessionRequest&) const = default;
};

inline constexpr std::size_t kMaxSessionRequestBytes = 4096;

std::string encode_session_request(const SessionRequest& request);
// `line` without its newline.
Result<SessionRequest> decode_session_request(std::string_view line);

}  // namespace holdfast
