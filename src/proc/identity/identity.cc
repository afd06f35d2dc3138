// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: we are asked for process 42, it ends, its number goes to another, and
// half of what we read is about the one and half about the other. So the number is pinned first; as
// long as the pinned process has not ended, all that was read under its number was about it.
#include "proc/identity/identity.h"
#include "base/cause.h"

#include <atomic>
#include <memory>
#include <string>

#include "os/file/metadata.h"
#include "os/machine/machine_id.h"
#include "os/machine/namespaces.h"
#include "os/process/pid.h"
#include "os/process/pidfd.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {
namespace {

// Published once and never changed or freed: a reader on another thread may still look at it. After
// a fork, what the parent knew stays reachable behind what the child knows.
struct Known {
  std::int64_t mark;
  Identity identity;
  const Known* before;
};
std::atomic<const Known*> g_known{nullptr};

std::string path_of(os::Pid pid, const char* name) {
  return "/proc/" + std::to_string(os::number(pid)) + "/" + name;
}

// Where a number and a start time count that this process reads.
Result<Identity> read_place() {
  Identity place;
  place.boot = HF_TRY(os::boot_id());
  place.machine = HF_TRY(os::machine_id());
  const os::Namespaces own = HF_TRY(os::own_namespaces());
  place.pidns = own.pid;
  place.timens = own.time;
  return place;
}

// The same; from memory where this process knows itself already.
Result<Identity> own_place() {
  const Known* known = g_known.load(std::memory_order_acquire);
  if (known == nullptr || known->mark != os::process_mark()) return read_place();
  const Identity& own = known->identity;
  Identity place;
  place.boot = own.boot;
  place.machine = own.machine;
  place.pidns = own.pidns;
  place.timens = own.timens;
  return place;
}

// nullopt: no such process. "May not look" is an error, also where the kernel words it "not there".
Result<std::optional<ProcessFacts>> read_facts(os::Pid pid, const os::Handle& pidfd) {
  auto facts = read_process(pid);
  if (facts && *facts) return facts;
  if (!facts && !says_hidden(facts.error())) return facts;
  const bool there = pidfd.valid() ? !HF_TRY(os::has_ended(pidfd)) : HF_TRY(os::pid_in_use(pid));
  if (!there) return std::optional<ProcessFacts>();
  return fail({.code = ErrorCode::kCannotTell,
               .op = "look at",
               .subject = path_of(pid, "stat"),
               .cause = "hidepid",
               .detail = "the process exists, but /proc does not show it to this user"});
}

}  // namespace

Result<Identity> read_own_identity() {
  Identity own = HF_TRY(read_place());
  own.pid = os::own_pid();  // not /proc's own: that counts in the pid namespace of this /proc
  own.start = HF_TRY(own_start_ticks());
  own.uid = os::own_uid();
  const PinnedNumber pinned = HF_TRY(pin_number(own.pid));
  if (pinned.pidfd.valid()) own.pidfs = HF_TRY(os::pidfs_inode(pinned.pidfd));
  return own;
}

Result<Identity> own_identity() {
  const std::int64_t mark = os::process_mark();
  const Known* known = g_known.load(std::memory_order_acquire);
  if (known != nullptr && known->mark == mark) return known->identity;
  auto fresh = std::make_unique<Known>(mark, HF_TRY(read_own_identity()), known);
  const Identity own = fresh->identity;
  // A thread that was quicker has read the same; its copy stands.
  if (g_known.compare_exchange_strong(known, fresh.get(), std::memory_order_release)) {
    // NOLINTNEXTLINE(bugprone-unused-return-value): g_known owns it now
    fresh.release();
  }
  return own;
}

Result<std::optional<Pinned>> pin(os::Pid pid) {
  HF_TRY(check_proc());
  Pinned found{.identity = HF_TRY(read_place()), .pidfd = {}};
  PinnedNumber number = HF_TRY(pin_number(pid));
  if (number.nobody) return std::optional<Pinned>();
  found.pidfd = std::move(number.pidfd);
  const bool pinned = found.pidfd.valid();

  const auto facts = HF_TRY(read_facts(pid, found.pidfd));
  if (!facts) return std::optional<Pinned>();
  const auto status = HF_TRY(read_status(pid));
  if (!status || status->process != pid) return std::optional<Pinned>();
  found.identity.pid = pid;
  found.identity.start = facts->start_ticks;
  found.identity.uid = status->uid;
  if (pinned) found.identity.pidfs = HF_TRY(os::pidfs_inode(found.pidfd));

  // Only now is it known that all of this was about one process.
  if (pinned) {
    if (HF_TRY(os::has_ended(found.pidfd))) return std::optional<Pinned>();
  } else {
    const auto again = HF_TRY(read_facts(pid, found.pidfd));
    const bool same = again && again->start_ticks == facts->start_ticks;
    if (!same || again->is_zombie()) return std::optional<Pinned>();
  }
  return found;
}

Result<std::optional<Identity>> identity_of(os::Pid pid) {
  const auto pinned = HF_TRY(pin(pid));
  if (!pinned) return std::optional<Identity>();
  return std::optional(pinned->identity);
}

Result<std::optional<Identity>> identity_of_child(os::Pid child) {
  HF_TRY(check_proc());
  Identity found = HF_TRY(own_place());
  const PinnedNumber number = HF_TRY(pin_number(child));
  if (number.nobody) return std::optional<Identity>();
  const auto facts = HF_TRY(read_facts(child, number.pidfd));
  if (!facts || facts->is_zombie()) return std::optional<Identity>();
  found.pid = child;
  found.start = facts->start_ticks;
  found.uid = os::own_uid();
  if (number.pidfd.valid()) found.pidfs = HF_TRY(os::pidfs_inode(number.pidfd));
  return std::optional(found);
}

Result<PinnedNumber> pin_number(os::Pid pid) {
  if (os::number(pid) <= 0) return PinnedNumber{.pidfd = {}, .nobody = true};
  auto opened = os::open_pidfd(pid);
  if (opened) {
    const bool nobody = !opened->has_value();
    return PinnedNumber{.pidfd = nobody ? os::Handle() : std::move(**opened), .nobody = nobody};
  }
  const std::string& cause = opened.error().cause;
  if (cause == cause::kEmfile || cause == cause::kEnfile || cause == cause::kEnomem) {
    return fail(std::move(opened).error());
  }
  // An old kernel, a filter; or the number of a thread that is no process (EINVAL, ENOENT), which
  // whoever looks into /proc next will see.
  return PinnedNumber{};
}

bool says_hidden(const Error& error) {
  return error.cause == cause::kEacces || error.cause == cause::kEperm;
}

}  // namespace holdfast::proc
