// SPDX-License-Identifier: Apache-2.0
//
// Four hostile interleavings.
//
// Numbers are recycled between look and signal: proc/tree/foreign_tree.cc and proc/tree/run_id_scan.cc have
// the argument why that reaches nobody else.
//
// The caller runs inside the tree: an agent that has itself killed. It would not live to say what
// became of it, so the whole tree is looked at first, and a tree with the caller or one of those
// above it in it is left alone.
//
// A sibling carries the same run id: in `run -- sh -c 'a & b'` both have it from the shell. So a
// carrier is of this tree only if it was orphaned: then nobody can say whose child it was, and the
// run id is all that is left (rule P8). One whose living parent is another is left alone; below a
// member it is found without its run id.
//
// Somebody is forked behind our back: a process that is forked after the look, and whose parent
// ends before the next one, is below nobody that we know. The run id finds it where it was
// inherited; nothing proves that it always was. So a look that finds nobody is never a proof, and
// without a TreeKiller the answer is "unproven".
#include "proc/kill/kill_tree.h"

#include <algorithm>

#include "os/machine/namespaces.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "proc/identity/caller.h"
#include "proc/identity/identity.h"
#include "proc/kill/kill.h"
#include "proc/tree/foreign_tree.h"
#include "proc/tree/process_table.h"
#include "proc/tree/run_id_scan.h"

namespace holdfast::proc {
namespace {

constexpr Duration kKillRound = std::chrono::milliseconds(100);
// Who forks faster than we look is never all found: then those who were are ended first.
constexpr int kMostLooks = 16;

enum class Orphaned : std::uint8_t { kYes, kNo, kCannotTell };

bool is_init(os::Pid pid) {
  if (pid == os::Pid{1}) return true;
  const auto status = read_status(pid);
  return status && *status && (*status)->namespace_init;
}

// Nobody but the first process of a pid namespace and subreapers takes orphans. The kernel does not
// say who is one, so this is what tells a parent from them, of a parent that is pinned and was
// named by its child while it lived:
//   it carries the run id                  the child inherited it there
//   it is process 1, here or of a          an orphan
//   namespace below
//   it is in the session of the child      the child never left it: forked there
//   it is in another session, and          the child cannot have got into its session by itself:
//   the child does not lead its own        an orphan
//   the child leads its own session        forked there if that is also the session of the leader
Orphaned orphaned_from(const ProcessFacts& child, const ProcessFacts& parent, const Id128& run,
                       std::optional<os::Pid> leader_session) {
  const auto carried = run_id_of(parent.pid);
  if (carried && *carried == run) return Orphaned::kNo;
  if (is_init(parent.pid)) return Orphaned::kYes;
  if (!carried) return Orphaned::kCannotTell;
  const bool leads_session = child.session == child.pid;
  const os::Pid born_in = leads_session ? leader_session.value_or(child.session) : child.session;
  return parent.session == born_in ? Orphaned::kNo : Orphaned::kYes;
}

// Pin the parent, see that the child still names it, look at it, see that neither has ended: then
// what was seen was about these two. A parent that ended meanwhile has left an orphan, whose new
// parent a second look shows.
Orphaned orphaned(const RunIdScan::Carrier& carrier, const Id128& run,
                  std::optional<os::Pid> leader_session) {
  for (int look = 0; look < 2; ++look) {
    const auto before = read_process(carrier.facts.pid);
    if (!before || !*before) return Orphaned::kCannotTell;
    const auto pinned = pin_number((*before)->parent);
    if (pinned && pinned->nobody) continue;
    if (!pinned || !pinned->pidfd.valid()) return Orphaned::kCannotTell;
    const auto child = read_process(carrier.facts.pid);
    const auto parent = read_process((*before)->parent);
    if (!child || !*child || !parent) return Orphaned::kCannotTell;
    if ((*child)->parent != (*before)->parent || !*parent) continue;
    const Orphaned answer = orphaned_from(**child, **parent, run, leader_session);
    if (os::has_ended(carrier.pidfd).value_or(true)) return Orphaned::kNo;
    if (!os::has_ended(pinned->pidfd).value_or(true)) return answer;
  }
  return Orphaned::kCannotTell;
}

std::optional<os::Pid> session_of(os::Pid pid) {
  const auto facts = read_process(pid);
  if (!facts || !*facts) return std::nullopt;
  return (*facts)->session;
}

class TreeKill {
 public:
  TreeKill(TreeTarget target, const KillOrder& order, const std::vector<os::Pid>& above)
      : leader_(target.leader), order_(order), above_(above) {
    if (!target.pidfd.valid()) return;
    leader_session_ = session_of(leader_.pid);
    above_leader_ = ancestors_of(leader_.pid);
    tree_.add(leader_.pid, std::move(target.pidfd));
  }

  // Everybody that can be found now. Returns how many are new.
  Result<std::size_t> gather();
  [[nodiscard]] bool holds_caller() const;
  [[nodiscard]] bool is_empty() const { return tree_.living_members().empty(); }
  Result<> act(KillReport& report);
  void count(KillReport& report) const {
    report.ended = tree_.ended();
    report.unread = unread_;
  }

 private:
  Result<std::size_t> add_carriers();
  [[nodiscard]] bool is_older(const ProcessFacts& facts, bool comparable) const;
  Result<> make_them_end();
  Result<> conclude(KillReport& report);
  [[nodiscard]] std::vector<Survivor> survivors() const;

  Identity leader_;
  const KillOrder& order_;
  const std::vector<os::Pid>& above_;
  std::optional<os::Pid> leader_session_;
  std::vector<os::Pid> above_leader_;
  ForeignTree tree_;
  std::size_t unread_ = 0;
};

Result<std::size_t> TreeKill::gather() {
  std::size_t found = 0;
  for (int look = 0; look < kMostLooks; ++look) {
    std::size_t now = HF_TRY(tree_.grow());
    if (now == 0) now = HF_TRY(add_carriers());
    if (now == 0) return found;
    found += now;
  }
  return found;
}

Result<std::size_t> TreeKill::add_carriers() {
  if (!order_.run) return std::size_t{0};
  // Nobody of a tree is older than its leader. Start times compare within one time namespace.
  const bool comparable = HF_TRY(os::own_namespaces()).time == leader_.timens;
  RunIdScan scan = HF_TRY(scan_run_id(*order_.run));
  unread_ = scan.unread;
  std::size_t found = 0;
  for (RunIdScan::Carrier& carrier : scan.carriers) {
    if (tree_.holds(carrier.facts.pid)) continue;
    if (is_older(carrier.facts, comparable)) continue;
    const Orphaned answer = orphaned(carrier, *order_.run, leader_session_);
    if (answer == Orphaned::kCannotTell) ++unread_;
    if (answer != Orphaned::kYes) continue;
    tree_.add(carrier.facts.pid, std::move(carrier.pidfd));
    ++found;
  }
  return found;
}

// Who stands above the leader is older, also where both started within one tick of the clock.
bool TreeKill::is_older(const ProcessFacts& facts, bool comparable) const {
  if (comparable && facts.start_ticks < leader_.start) return true;
  return std::ranges::find(above_leader_, facts.pid) != above_leader_.end();
}

bool TreeKill::holds_caller() const {
  return tree_.holds_caller() || tree_.holds(os::Pid{1}) ||
         std::ranges::any_of(above_, [&](os::Pid pid) { return tree_.holds(pid); });
}

std::vector<Survivor> TreeKill::survivors() const {
  std::vector<Survivor> left;
  for (const ForeignTree::Living& member : tree_.living_members()) {
    left.push_back({.pid = os::number(member.pid),
                    .name = member.name,
                    .why = member.refused ? "not permitted" : ""});
  }
  return left;
}

Result<> TreeKill::make_them_end() {
  tree_.signal(order_.first_signal);
  tree_.signal(os::continue_signal());
  HF_TRY(tree_.wait_until_ended(order_.grace));
  if (order_.group != nullptr) HF_TRY(order_.group->kill_all());
  const os::RealClock clock;
  const MonoTime end = clock.mono() + order_.wait.value_or(kKillPatience);
  for (;;) {
    const std::size_t found = HF_TRY(gather());
    if (found == 0 && HF_TRY(tree_.wait_until_ended(Duration::zero()))) return {};
    if (clock.mono() >= end) return {};
    tree_.signal(os::kSignalKill);
    HF_TRY(tree_.wait_until_ended(std::min(kKillRound, end - clock.mono())));
  }
}

// What was seen, and what that proves.
Result<> TreeKill::conclude(KillReport& report) {
  report.survivors = survivors();
  if (!report.survivors.empty()) {
    report.outcome = KillOutcome::kSurvivors;
    report.evidence = "not-ended";
    return {};
  }
  report.outcome = KillOutcome::kUnproven;
  report.evidence = "no-cgroup";
  if (order_.group == nullptr) return {};
  const bool empty = HF_TRY(order_.group->proven_empty(order_.wait.value_or(kKillPatience)));
  report.outcome = empty ? KillOutcome::kKilled : KillOutcome::kSurvivors;
  report.evidence = empty ? "cgroup-empty" : "cgroup-populated";
  return {};
}

Result<> TreeKill::act(KillReport& report) {
  report.acted = true;
  if (!order_.signal) {
    HF_TRY(make_them_end());
    return conclude(report);
  }
  tree_.signal(*order_.signal);
  const bool is_kill = *order_.signal == os::kSignalKill;
  if (order_.wait || is_kill) {
    HF_TRY(tree_.wait_until_ended(order_.wait.value_or(kKillPatience)));
    return conclude(report);
  }
  std::vector<Survivor> refused = survivors();
  std::erase_if(refused, [](const Survivor& one) { return one.why.empty(); });
  report.outcome = refused.empty() ? KillOutcome::kSignalled : KillOutcome::kNotPermitted;
  report.evidence = refused.empty() ? "sent" : "not-permitted";
  report.survivors = std::move(refused);
  return {};
}

}  // namespace

Result<KillReport> kill_tree(TreeTarget target, const KillOrder& order,
                             const std::vector<os::Pid>& above, KillReport report,
                             EventSink& sink) {
  const Identity leader = target.leader;
  TreeKill tree(std::move(target), order, above);
  HF_TRY(tree.gather());
  report.outcome = KillOutcome::kUnproven;
  if (tree.holds_caller()) {
    report.outcome = KillOutcome::kRefused;
    report.evidence = "caller-in-tree";
    return report;
  }
  if (tree.is_empty() && order.group == nullptr) {
    report.evidence = "leader-gone";
    return report;
  }
  HF_TRY(record_decision(leader, order, report, sink));
  const auto acted = tree.act(report);
  if (!acted) {
    report.outcome = KillOutcome::kUnproven;
    report.evidence = acted.error().cause;
  }
  tree.count(report);
  return report;
}

}  // namespace holdfast::proc
