// SPDX-License-Identifier: Apache-2.0
//
// StatusLine: a line on the caller's terminal that says how a run stands: how long it has run, when
// its deadline is, when it last printed something. It is renewed each second and leaves no trace.
//
// It is for a caller whose stderr is a terminal and whose stdout goes elsewhere; where the command
// prints to the terminal itself, its own output is the better sign of life.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/watch/boot_timer.h"
#include "run/session/order.h"
#include "supervise/front_end.h"

namespace holdfast::run {

class StatusLine final : public supervise::CallerIo {
 public:
  // Both must outlive it. Without a timer there is no line.
  StatusLine(const Services& services, const RunOrder& order);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() override;

  void begin() override;
  void add_handles(std::vector<const os::Handle*>& readable,
                   std::vector<const os::Handle*>& writable) const override;
  void round() override;

  // The text alone, for at most `columns`.
  [[nodiscard]] std::string text(std::size_t columns) const;

 private:
  [[nodiscard]] std::optional<Duration> silent_for() const;

  const Services& services_;
  const RunOrder& order_;
  BootTime begun_;
  BootTime due_;
  std::optional<os::BootTimer> timer_;
  bool shown_ = false;
};

}  // namespace holdfast::run
