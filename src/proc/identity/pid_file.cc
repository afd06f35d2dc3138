// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving is the reason why pid files kill strangers: 4711 is written, 4711 ends,
// 4711 is a database now, `kill $(cat pidfile)`. So the number is pinned, its start is read from
// the pinned process, and that start must be the one of the process that was meant.
#include "proc/identity/pid_file.h"

#include "os/file/metadata.h"
#include "os/machine/machine_id.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"

namespace holdfast::proc {
namespace {

LifeVerdict pid_file_unknown(const char* why) { return {.life = Life::kUnknown, .evidence = why}; }
LifeVerdict pid_file_dead(const char* proof) { return {.life = Life::kDead, .evidence = proof}; }

WallTime booted_at(const Clock& clock) { return clock.wall() - clock.boot().time_since_epoch(); }

// What the file's own time says against it; nothing: it is from this boot.
std::optional<LifeVerdict> judge_time_of_file(const PidFileClaim& claim, const Clock& clock) {
  if (claim.written > clock.wall() + kWriteMargin) return pid_file_unknown("future-file");
  if (claim.written + kWriteMargin < booted_at(clock)) return pid_file_unknown("before-boot");
  return std::nullopt;
}

// Of a process that is pinned and lives: is it the one? Its life is kLive, without a pidfd.
LifeVerdict judge_start(const PidFileClaim& claim, std::uint64_t start, const Clock& clock) {
  const auto ticks = claim.start_ticks ? claim.start_ticks : claim.text->start_ticks;
  if (!ticks && !claim.started_after) return pid_file_unknown("no-evidence");
  if (auto against = judge_time_of_file(claim, clock)) return std::move(*against);
  if (ticks && *ticks != start) return pid_file_dead("recycled");
  if (claim.started_after) {
    const WallTime began = booted_at(clock) + os::clock_tick() * static_cast<std::int64_t>(start);
    if (began > claim.written + kWriteMargin) return pid_file_unknown("started-later");
    if (began + os::clock_tick() < *claim.started_after) return pid_file_unknown("started-earlier");
  }
  return {.life = Life::kLive, .evidence = "running"};
}

std::unexpected<Error> foreign_user(os::Pid pid, std::uint32_t uid) {
  return fail({.code = ErrorCode::kRefused,
               .op = "rely on a pid file for",
               .subject = "process " + std::to_string(os::number(pid)),
               .cause = "foreign-user",
               .detail = "it belongs to user " + std::to_string(uid) +
                         ", and a pid file is too little for that; nothing was signalled"});
}

}  // namespace

Result<PidFileVerdict> judge_pid_file(const PidFileClaim& claim, const Clock& clock) {
  PidFileVerdict answer;
  if (!claim.text) {
    answer.verdict = pid_file_unknown("no-pid");
    return answer;
  }
  answer.identity.pid = os::Pid{claim.text->pid};
  if (claim.text->host && *claim.text->host != os::host_name()) {
    answer.verdict = pid_file_unknown("other-host");
    return answer;
  }
  auto pinned = pin(answer.identity.pid);
  if (!pinned) {
    if (pinned.error().code != ErrorCode::kCannotTell) return fail(std::move(pinned).error());
    answer.verdict = pid_file_unknown(pinned.error().cause.c_str());
    return answer;
  }
  if (!*pinned) {
    answer.verdict = pid_file_dead("no-such-process");
    return answer;
  }
  answer.identity = (*pinned)->identity;
  answer.verdict = judge_start(claim, answer.identity.start, clock);
  if (answer.verdict.life != Life::kLive) return answer;
  if (answer.identity.uid != os::own_uid()) {
    return foreign_user(answer.identity.pid, answer.identity.uid);
  }
  answer.verdict.pidfd = std::move((*pinned)->pidfd);
  return answer;
}

}  // namespace holdfast::proc
