// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the record says 4711, which ended long ago; the number has gone to a
// stranger. Without more, that stranger would be taken for the holder and waited for. What tells
// them apart is time: nobody writes a number into a file before the process with that number has
// started. So the number is pinned, its start is read from the pinned process, and compared with
// the last write to the file.
#include "lock/ledger/foreign.h"

#include <algorithm>
#include <array>
#include <utility>

#include "format/lock/foreign_lock.h"
#include "lock/grant/identity.h"
#include "os/lock/lock_holders.h"
#include "os/machine/machine_id.h"
#include "os/machine/namespaces.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "proc/identity/identity.h"
#include "proc/tree/process_table.h"

namespace holdfast::lock {
namespace {

// Ticks, the time from the look at one clock to that at the other, and slewing.
constexpr Duration kSlack = std::chrono::seconds(2);

WallTime started_at(const proc::ProcessFacts& facts, const Clock& clock) {
  const WallTime booted = clock.wall() - clock.boot().time_since_epoch();
  return booted + os::clock_tick() * static_cast<std::int64_t>(facts.start_ticks);
}

ForeignClaim claim_of(ForeignClaim::Kind kind, HolderView holder, std::string_view evidence) {
  holder.evidence = evidence;
  return {.kind = kind, .holder = std::move(holder)};
}

// The process that has the number, which counts here as far as is known.
Result<ForeignClaim> judge_number(os::Pid pid, HolderView holder, WallTime written,
                                  const Clock& clock) {
  using Kind = ForeignClaim::Kind;
  proc::PinnedNumber pinned = HF_TRY(proc::pin_number(pid));
  if (pinned.nobody) return claim_of(Kind::kDead, std::move(holder), "no-such-process");
  if (const auto proc = proc::check_proc(); !proc) {
    return claim_of(Kind::kUnknown, std::move(holder), proc.error().cause);
  }
  const auto facts = proc::read_process(pid);
  const bool pins = pinned.pidfd.valid();
  if (pins && HF_TRY(os::has_ended(pinned.pidfd))) {
    return claim_of(Kind::kDead, std::move(holder), "pidfd-ended");
  }
  // It exists and may not be looked at: it may be the one.
  if (!facts || (!*facts && pins)) return claim_of(Kind::kUnknown, std::move(holder), "hidepid");
  if (!*facts) return claim_of(Kind::kDead, std::move(holder), "no-such-process");
  if ((*facts)->is_zombie()) return claim_of(Kind::kDead, std::move(holder), "zombie");
  if (started_at(**facts, clock) > written + kSlack) {
    return claim_of(Kind::kDead, std::move(holder), "recycled");
  }
  holder.command = proc::program_of(pid);
  ForeignClaim claim = claim_of(Kind::kLive, std::move(holder), "foreign-record");
  claim.pidfd = std::move(pinned.pidfd);
  return claim;
}

// The kernel names who took the flock, also after that one has ended; who has inherited the
// descriptor holds it then. Of several the one that started first: its children come and go.
std::optional<proc::Pinned> oldest_heir(const os::FileId& id) {
  std::optional<proc::Pinned> oldest;
  for (const os::Pid pid : os::byte_holders(id, 0)) {
    auto pinned = proc::pin(pid);
    if (!pinned || !*pinned) continue;
    if (!oldest || (*pinned)->identity.start < oldest->identity.start) oldest = *std::move(*pinned);
  }
  return oldest;
}

std::optional<os::Pid> named_holder(const os::FileId& id) {
  const auto found = os::flock_holder(id);
  return found && *found ? (*found)->pid : std::nullopt;
}

// Whoever holds it is asked for again while it is pinned: it is this one, and not one that came
// after it.
std::optional<proc::Pinned> pinned_holder(const os::FileId& id) {
  if (const auto pid = named_holder(id)) {
    auto pinned = proc::pin(*pid);
    if (!pinned) return std::nullopt;
    if (*pinned) return named_holder(id) == pid ? std::move(*pinned) : std::nullopt;
  }
  auto heir = oldest_heir(id);
  if (!heir) return std::nullopt;
  const auto holders = os::byte_holders(id, 0);
  const bool holds = std::ranges::find(holders, heir->identity.pid) != holders.end();
  return holds ? std::move(heir) : std::nullopt;
}

}  // namespace

Result<ForeignClaim> judge_foreign_claim(const os::File& sidecar, const Clock& clock) {
  using Kind = ForeignClaim::Kind;
  // Nearly always it is empty, and this is all.
  std::array<char, 1> first{};
  if (HF_TRY(sidecar.read_into(0, first)) == 0) return ForeignClaim{};
  const std::string bytes = HF_TRY(sidecar.read_at(0, kMaxForeignLock + 1));
  const ForeignLock found = read_foreign_lock(bytes);
  HolderView holder{.state = LockState::kHeld,
                    .pid = std::nullopt,
                    .host = found.host.value_or(""),
                    .since = found.since,
                    .reason = "",
                    .command = "",
                    .foreign = true,
                    .evidence = ""};
  switch (found.kind) {
    case ForeignLock::Kind::kNone:
    case ForeignLock::Kind::kUnrecognised:
      return ForeignClaim{};
    case ForeignLock::Kind::kUnusable:
      return claim_of(Kind::kUnknown, std::move(holder), "no-pid");
    case ForeignLock::Kind::kNumber:
    case ForeignLock::Kind::kJson:
      break;
  }
  // Containers have host names of their own, so this also keeps most numbers of other pid
  // namespaces apart.
  if (found.host && *found.host != os::host_name()) {
    return claim_of(Kind::kUnknown, std::move(holder), "other-host");
  }
  holder.pid = found.pid;
  // A copy may carry an old time of its own; the record may know better.
  const WallTime modified = HF_TRY(sidecar.info()).modified;
  const WallTime written = found.since ? std::max(modified, *found.since) : modified;
  ForeignClaim claim = HF_TRY(judge_number(os::Pid{found.pid}, std::move(holder), written, clock));
  // In a container a bare number may well count outside, where it cannot be looked up.
  const bool may_count_elsewhere =
      !found.host && HF_TRY(proc::own_identity()).pidns != os::kInitialPidNamespace;
  if (claim.kind == Kind::kDead && may_count_elsewhere)
    return claim_of(Kind::kUnknown, std::move(claim.holder), "other-pid-namespace");
  return claim;
}

HolderView foreign_holder(const os::File& sidecar) {
  HolderView view{.state = LockState::kHeld,
                  .pid = std::nullopt,
                  .host = "",
                  .since = std::nullopt,
                  .reason = "",
                  .command = "",
                  .foreign = true,
                  .evidence = "flock"};
  const auto info = sidecar.info();
  if (!info) return view;
  const auto found = os::flock_holder(info->id);
  std::optional<os::Pid> pid;
  if (found && *found) pid = (*found)->pid;
  // In another pid namespace than the machine's the kernel names nobody whose taker has ended.
  bool has_ended = !pid;
  if (pid) {
    const auto taker = proc::pin(*pid);
    has_ended = taker && !*taker;
  }
  if (has_ended) {
    if (const auto heir = oldest_heir(info->id)) pid = heir->identity.pid;
  }
  if (!pid) {
    if (found && *found) view.evidence = "another pid namespace";
    return view;
  }
  view.pid = os::number(*pid);
  view.command = proc::program_of(*pid);
  return view;
}

Result<std::optional<Duration>> foreign_seen_for(Ledger& ledger, const os::File& sidecar,
                                                 const Clock& clock) {
  const auto holder = pinned_holder(HF_TRY(sidecar.info()).id);
  if (!holder) return std::nullopt;

  const Guard guard = HF_TRY(ledger.guard());
  const std::uint64_t generation = HF_TRY(ledger.read(guard)).record.generation;
  std::array<char, kForeignSeenBytes> bytes{};
  const std::size_t got = HF_TRY(ledger.file().read_into(kForeignSeenOffset, bytes));
  const auto before = decode_foreign_seen({bytes.data(), got});
  if (!before && before.error().code == ErrorCode::kCannotTell) return fail(before.error());

  const std::int64_t now = clock.boot().time_since_epoch().count();
  ForeignSeen seen{.holder = to_record(holder->identity),
                   .first_seen_boot_ns = now,
                   .last_seen_boot_ns = now,
                   .generation = generation};
  // The identity has the boot and the time namespace in it. Damage: it begins anew.
  if (before && *before && (*before)->holder == seen.holder &&
      (*before)->generation == generation && (*before)->first_seen_boot_ns <= now) {
    seen.first_seen_boot_ns = (*before)->first_seen_boot_ns;
  }
  encode(seen, bytes.data());
  HF_TRY(ledger.file().write_at(kForeignSeenOffset, {bytes.data(), bytes.size()}));
  return Duration(now - seen.first_seen_boot_ns);
}

}  // namespace holdfast::lock
