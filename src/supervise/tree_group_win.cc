// SPDX-License-Identifier: Apache-2.0
//
// The job object around a tree (os/process/job.h). Nobody is asked to end through it: that goes by
// Ctrl-Break to the process groups that the commands lead, and reaches those of the tree who share
// this process's console and have not made a group of their own. Those whom it does not reach are
// ended when the grace is over.
#include <algorithm>
#include <optional>
#include <string>

#include "os/process/job.h"
#include "os/signal/signals.h"
#include "proc/tree/limits.h"
#include "supervise/tree_group.h"

namespace holdfast::supervise {
namespace {

Result<> check_limits(const proc::LimitRequest& request, TreeFacts& facts) {
  if (request.memory) facts.limits_by.emplace_back("memory: job");
  if (request.pids) facts.limits_by.emplace_back("pids: job");
  if (request.cpu_percent) facts.limits_by.emplace_back("cpu: job");
  if (!request.nofile) return {};
  if (request.best_effort) {
    facts.limits_by.emplace_back("nofile: not enforced (Windows has no such limit)");
    return {};
  }
  return fail({.code = ErrorCode::kRefused,
               .op = "limit",
               .subject = "nofile",
               .cause = "unsupported",
               .detail = "Windows has no limit of open files; nothing was started"});
}

}  // namespace

struct TreeGroup::State {
  std::optional<os::Job> job{};
  bool goes_on = false;            // without us
  std::vector<os::Pid> leaders{};  // the commands, each with a process group of its own
};

TreeGroup::TreeGroup() : state_(std::make_unique<State>()) {}
TreeGroup::~TreeGroup() = default;

bool TreeGroup::made() const { return state_->job.has_value(); }

bool TreeGroup::holds_all() const { return true; }

Result<> TreeGroup::prepare(const TreeRequest& request, TreeFacts& facts) {
  HF_TRY(check_limits(request.limits, facts));
  state_->goes_on = request.leftovers == Leftovers::kLeave;
  os::Job::Limits limits{.memory = request.limits.memory,
                         .pids = request.limits.pids,
                         .cpu_percent = request.limits.cpu_percent};
  auto job = os::Job::make(limits);
  // Wine, and Windows within a job that limits it already, do not take this one.
  if (!job && limits.cpu_percent && request.limits.best_effort) {
    limits.cpu_percent.reset();
    std::erase(facts.limits_by, "cpu: job");
    facts.limits_by.emplace_back("cpu: not enforced (refused by the system)");
    job = os::Job::make(limits);
  }
  if (!job) return fail(std::move(job).error());
  state_->job.emplace(std::move(*job));
  facts.containment = Containment::kJob;
  return {};
}

os::NativeHandle TreeGroup::handle() const {
  return state_->job ? state_->job->handle() : os::HandleTraits::nothing();
}

Result<> TreeGroup::released() {
  if (!state_->goes_on || !state_->job) return {};
  return state_->job->let_go_on();
}

bool TreeGroup::give_up(TreeFacts& /*facts*/) { return false; }

// They are the job's, which the command is in already.
Result<> TreeGroup::apply_limits(os::Pid child_at_its_gate) {
  state_->leaders.push_back(child_at_its_gate);
  return {};
}

const os::Handle* TreeGroup::changes() const {
  return state_->job ? &state_->job->changes() : nullptr;
}

void TreeGroup::take_changes() {
  if (state_->job) state_->job->take_changes();
}

TreeGroup::Left TreeGroup::look() const {
  if (!state_->job) return Left::kNobody;
  const auto active = state_->job->active();
  if (!active) return Left::kCannotTell;
  return *active == 0 ? Left::kNobody : Left::kSomebody;
}

std::vector<os::Pid> TreeGroup::members() const {
  if (!state_->job) return {};
  auto members = state_->job->members();
  return members ? std::move(*members) : std::vector<os::Pid>();
}

// Also a group whose leader has ended: the commands keep its number from being given to another.
std::vector<os::Pid> TreeGroup::signal(const std::vector<os::Pid>& pids,
                                       const std::vector<int>& signals) const {
  std::vector<os::Pid> reached;
  if (pids.empty() || !std::ranges::any_of(signals, os::asks_to_end)) return reached;
  for (const os::Pid leader : state_->leaders) {
    if (os::Job::ask_group_to_end(leader)) reached.push_back(leader);
  }
  return reached;
}

bool TreeGroup::kill() const { return state_->job && state_->job->kill().has_value(); }

void TreeGroup::finish(TreeFacts& /*facts*/) {
  state_->job.reset();
  state_->leaders.clear();
}

}  // namespace holdfast::supervise
