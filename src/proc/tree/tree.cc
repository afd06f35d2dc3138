// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving. A look at /proc says: P is a child of Q, Q is a child of ours. Before
// we act, P ends and is reaped by Q; its number goes to a stranger; a signal by number hits the
// stranger. Opening a pidfd first does not help by itself: it pins whoever has the number *then*,
// perhaps already the stranger. And asking again whose child P is leads to the next question: is Q
// still the Q that we know?
//
// The argument is built from the top, each process standing on a pinned and living parent:
//   1. We are ourselves; our number cannot be recycled.
//   2. Let Q be us, or pinned by a pidfd and proven ours. Pin P. Read P's parent: it says Q. Then
//      see that neither pidfd has ended. As P had not ended, the row was read from the pinned P:
//      the number was never free in between. As Q had not ended, "Q" in that row meant the pinned
//      Q. So the pinned P is a child of the proven Q, and is proven.
//   3. The signal goes through P's pidfd, so it reaches that process or, if it ended, nobody.
// If Q ended meanwhile, P is an orphan and the row says that its parent is us: step 1 again.
// Whatever else does not fit is left to the next pass.
//
// Parents are signalled before their children: `sh -c 'a; b'` that sees `a` die first would go on
// to `b`.
//
// Only the pins along one path are open at a time. Where the chain is deeper than kMaxDepth, or the
// descriptors run out, the rest waits for a later pass too: when the upper part dies, the lower
// part becomes ours directly.
#include "proc/tree/tree.h"

#include <algorithm>
#include <map>

#include "os/process/pidfd.h"
#include "os/spawn/child.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {
namespace {

constexpr int kTreeMaxDepth = 256;

class Pass {
 public:
  Pass(const std::vector<int>& signals, const std::function<bool(const ProcessFacts&)>& wanted)
      : signals_(signals), wanted_(wanted) {}

  Result<TreePass> run(Reach reach) {
    const os::Pid self = os::own_pid();
    ProcessTable table = HF_TRY(read_process_table());
    for (ProcessFacts& facts : table.rows) {
      done_.newest = std::max(done_.newest, facts.start_ticks);
      children_[facts.parent].push_back(std::move(facts));
    }
    done_.unread = table.unread.size();
    if (reach == Reach::kPidfd) {
      descend(self, nullptr, 0);
    } else {
      for (const ProcessFacts& facts : children_[self]) signal_by_number(facts);
    }
    for (const UnreadRow& row : table.unread) signal_by_number(ProcessFacts{.pid = row.pid});
    return std::move(done_);
  }

 private:
  void descend(os::Pid parent, const os::Handle* parent_pin, int depth) {
    const auto found = children_.find(parent);
    if (found == children_.end() || depth == kTreeMaxDepth) return;
    // Taken out, so that a table which contradicts itself cannot lead in a circle.
    const std::vector<ProcessFacts> rows = std::move(found->second);
    children_.erase(found);
    for (const ProcessFacts& facts : rows) {
      const auto pin = os::open_pidfd(facts.pid);
      if (pin && !*pin) continue;
      const auto ours = pin ? is_ours(facts.pid, **pin, parent, parent_pin) : Result<bool>(false);
      if (!pin || !ours) {  // no descriptors left, or worse; a direct child can do without
        if (parent_pin == nullptr) signal_by_number(facts);
        continue;
      }
      if (!*ours) {
        const auto ended = os::has_ended(**pin);
        if (ended && !*ended) ++done_.missed;
        continue;
      }
      note(facts, [&](int signal) { return os::signal_pidfd(**pin, signal); });
      descend(facts.pid, &**pin, depth + 1);
    }
  }

  // Step 2 of the argument; the order of these looks is the argument. If the parent ended in the
  // middle, a second look is enough: its children had got their new parent before its end showed.
  static Result<bool> is_ours(os::Pid pid, const os::Handle& pin, os::Pid parent,
                              const os::Handle* parent_pin) {
    for (int look = 0; look < 2; ++look) {
      const auto facts = HF_TRY(read_process(pid));
      if (!facts || HF_TRY(os::has_ended(pin))) return false;
      if (facts->parent == os::own_pid()) return true;  // from the start, or orphaned just now
      if (facts->parent != parent || parent_pin == nullptr) return false;
      if (!HF_TRY(os::has_ended(*parent_pin))) return true;
    }
    return false;
  }

  void signal_by_number(const ProcessFacts& facts) {
    note(facts, [&](int signal) { return os::signal_own_child(facts.pid, signal); });
  }

  template <typename Send>
  void note(const ProcessFacts& facts, const Send& send) {
    if (!wanted_(facts)) return;
    bool reached = false;
    for (const int signal : signals_) {
      const auto sent = send(signal);
      if (sent && *sent == os::Sent::kNotPermitted) {
        done_.refused.push_back(facts);
        return;
      }
      reached = reached || (sent && *sent == os::Sent::kSent);
    }
    // A zombie takes the signal and means nothing by it.
    if (reached && !facts.is_zombie()) done_.signalled.push_back(facts);
  }

  const std::vector<int>& signals_;
  const std::function<bool(const ProcessFacts&)>& wanted_;
  std::map<os::Pid, std::vector<ProcessFacts>> children_;
  TreePass done_;
};

}  // namespace

Result<TreePass> signal_tree(Reach reach, const std::vector<int>& signals,
                             const std::function<bool(const ProcessFacts&)>& wanted) {
  return Pass(signals, wanted).run(reach);
}

Result<std::vector<ProcessFacts>> living_descendants() {
  const ProcessTable table = HF_TRY(read_process_table());
  std::vector<ProcessFacts> found = descendants_of(os::own_pid(), table.rows);
  std::erase_if(found, [](const ProcessFacts& facts) { return facts.is_zombie(); });
  return found;
}

}  // namespace holdfast::proc
