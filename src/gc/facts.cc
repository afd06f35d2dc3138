// SPDX-License-Identifier: Apache-2.0
#include "gc/facts.h"

#include <algorithm>
#include <limits>

#include "os/machine/real_clock.h"
#include "session/record/view.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

// A run has no moment of the boot clock but the start of its supervisor. Its end was later, so this
// may say too much; the wall clock may have been stepped. The smaller one is never too much unless
// both are, by a step forward after a run that lasted long: then it is old in any case.
Duration age_of_run(const SessionRecord& record, const BootMoment& now, WallTime wall) {
  BootMoment born{.boot = record.supervisor.boot,
                  .timens = record.supervisor.timens,
                  .machine = record.supervisor.machine};
  // A number that no clock has ever shown is as late, and so as young, as can be.
  if (__builtin_mul_overflow(record.supervisor.start, os::clock_tick().count(), &born.boot_ns)) {
    born.boot_ns = std::numeric_limits<std::int64_t>::max();
  }
  const WallTime end = record.ended.value_or(record.created);
  Duration::rep by_wall = 0;
  if (__builtin_sub_overflow(wall.time_since_epoch().count(), end.time_since_epoch().count(),
                             &by_wall)) {
    by_wall = 0;
  }
  return std::min(std::max(Duration(by_wall), Duration::zero()), session::age_of(born, now));
}

// While a workspace is being made, its maker holds its lock, and gc does nothing without that lock.
// So of one that is reserved, an attachment without a process, which lasts until `detach`, is that
// of a maker who died over it.
bool is_attached(const WorkspaceRecord& record) {
  if (record.attached.empty()) return false;
  const auto there = session::attached_now(record).there;
  if (record.state != WorkspaceState::kReserved) return !there.empty();
  return std::ranges::any_of(there, [](const Attachment& one) { return one.process.has_value(); });
}

Duration quiet_for(const WorkspaceRecord& record, const RunFacts& run, const BootMoment& now) {
  const Duration since_renewed = session::age_of(record.renewed, now);
  return run.now == RunNow::kNone ? since_renewed : std::min(since_renewed, run.age);
}

bool is_over(const session::SessionView& view) { return is_final(view.state); }

}  // namespace

RunFacts facts_of_run(const session::SessionDir& dir, const BootMoment& now, WallTime wall) {
  const auto view = session::look(dir);
  if (!view) return {.now = RunNow::kUnknown};
  if (!*view) return {};
  const SessionRecord& record = (*view)->record;
  RunFacts look{.id = record.run, .number = record.number, .created = record.created};
  look.now = !(*view)->known ? RunNow::kUnknown : is_over(**view) ? RunNow::kOver : RunNow::kGoing;
  look.age = age_of_run(record, now, wall);
  look.settled = is_final(record.state);
  return look;
}

bool is_ttl_held(const WorkspaceRecord& record, const RunFacts& run) {
  return !record.attached.empty() || (run.now != RunNow::kNone && !run.settled);
}

Claim claim_on(const Result<ClaimOn>& claims, const session::SessionDir& dir) {
  if (!claims) return {.known = false};
  const auto by = (*claims)(dir);
  if (!by) return {.known = false};
  return {.by = by->value_or("")};
}

Facts facts_of(const WorkspaceRecord& record, const RunFacts& run, Claim claim,
               const BootMoment& now, bool below) {
  Facts facts;
  facts.state = record.state;
  facts.ended = record.state == WorkspaceState::kEnded;
  facts.has_ttl = record.ttl.has_value();
  facts.ttl_passed =
      record.ttl && !is_ttl_held(record, run) && quiet_for(record, run, now) > *record.ttl;
  facts.attached = below || is_attached(record);
  facts.has_authority = record.authority.has_value();
  facts.run = run.now;
  facts.claim = std::move(claim);
  facts.age = session::age_of(record.born, now);
  return facts;
}

std::string unreadable(const Error& error) {
  if (error.code == ErrorCode::kCorrupt) return "corrupt-record";
  if (error.code == ErrorCode::kCannotTell) return "newer-record";
  return error.cause.empty() ? "unreadable" : error.cause;
}

}  // namespace holdfast::gc
