// SPDX-License-Identifier: Apache-2.0
//
// LockHooks: what holds a lock does around its command. Before the command runs, the record
// names it as the work that the lock is for. While it runs, a lease is renewed; a lease that is
// lost is told, and the command's tree is ended where that was asked for.
//
// Sequence: hand it to run_wrapped or run_tree; then tell(), lost(), and release or leave the lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/reporter.h"
#include "base/result.h"
#include "lock/grant/backend.h"
#include "lock/grant/lease_watch.h"
#include "runtime/buffered_events.h"
#include "supervise/caller_hooks.h"

namespace holdfast::run {

enum class OnLost : std::uint8_t { kTerm, kNotify, kIgnore };

class LockHooks final : public supervise::CallerHooks {
 public:
  // All must outlive it. The lock is held.
  LockHooks(Reporter& reporter, const Clock& clock, lock::Lock& lock,
            runtime::BufferedEvents& events, OnLost on_lost);

  Result<> born(const supervise::Born& born) override;
  void started() override;
  [[nodiscard]] std::optional<BootTime> next_tick() const override;
  Wish tick() override;

  // How it was lost: "renew" (it is another's by now), "no-renewal" (it could not be renewed in
  // time). Nothing: it was not.
  [[nodiscard]] const std::optional<std::string>& lost() const { return lost_; }
  // Says so, and puts it on record, where that has not been done while the command ran.
  void tell();

 private:
  Wish lose(std::string how, std::string why);

  Reporter& reporter_;
  const Clock& clock_;
  lock::Lock& lock_;
  runtime::BufferedEvents& events_;
  OnLost on_lost_;
  std::optional<lock::LeaseWatch> lease_;
  std::optional<std::string> lost_;
  std::string why_lost_;
  bool told_ = false;
};

}  // namespace holdfast::run
