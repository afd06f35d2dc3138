// SPDX-License-Identifier: Apache-2.0
#include "runtime/doctor.h"
#include "supervise/tree_group.h"

namespace holdfast {
namespace {

using Verdict = Finding::Verdict;

Finding judge_containment(supervise::Containment containment) {
  const bool held = containment != supervise::Containment::kSubreaper;
  return {held ? Verdict::kGood : Verdict::kNote, "containment", "runs",
          held ? "the kernel holds a tree together here: whether it has ended can be proven"
               : "no control group can be made here: what a run leaves behind when its supervisor "
                 "is killed cannot be proven gone; start it with `systemd-run --user --scope -p "
                 "Delegate=yes` to get one"};
}

// From "memory: cgroup v1", "cpu: not enforced (why)".
Finding judge_limit(const std::string& text) {
  const std::size_t colon = text.find(": ");
  const bool enforced = !text.substr(colon).starts_with(": not enforced");
  std::string says = (enforced ? "enforced by " : "") + text.substr(colon + 2);
  const std::string limit = text.substr(0, colon);
  if (!enforced && limit == "memory") {
    says += "; `--memory-fallback rlimit` limits each process instead";
  }
  return {enforced ? Verdict::kGood : Verdict::kNote, "limits", "--" + limit, std::move(says)};
}

}  // namespace

std::vector<Finding> examine_runs() {
  supervise::TreeRequest request;
  request.contain_by_cgroup = true;
  request.limits = {
      .memory = 1ULL << 30, .pids = 1000, .cpu_percent = 100, .nofile = 1000, .best_effort = true};
  supervise::TreeFacts facts;
  supervise::TreeGroup group;
  if (const auto tried = group.prepare(request, facts); !tried) {
    return {{Verdict::kCannotTell, "limits", "runs", to_sentence(tried.error())}};
  }
  group.finish(facts);
  std::vector<Finding> all{judge_containment(facts.containment)};
  for (const std::string& limit : facts.limits_by) all.push_back(judge_limit(limit));
  return all;
}

}  // namespace holdfast
