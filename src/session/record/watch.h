// SPDX-License-Identifier: Apache-2.0
//
// Watch: sleeps until something about a session may have changed: a file in its directory, the end
// of its supervisor, or, where that is gone, the end of its command or of all in its cgroup.
//
//   Watch watch = Watch::open(dir);
//   for (;;) {
//     watch.follow(*HF_TRY(dir.read()));        // first: whoever ends from here on wakes it
//     const auto view = HF_TRY(look(dir));      // after opening, and after every wake-up
//     …
//     HF_TRY(watch.wait(limit, also));
//   }
//
// Nothing is polled where the kernel can tell. Where it cannot (no watches left, no pidfd, a
// supervisor in another namespace) wait() comes back each
// kLookAgain, and `polls()` says so.
//
// Limit: it only wakes, also for nothing. Platform: Linux only.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/session/session_record.h"
#include "os/sys/handle.h"
#include "os/watch/watch.h"
#include "proc/tree/cgroup.h"
#include "session/record/store.h"

namespace holdfast::session {

inline constexpr std::chrono::milliseconds kLookAgain{1000};

class Watch {
 public:
  static Watch open(const SessionDir& dir);

  // Whose end shall wake: those whom `record` names, as far as they live and can be pinned.
  void follow(const SessionRecord& record);
  // Returns when something happened, when one of `also` is readable, or when `limit` has passed.
  [[nodiscard]] Result<> wait(std::optional<std::chrono::milliseconds> limit,
                              std::span<const os::Handle* const> also = {});

  // The same for who sleeps over several: what wakes, and what is to be done behind each wake-up.
  // Where it polls(), the sleep is at most kLookAgain.
  void add_handles(std::vector<const os::Handle*>& handles) const;
  [[nodiscard]] Result<> woken();

  // Why it looks again each second; empty where it does not.
  [[nodiscard]] const std::string& polls() const { return polls_; }

 private:
  Watch() = default;
  void follow_group(const SessionRecord& record,
                    const std::function<void(const std::string&)>& note);

  std::optional<os::DirWatch> files_;
  os::Handle supervisor_;
  os::Handle command_;
  std::optional<proc::CgroupTree> group_;
  std::string no_files_;  // why the directory is not watched
  std::string polls_;
};

}  // namespace holdfast::session
