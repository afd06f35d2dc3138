// SPDX-License-Identifier: Apache-2.0
//
// What a clean-up is asked to do, what it needs for that, and what it says of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authority/ask.h"
#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "format/session/gc_plan.h"
#include "lock/grant/backend.h"
#include "os/dir/dir.h"
#include "os/lock/blocked_wait.h"
#include "session/record/store.h"

namespace holdfast::gc {

inline constexpr Duration kGrace = std::chrono::minutes(5);
inline constexpr Duration kTrashFor = std::chrono::hours(24);
inline constexpr Duration kRescueTimeout = std::chrono::minutes(5);

struct Options {
  Duration grace = kGrace;
  std::optional<std::uint64_t> keep{};  // so many of the newest dead ones stay
  std::optional<Duration> max_age{};    // only dead ones that are older go
  Duration trash_for = kTrashFor;       // zero: removed at once
  bool allow_all = false;               // lifts the brake
  std::vector<std::string> allow{};     // lifts it for these: a kind, or as `Braked` names them
  bool runs = false;                    // also sessions without a workspace
  std::vector<GcProbe> probes{};
  Duration probe_timeout = authority::kProbeTimeout;
  std::optional<std::string> rescue{};
  Duration rescue_timeout = kRescueTimeout;
};

// Who still counts on what a run left in a workspace's directory, as a word (`series`, `loop`,
// `step`); nullopt: nobody.
using ClaimOn =
    std::function<Result<std::optional<std::string>>(const session::SessionDir& session)>;

// All must outlive the clean-up.
struct Services {
  const session::SessionStore& sessions;
  const os::Dir& home;
  lock::LockBackend& locks;
  EventSink& events;
  const Clock& clock;
  const os::Flag& stop;  // raised: end between two entries
  // Reads the claims as they are now (loop/intent/claims.h); nothing here knows what a loop is.
  std::function<Result<ClaimOn>()> claims{};
  std::function<void(std::string_view what, std::uint64_t done, std::uint64_t total)> progress{};
  // Whom it waits for as long as what is returned lives; may be empty.
  std::function<std::shared_ptr<void>(std::string_view whom)> waiting{};
  // Also removes control groups of the whole machine whose supervisor is dead (dead_groups.h).
  bool dead_groups = false;

  void tell(std::string_view what, std::uint64_t done, std::uint64_t total) const {
    if (progress) progress(what, done, total);
  }
  [[nodiscard]] std::shared_ptr<void> wait_for(std::string_view whom) const {
    return waiting ? waiting(whom) : nullptr;
  }
};

struct Line {
  std::string name{};
  std::string reason{};
};

// An authority that did not answer as it must: nothing of its workspaces was judged.
struct Skipped {
  std::string authority{};  // "podman local", or the command of --probe
  std::string reason{};
  std::string detail{};
};

struct Braked {
  std::string authority{};
  std::string reason{};     // `none-seen` or `most-gone`
  std::uint64_t gone = 0;   // workspaces that it does not know
  std::uint64_t known = 0;  // of so many
};

struct Report {
  Id128 plan_id{};
  std::vector<Line> removed{};
  std::vector<Line> kept{};
  std::vector<Line> failed{};
  std::vector<Line> unknown{};
  std::vector<Skipped> skipped{};
  std::vector<Braked> braked{};
  std::vector<std::string> warnings{};  // what went wrong and stopped nothing
  std::uint64_t purged = 0;             // workspaces of the trash
  std::uint64_t retired = 0;            // ledgers of idle locks
  std::uint64_t lapsed = 0;             // records of steps that decide nothing any more
  bool interrupted = false;
};

}  // namespace holdfast::gc
