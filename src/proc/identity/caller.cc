// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: we read who our parent is, it ends, and its number goes to a stranger
// before it is pinned. So we ask again behind the pin: a pinned process that is still named as our
// parent is our parent.
#include "proc/identity/caller.h"

#include <algorithm>
#include <optional>

#include "base/cause.h"
#include "os/process/pidfd.h"
#include "os/process/proc_fs.h"
#include "proc/tree/process_table.h"
#include "proc/tree/run_id_scan.h"

namespace holdfast::proc {
namespace {

constexpr int kMaxTries = 8;
constexpr std::size_t kParentMaxDepth = 4096;

std::unexpected<Error> no_parent(const char* cause, const char* why) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find",
               .subject = "the parent process",
               .cause = cause,
               .detail = why});
}

Result<os::Pid> parent_number() {
  const auto self = HF_TRY(read_process(os::own_pid()));
  if (self) return self->parent;
  return no_parent("no-proc", "/proc does not show this process");
}

constexpr int kOwnerMaxDepth = 64;
constexpr int kMaxWalks = 8;

std::unexpected<Error> no_owner(std::string subject, const char* why) {
  return fail({.code = ErrorCode::kUsage,
               .op = "find the process that owns what this call takes",
               .subject = std::move(subject),
               .cause = cause::kNoOwner,
               .detail = std::string(why) + "; name the owner, in a shell with --owner $$; nothing "
                                            "was taken"});
}

std::string named(os::Pid pid) { return "process " + std::to_string(os::number(pid)); }

// One rung of the ladder: a process and, but for the caller itself, its pin.
struct Rung {
  ProcessFacts facts;
  std::optional<Pinned> pinned;
};

// nullopt: it has ended.
Result<std::optional<ProcessFacts>> facts_now(const std::optional<Pinned>& pinned) {
  if (!pinned) return read_process(os::own_pid());
  auto facts = HF_TRY(read_process(pinned->identity.pid));
  if (pinned->pidfd.valid()) {
    if (HF_TRY(os::has_ended(pinned->pidfd))) return std::optional<ProcessFacts>();
  } else if (facts && facts->start_ticks != pinned->identity.start) {
    return std::optional<ProcessFacts>();
  }
  return facts;
}

// nullopt: somebody has ended or moved meanwhile.
Result<std::optional<Rung>> step_up(const Rung& child) {
  const os::Pid parent = child.facts.parent;
  Rung up;
  up.pinned = HF_TRY(pin(parent));
  if (!up.pinned) return std::optional<Rung>();
  const auto again = HF_TRY(facts_now(child.pinned));
  if (!again || again->parent != parent) return std::optional<Rung>();
  auto facts = HF_TRY(facts_now(up.pinned));  // read last: it had not ended when its child named it
  if (!facts) return std::optional<Rung>();
  up.facts = std::move(*facts);
  return up;
}

// A parent in another session has not forked this one, unless this one left its session itself.
bool merely_adopted(const ProcessFacts& child, const ProcessFacts& parent) {
  return parent.session != child.session && child.session != child.pid;
}

// nullopt: begin anew.
Result<std::optional<Pinned>> walk() {
  const auto self = HF_TRY(facts_now(std::nullopt));
  if (!self) return std::optional<Pinned>();
  Rung child{.facts = *self, .pinned = {}};
  for (int depth = 0; depth < kOwnerMaxDepth; ++depth) {
    const os::Pid parent = child.facts.parent;
    if (parent == os::Pid{0}) return no_owner("", "the caller is outside this pid namespace");
    if (parent == os::Pid{1}) return no_owner(named(parent), "it never ends, or has adopted us");
    auto up = HF_TRY(step_up(child));
    if (!up) return std::optional<Pinned>();
    if (merely_adopted(child.facts, up->facts)) {
      return no_owner(named(parent), "it has only adopted us: our own parent is gone");
    }
    if (!up->facts.forked_only) return std::move(up->pinned);
    child = std::move(*up);
  }
  return no_owner("", "there are too many forks above");
}

// nullopt: begin anew. What was read of a rung was about it if it has not ended afterwards.
Result<std::optional<bool>> look_up(const Pinned& owner,
                                    const std::function<bool(std::string_view)>& has) {
  auto pinned = HF_TRY(pin(owner.identity.pid));
  if (!pinned || !(pinned->identity == owner.identity)) return std::optional(false);
  auto facts = HF_TRY(facts_now(pinned));
  if (!facts) return std::optional(false);
  Rung rung{.facts = std::move(*facts), .pinned = std::move(pinned)};
  for (int depth = 0; depth < kOwnerMaxDepth; ++depth) {
    const auto environment = environment_of(rung.facts.pid);
    if (!HF_TRY(facts_now(rung.pinned))) return std::optional<bool>();
    if (environment && *environment && has(**environment)) return std::optional(true);
    if (rung.facts.parent == os::Pid{0}) break;
    auto up = HF_TRY(step_up(rung));
    if (!up) return std::optional<bool>();
    rung = std::move(*up);
  }
  return std::optional(false);
}

}  // namespace

Result<Pinned> parent_process() {
  HF_TRY(check_proc());
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const os::Pid parent = HF_TRY(parent_number());
    if (parent == os::Pid{0}) {
      return no_parent("other-pid-namespace", "it is outside this pid namespace");
    }
    auto pinned = HF_TRY(pin(parent));
    if (pinned && HF_TRY(parent_number()) == parent) return std::move(*pinned);
  }
  return no_parent("parent-changed", "the processes above come and go");
}

std::vector<os::Pid> ancestors_of(os::Pid pid) {
  std::vector<os::Pid> found;
  while (found.size() < kParentMaxDepth) {
    const auto facts = read_process(found.empty() ? pid : found.back());
    if (!facts || !*facts) break;
    const os::Pid parent = (*facts)->parent;
    if (parent == os::Pid{0} || std::ranges::find(found, parent) != found.end()) break;
    found.push_back(parent);
  }
  return found;
}

Result<std::vector<os::Pid>> ancestors() {
  HF_TRY(check_proc());
  HF_TRY(parent_number());
  return ancestors_of(os::own_pid());
}

// The hostile interleaving: we read who our parent is, it ends, and its number goes to a stranger
// before we have pinned it; we would bind a lock to that stranger. So after each pin the child is
// asked again: a parent that has not ended and is still named by its child is the one we pinned.
// Where the answer has changed, the walk begins anew.
Result<bool> is_inside(const Pinned& owner, const std::function<bool(std::string_view)>& has) {
  for (int walks = 0; walks < kMaxWalks; ++walks) {
    if (const auto found = HF_TRY(look_up(owner, has))) return *found;
  }
  return fail({.code = ErrorCode::kCannotTell,
               .op = "tell where it was started",
               .subject = named(owner.identity.pid),
               .cause = "moving",
               .detail = "the processes above it come and go"});
}

Result<Pinned> calling_owner() {
  HF_TRY(check_proc());
  for (int walks = 0; walks < kMaxWalks; ++walks) {
    auto owner = HF_TRY(walk());
    if (owner) return std::move(*owner);
  }
  return no_owner("", "the processes above come and go");
}

Result<Pinned> owner_by_pid(os::Pid pid) {
  auto owner = HF_TRY(pin(pid));
  if (!owner) return no_owner(named(pid), "no such process runs");
  return std::move(*owner);
}

}  // namespace holdfast::proc
