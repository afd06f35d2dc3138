// SPDX-License-Identifier: Apache-2.0
//
// GcHome: what a clean-up needs of the home and of the program: its sessions, locks and journal,
// and a flag that a signal raises.
#pragma once

#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "cli/session/run_home.h"
#include "gc/options.h"
#include "loop/step/step_store.h"
#include "os/signal/signal_flag.h"
#include "runtime/home.h"

namespace holdfast::cli {

class GcHome {
 public:
  // Made where it is missing. The context and the clock must outlive it.
  static Result<std::unique_ptr<GcHome>> open(Context& context, const Clock& clock);

  [[nodiscard]] gc::Services services();
  [[nodiscard]] RunHome& run() { return *run_; }
  // nullopt: no step was ever used.
  [[nodiscard]] Result<std::optional<loop::StepStore>> steps() const;

  GcHome(Context& context, const Clock& clock, Home home, std::unique_ptr<RunHome> run,
         os::SignalFlag signals)
      : context_(context),
        clock_(clock),
        home_(std::move(home)),
        run_(std::move(run)),
        signals_(std::move(signals)) {}

 private:
  [[nodiscard]] Result<gc::ClaimOn> claims() const;

  Context& context_;
  const Clock& clock_;
  Home home_;
  std::unique_ptr<RunHome> run_;
  os::SignalFlag signals_;
};

}  // namespace holdfast::cli
