// SPDX-License-Identifier: Apache-2.0
#include "session/record/control.h"

#include <array>
#include <string_view>

#include "os/stream/pipe.h"
#include "session/record/layout.h"

namespace holdfast::session {
namespace {

// What a FIFO of the kernel holds. Who writes faster than that is heard at the next call.
constexpr std::size_t kMostPerCall = std::size_t{64} * 1024;

static_assert(kMaxSessionRequestBytes <= os::kMostAtOnce);

}  // namespace

Result<Control> Control::make(const os::Dir& session_dir) {
  return Control(HF_TRY(os::make_fifo(session_dir, control_name())));
}

Result<Requests> Control::read_requests() {
  Requests found;
  std::array<char, kMaxSessionRequestBytes> buffer{};
  for (std::size_t taken = 0; taken < kMostPerCall;) {
    const std::size_t got = HF_TRY(os::take_from(handle_, buffer));
    if (got == 0) break;
    taken += got;
    for (const char c : std::string_view(buffer.data(), got)) {
      if (c != '\n') {
        if (unfinished_.size() < kMaxSessionRequestBytes) {
          unfinished_.push_back(c);
        } else {
          skipping_ = true;
        }
        continue;
      }
      if (unfinished_.empty()) continue;
      auto request = decode_session_request(unfinished_);
      if (request && !skipping_) {
        found.requests.push_back(*std::move(request));
      } else {
        ++found.ignored;
      }
      unfinished_.clear();
      skipping_ = false;
    }
  }
  return found;
}

Result<> remove_control(const os::Dir& session_dir) {
  HF_TRY(session_dir.remove_file(control_name()));
  return {};
}

// The newline in front ends what a writer that died may have left unfinished.
Result<Asked> ask(const os::Dir& session_dir, const SessionRequest& request) {
  const auto put =
      HF_TRY(os::put_into(session_dir, control_name(), "\n" + encode_session_request(request)));
  return put == os::Put::kPut ? Asked::kAsked : Asked::kNobodyListens;
}

}  // namespace holdfast::session
