// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/limits.h"

#include "base/cause.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace holdfast::proc {
namespace {

using os::operator""_name;

constexpr std::uint64_t kCpuPeriod = 100'000;  // microseconds, the kernel's own default
constexpr std::uint64_t kCpuPerPercent = kCpuPeriod / 100;

struct Setting {
  os::SafeName file;
  std::string value;
  bool needed = true;  // else only where the file is there
};

// What to write where, for one limit that a group can enforce.
struct GroupLimit {
  std::string_view limit;
  std::string_view controller;
  std::vector<Setting> v2;
  std::vector<Setting> v1;
};

GroupLimit memory_limit(std::uint64_t bytes) {
  const std::string value = std::to_string(bytes);
  return {.limit = "memory",
          .controller = "memory",
          // Swap would turn the limit into a slow-down and another limit that nobody asked for.
          .v2 = {{"memory.max"_name, value}, {"memory.swap.max"_name, "0", false}},
          .v1 = {{"memory.limit_in_bytes"_name, value},
                 {"memory.memsw.limit_in_bytes"_name, value, false}}};
}

GroupLimit pids_limit(std::uint64_t count) {
  const std::string value = std::to_string(count);
  return {.limit = "pids",
          .controller = "pids",
          .v2 = {{"pids.max"_name, value}},
          .v1 = {{"pids.max"_name, value}}};
}

GroupLimit cpu_limit(std::uint64_t percent) {
  const std::string quota = std::to_string(percent * kCpuPerPercent);
  const std::string period = std::to_string(kCpuPeriod);
  return {.limit = "cpu",
          .controller = "cpu",
          .v2 = {{"cpu.max"_name, quota + " " + period}},
          .v1 = {{"cpu.cfs_period_us"_name, period}, {"cpu.cfs_quota_us"_name, quota}}};
}

Error not_enforceable(std::string_view limit, std::string detail) {
  return {.code = ErrorCode::kOsRefused,
          .op = "enforce the limit of",
          .subject = std::string(limit),
          .cause = cause::kLimitNotEnforceable,
          .detail = std::move(detail)};
}

std::string reason(const Error& error) {
  return error.cause == cause::kLimitNotEnforceable ? error.detail : to_sentence(error);
}

Result<> write_settings(const os::Dir& group, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const bool wrote = HF_TRY(os::write_control(group, setting.file, setting.value));
    if (wrote || !setting.needed) continue;
    return fail(not_enforceable(group.path(), "there is no " + setting.file.str()));
  }
  return {};
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool starts = at == 0 || text[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (starts && (end == text.size() || text[end] == ' ' || text[end] == '\n')) return true;
  }
  return false;
}

// The parent of the group hands the controller down, from now on if not before.
Result<> hand_down(const os::Dir& parent, std::string_view controller) {
  const auto handed = HF_TRY(os::read_control(parent, "cgroup.subtree_control"_name));
  if (handed && has_word(*handed, controller)) return {};
  const auto there = HF_TRY(os::read_control(parent, "cgroup.controllers"_name));
  if (!there || !has_word(*there, controller)) {
    return fail(not_enforceable(controller, parent.path() + " does not have the controller"));
  }
  const auto told =
      os::write_control(parent, "cgroup.subtree_control"_name, "+" + std::string(controller));
  if (told && *told) return {};
  std::string why = parent.path() + " does not hand the controller down";
  if (!told && told.error().cause == cause::kEbusy) why += ": it has processes of its own";
  if (!told && told.error().cause != cause::kEbusy) why += ": " + told.error().detail;
  return fail(not_enforceable(controller, std::move(why)));
}

}  // namespace

std::string_view name(LimitBy by) {
  switch (by) {
    case LimitBy::kCgroup2:
      return "cgroup";
    case LimitBy::kCgroup1:
      return "cgroup v1";
    case LimitBy::kRlimit:
      return "rlimit";
    case LimitBy::kNothing:
      break;
  }
  return "not enforced";
}

std::string to_text(const LimitAnswer& answer) {
  std::string text = std::string(answer.limit) + ": " + std::string(name(answer.by));
  if (!answer.why.empty()) text += " (" + answer.why + ")";
  return text;
}

// Fills a Limits; what it has made is gone again if it is dropped before done().
class Limits::Builder {
 public:
  Builder(const LimitRequest& request, const Id128& run, const CgroupTree* group)
      : request_(request), name_(cgroup_name(run)), group_(group) {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;
  ~Builder() {
    const auto removed = limits_.remove();
    static_cast<void>(removed);  // empty groups; the error of prepare says the rest
  }

  Result<> run() {
    if (request_.memory) HF_TRY(add(memory_limit(*request_.memory)));
    if (request_.pids) HF_TRY(add(pids_limit(*request_.pids)));
    if (request_.cpu_percent) HF_TRY(add(cpu_limit(*request_.cpu_percent)));
    if (request_.nofile) {
      limits_.of_process_.push_back({os::ProcessLimit::kOpenFiles, *request_.nofile});
      limits_.by_.push_back({.limit = "nofile", .by = LimitBy::kRlimit});
    }
    return {};
  }
  Limits done() { return std::exchange(limits_, Limits()); }

 private:
  Result<> add(const GroupLimit& limit) {
    const auto in_v2 = by_v2(limit);
    if (in_v2) return enforced(limit, LimitBy::kCgroup2);
    const auto in_v1 = by_v1(limit);
    if (in_v1) return enforced(limit, LimitBy::kCgroup1);
    const std::string why =
        "version 2: " + reason(in_v2.error()) + "; version 1: " + reason(in_v1.error());
    if (limit.limit == "memory" && request_.memory_by_rlimit) {
      limits_.of_process_.push_back({os::ProcessLimit::kAddressSpace, *request_.memory});
      limits_.by_.push_back({.limit = limit.limit,
                             .by = LimitBy::kRlimit,
                             .why = "of each process, not of the whole tree"});
      return {};
    }
    if (!request_.best_effort) {
      std::string remedy =
          "; start it with `systemd-run --user --scope -p Delegate=yes` to get a group that can";
      if (limit.limit == "memory")
        remedy += ", or add `--memory-fallback rlimit` to limit each process instead";
      return fail(not_enforceable(limit.limit, why + remedy));
    }
    limits_.by_.push_back({.limit = limit.limit, .by = LimitBy::kNothing, .why = why});
    return {};
  }

  Result<> enforced(const GroupLimit& limit, LimitBy by) {
    limits_.by_.push_back({.limit = limit.limit, .by = by});
    if (limit.limit != "memory") return {};
    auto counter =
        by == LimitBy::kCgroup2
            ? os::ControlFile::open(group_->dir(), "memory.events"_name, os::ControlAccess::kRead)
            : os::ControlFile::open(limits_.v1_.back().dir, "memory.oom_control"_name,
                                    os::ControlAccess::kRead);
    if (counter) limits_.oom_ = std::move(*counter);  // without it the limit still holds
    return {};
  }

  Result<> by_v2(const GroupLimit& limit) {
    if (group_ == nullptr) {
      return fail(not_enforceable(limit.limit, "the tree has no group"));
    }
    HF_TRY(hand_down(group_->parent(), limit.controller));
    return write_settings(group_->dir(), limit.v2);
  }

  Result<> by_v1(const GroupLimit& limit) {
    if (!own_) own_ = OwnCgroups::read();
    if (!*own_) return fail(own_->error());
    CgroupPlace place = HF_TRY((*own_)->v1(limit.controller));
    const os::SafeName name = HF_TRY(os::SafeName::make(name_));
    // Two controllers may share one hierarchy, and so one group.
    const os::FileId parent = HF_TRY(place.dir.info()).id;
    for (const V1Group& group : limits_.v1_) {
      if (HF_TRY(group.parent.info()).id == parent) return write_settings(group.dir, limit.v1);
    }
    if (HF_TRY(place.dir.make_dir(name, 0755)) == os::Made::kAlreadyThere) {
      return fail(not_enforceable(limit.limit, place.dir.path_of(name) + " is there already"));
    }
    auto made = place.dir.open_dir(name);
    auto set = made ? write_settings(*made, limit.v1) : Result<>(fail(made.error()));
    if (!set) {
      const auto removed = place.dir.remove_dir(name);
      static_cast<void>(removed);  // nobody is in it
      return set;
    }
    limits_.v1_.push_back({.parent = std::move(place.dir), .dir = std::move(*made)});
    return {};
  }

  const LimitRequest& request_;
  std::string name_;
  const CgroupTree* group_;
  std::optional<Result<OwnCgroups>> own_;  // read when first needed
  Limits limits_;
};

Result<Limits> Limits::prepare(const LimitRequest& request, const Id128& run,
                               const CgroupTree* group) {
  Builder builder(request, run, group);
  HF_TRY(builder.run());
  return builder.done();
}

std::vector<std::string> Limits::by_text() const {
  std::vector<std::string> texts;
  for (const LimitAnswer& answer : by_) texts.push_back(to_text(answer));
  return texts;
}

Result<> Limits::apply_to(os::Pid child) const {
  const std::string number = std::to_string(os::number(child));
  for (const V1Group& group : v1_) {
    if (HF_TRY(os::write_control(group.dir, "cgroup.procs"_name, number))) continue;
    return fail(not_enforceable(group.dir.path(), "the group is gone"));
  }
  for (const OfProcess& one : of_process_) {
    auto limited = os::limit_process(child, one.limit, one.value);
    if (limited) continue;
    const bool files = one.limit == os::ProcessLimit::kOpenFiles;
    const auto most = os::own_hard_limit(one.limit);
    std::string why = limited.error().detail;
    if (most && *most) why += "; more than " + std::to_string(**most) + " is not allowed here";
    return fail(not_enforceable(files ? "nofile" : "memory", std::move(why)));
  }
  return {};
}

Result<std::optional<std::uint64_t>> Limits::oom_kills() const {
  constexpr std::string_view kKey = "oom_kill ";
  if (!oom_) return std::nullopt;
  const auto text = HF_TRY(oom_->read());
  if (!text) return std::nullopt;
  const std::size_t at = text->starts_with(kKey) ? 0 : text->find("\n" + std::string(kKey));
  if (at == std::string::npos) return std::nullopt;
  const char* const from = text->data() + at + kKey.size() + (at == 0 ? 0 : 1);
  std::uint64_t count = 0;
  const auto read = std::from_chars(from, text->data() + text->size(), count);
  if (read.ec != std::errc()) return std::nullopt;
  return count;
}

Result<CgroupTree::Removal> Limits::remove_left_behind(const Id128& run) {
  const OwnCgroups own = HF_TRY(OwnCgroups::read());
  const os::SafeName name = HF_TRY(os::SafeName::make(cgroup_name(run)));
  auto all = CgroupTree::Removal::kRemoved;
  for (const std::string_view controller : {"memory", "pids", "cpu"}) {
    const auto place = own.v1(controller);
    if (!place) continue;
    if (HF_TRY(remove_cgroup(place->dir, name)) == CgroupTree::Removal::kBusy) {
      all = CgroupTree::Removal::kBusy;
    }
  }
  return all;
}

Result<CgroupTree::Removal> Limits::remove() {
  auto all = CgroupTree::Removal::kRemoved;
  while (!v1_.empty()) {
    const V1Group& group = v1_.back();
    const os::SafeName name =
        HF_TRY(os::SafeName::make(group.dir.path().substr(group.dir.path().rfind('/') + 1)));
    if (HF_TRY(remove_cgroup(group.parent, name)) == CgroupTree::Removal::kBusy) {
      all = CgroupTree::Removal::kBusy;
      break;
    }
    v1_.pop_back();
  }
  return all;
}

}  // namespace holdfast::proc
