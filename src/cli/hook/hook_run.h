// SPDX-License-Identifier: Apache-2.0
//
// HookRun: one command under --hook: on record before it does anything, and its answer made into
// one that the host understands.
//
// Guarantees: `hook.started` is in the journal before the command begins, so that a hook which its
// host has killed leaves a trace: a start without an end. Where it cannot be recorded, the command
// does not run. An answer is allowed only after `hook.allowed` is on stable storage; where that
// cannot be recorded, it blocks.
//
// Sequence: begin(); where it succeeded, the command; end() with its answer, once. `hook.started`
// and `hook.ended` have the same `id`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/event.h"
#include "base/id128.h"
#include "base/result.h"
#include "cli/frame/common_options.h"
#include "cli/frame/console.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

// What blocks, in the words of the hosts.
inline constexpr int kHookBlocks = 2;

struct HookAnswer {
  int code = 0;
  bool commands_own = false;  // whose code it is
  std::string cause{};        // of holdfast's own; empty: none was told
};

class HookRun {
 public:
  // All of them must outlive it.
  HookRun(const CommonOptions& options, runtime::Runtime& runtime, std::string_view command)
      : options_(options), runtime_(runtime), clock_(runtime.clock()), command_(command) {}

  // Errors: the journal's, or that no home can be found.
  Result<> begin();
  // The exit status. What could not be recorded is said on stderr.
  int end(Console& console, const HookAnswer& answer);

 private:
  Result<> record(std::string_view type, EventData data);
  [[nodiscard]] EventData facts() const;
  bool allow(Console& console, const HookAnswer& answer);
  static bool unanswered(const HookAnswer& answer);

  const CommonOptions& options_;
  runtime::Runtime& runtime_;
  const Clock& clock_;
  std::string_view command_;
  std::optional<Id128> id_{};  // none: it could not be begun
  MonoTime begun_{};
};

// The same for a line that could not be read to its end, or a fault: nothing is on record, and so
// nothing is allowed.
constexpr int hook_status(int code) { return code == 0 ? 0 : kHookBlocks; }

}  // namespace holdfast::cli
