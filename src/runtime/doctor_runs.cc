// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir.h"
#include "os/spawn/env.h"
#include "runtime/doctor.h"
#include "supervise/tree_group.h"

namespace holdfast {
namespace {

using Verdict = Finding::Verdict;

// The socket that `systemd-run --user` asks. Whether anybody answers there, it finds out itself.
bool has_user_manager() {
  const auto runtime = os::env("XDG_RUNTIME_DIR");
  if (!runtime || runtime->empty()) return false;
  const auto dir = os::Dir::open_following_links(*runtime + "/systemd");
  const auto name = os::SafeName::make("private");
  if (!dir || !name) return false;
  const auto socket = dir->info(*name);
  return socket && *socket;
}

Finding judge_containment(supervise::Containment containment) {
  if (containment != supervise::Containment::kSubreaper) {
    return {Verdict::kGood, "containment", "runs",
            "the kernel holds a tree together here: whether it has ended can be proven"};
  }
  std::string says =
      "no control group can be made here: what a run leaves behind when its supervisor is killed "
      "cannot be proven gone; ";
  says +=
      has_user_manager()
          ? "start it with `systemd-run --user --scope -p Delegate=yes holdfast run ...` to get "
            "one, or use `run --contain pidns`"
          : "use `run --contain pidns` (this user has no manager of systemd here, which could "
            "give it a group)";
  return {Verdict::kNote, "containment", "runs", std::move(says)};
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
