// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_wait.h"

#include <array>

#include "os/signal/signals.h"
#include "os/watch/boot_timer.h"
#include "os/watch/poll.h"
#include "session/record/watch.h"
#include "supervise/pass_signals.h"

namespace holdfast::loop {
namespace {

Result<std::optional<int>> asked_to_end(os::SignalInbox& inbox) {
  std::optional<int> asked;
  for (;;) {
    const auto signal = HF_TRY(inbox.next());
    if (!signal) return asked;
    if (os::asks_to_end(signal->number)) asked = signal->number;
  }
}

}  // namespace

Result<std::optional<int>> pause_until(const Clock& clock, BootTime moment) {
  const auto held = HF_TRY(supervise::HeldSignals::hold());
  auto inbox = HF_TRY(os::SignalInbox::open());
  auto timer = HF_TRY(os::BootTimer::create());
  HF_TRY(timer.set(moment));
  while (clock.boot() < moment) {
    HF_TRY(os::wait_readable({&inbox.handle(), &timer.handle()}, std::nullopt));
    const auto asked = HF_TRY(asked_to_end(inbox));
    if (asked) return asked;
  }
  return std::nullopt;
}

Result<std::optional<int>> wait_for_change(const Clock& clock, const session::SessionDir& dir,
                                           BootTime moment) {
  const auto held = HF_TRY(supervise::HeldSignals::hold());
  auto inbox = HF_TRY(os::SignalInbox::open());
  auto timer = HF_TRY(os::BootTimer::create());
  HF_TRY(timer.set(moment));
  session::Watch watch = session::Watch::open(dir);
  // Whoever changes it from here on wakes us; what has changed before, we see now.
  const auto record = HF_TRY(dir.read());
  if (record) watch.follow(*record);
  if (!record || is_final(record->state) || clock.boot() >= moment) return std::nullopt;
  const std::array<const os::Handle*, 2> also{&inbox.handle(), &timer.handle()};
  HF_TRY(watch.wait(std::nullopt, also));
  return asked_to_end(inbox);
}

}  // namespace holdfast::loop
