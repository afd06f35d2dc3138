// SPDX-License-Identifier: Apache-2.0
//
// What `wait` answers to what it sees. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "format/session/session_record.h"
#include "loop/series/series_status.h"
#include "session/record/view.h"

namespace holdfast::loop {

struct WaitReply {
  int code = 0;
  bool of_command = false;  // it is the command's own
  std::optional<Error> error{};
};

// nullopt: it is not decided yet. Without `wanted` the end is waited for.
std::optional<WaitReply> wait_reply(const session::SessionView& view,
                                    std::optional<SessionState> wanted);

// The same for a session that may be a part of a series: the end is that of the series. While it
// goes on, every state can still come. `view` is nullopt before the first iteration.
std::optional<WaitReply> wait_reply(const std::optional<session::SessionView>& view,
                                    const SeriesStatus& series, std::optional<SessionState> wanted);

WaitReply wait_refusal(ErrorCode code, std::string_view name, std::string_view cause,
                       std::string detail);

}  // namespace holdfast::loop
