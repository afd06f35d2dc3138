// SPDX-License-Identifier: Apache-2.0
#include "run/session/owner.h"

#include <utility>

#include "format/session/outcome.h"
#include "os/process/pidfd.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::run {
namespace {

std::unexpected<Error> not_watched(const ProcessIdentity& owner, ErrorCode code,
                                   std::string_view cause, std::string detail) {
  return fail({.code = code,
               .op = "bind the run to",
               .subject = "process " + std::to_string(owner.pid),
               .cause = std::string(cause),
               .detail = std::move(detail) + "; nothing was started"});
}

}  // namespace

Result<Owner> Owner::watch(const ProcessIdentity& owner) {
  proc::LifeVerdict verdict = proc::judge(proc::from_record(owner));
  if (verdict.life == proc::Life::kDead) {
    return not_watched(owner, ErrorCode::kNotFound, reason::kOwnerGone,
                       "it has ended (" + verdict.evidence + ")");
  }
  if (verdict.life == proc::Life::kUnknown) {
    return not_watched(owner, ErrorCode::kCannotTell, "owner-unknown",
                       "whether it lives cannot be told (" + verdict.evidence + ")");
  }
  if (!verdict.pidfd.valid()) {
    return not_watched(owner, ErrorCode::kCannotTell, "owner-unknown",
                       "this kernel has no pidfds, so its end could not be seen");
  }
  return Owner(std::move(verdict.pidfd), owner.pid);
}

bool Owner::has_ended() const { return os::has_ended(pidfd_).value_or(false); }

SessionAsked Owner::asked() const {
  return {.by = "the end of its owner, process " + std::to_string(pid_)};
}

Error owner_gone(const std::string& command) {
  return {.code = ErrorCode::kBusy,
          .op = "start",
          .subject = "'" + command + "'",
          .cause = std::string(reason::kOwnerGone),
          .detail = "its owner has ended before it had begun; nothing was started"};
}

}  // namespace holdfast::run
