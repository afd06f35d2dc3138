// SPDX-License-Identifier: Apache-2.0
//
// A final record is written while the name is still held, for some microseconds, or as long as its
// supervisor is busy with the end. Who waited for that record and begins the next run would find
// the name taken; so over a final record the name is waited for.
#include "run/name_lock.h"

namespace holdfast::run {
namespace {

constexpr Duration kOverPatience = std::chrono::seconds(10);

Result<bool> is_over(const session::SessionStore& sessions, const std::string& name) {
  const auto dir = HF_TRY(sessions.find(name));
  if (!dir) return false;
  const auto record = HF_TRY(dir->read());
  return record && is_final(record->state);
}

}  // namespace

std::string name_lock_of(const std::string& session) { return "session:" + session; }

Result<std::unique_ptr<lock::Lock>> take_name(lock::LockBackend& locks,
                                              const session::SessionStore& sessions,
                                              const std::string& name, const std::string& command) {
  auto lock = HF_TRY(locks.open({.kind = lock::LockId::Kind::kNamed, .text = name_lock_of(name)}));
  lock::AcquireRequest request;
  request.command = command;
  lock::AcquireOutcome outcome = HF_TRY(lock->acquire(request));
  if (!outcome.granted() && HF_TRY(is_over(sessions, name))) {
    request.wait = kOverPatience;
    outcome = HF_TRY(lock->acquire(request));
  }
  if (outcome.granted()) return lock;
  std::string holder = "its supervisor lives";
  if (outcome.holder.pid) holder = "it runs as process " + std::to_string(*outcome.holder.pid);
  return fail({.code = ErrorCode::kBusy,
               .op = "run a session as",
               .subject = "'" + name + "'",
               .cause = "session-live",
               .detail = holder + "; `holdfast show " + name + "` tells more, `holdfast stop " +
                         name + "` ends it; nothing was started"});
}

}  // namespace holdfast::run
