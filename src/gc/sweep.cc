// SPDX-License-Identifier: Apache-2.0
#include "gc/sweep.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "gc/collect.h"
#include "gc/leftovers.h"
#include "gc/plan.h"
#include "gc/plan_store.h"
#include "gc/purge.h"
#include "gc/record_updates.h"
#include "proc/tree/dead_groups.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

// A record of the journal has at most 64 KiB; what is longer becomes several.
constexpr std::size_t kListBytes = std::size_t{40} * 1024;

std::string entry_json(const GcPlanEntry& entry) {
  return EventData().text("name", entry.name).text("reason", entry.reason).json();
}

Result<> record_part(const Services& services, const GcPlan& plan, const std::string& list,
                     const Report& report, std::uint64_t part) {
  EventData data = EventData().text("plan_id", to_hex(plan.id));
  std::string json = data.json();
  json.pop_back();
  json += ",\"remove\":[" + list + "],\"kept\":" + std::to_string(report.kept.size()) +
          ",\"part\":" + std::to_string(part) + "}";
  const std::vector<EventData::Key> keys{{.name = "plan_id", .kind = DataKind::kText},
                                         {.name = "remove", .kind = DataKind::kList},
                                         {.name = "kept", .kind = DataKind::kNumber},
                                         {.name = "part", .kind = DataKind::kNumber}};
  HF_TRY(services.events.record(
      {.type = "gc.planned", .data = EventData::from_json(std::move(json), keys)}));
  return {};
}

// Durable when it returns.
Result<> announce(const Services& services, const GcPlan& plan, const Report& report) {
  if (plan.entries.empty()) return {};
  std::string list;
  std::uint64_t part = 1;
  for (const GcPlanEntry& entry : plan.entries) {
    if (list.size() > kListBytes) {
      HF_TRY(record_part(services, plan, list, report, part++));
      list.clear();
    }
    if (!list.empty()) list += ',';
    list += entry_json(entry);
  }
  return record_part(services, plan, list, report, part);
}

Result<> carry_out(const Services& services, const Options& options, const GcPlan& plan,
                   const KnownSample& known_sample, Report& report) {
  HF_TRY(announce(services, plan, report));
  HF_TRY(collect(services, options, plan.id, plan.entries, known_sample, report));
  if (!report.interrupted) purge_due(services, report);
  return {};
}

// Of the plan stays what would be planned today as well: within its hour an authority may have lost
// its memory, and only a look at all of its workspaces shows that (rule G3).
void keep_what_is_in_both(GcPlan& plan, const GcPlan& again, Report& today, Report& report) {
  std::map<std::string_view, const GcPlanEntry*> wanted;
  for (const GcPlanEntry& entry : again.entries) wanted.emplace(entry.name, &entry);
  std::map<std::string_view, const Line*> kept;
  std::map<std::string_view, const Line*> unknown;
  for (const Line& line : today.kept) kept.emplace(line.name, &line);
  for (const Line& line : today.unknown) unknown.emplace(line.name, &line);
  std::erase_if(plan.entries, [&](const GcPlanEntry& entry) {
    const auto found = wanted.find(entry.name);
    const bool same = found != wanted.end() && found->second->id == entry.id &&
                      found->second->change == entry.change && found->second->run == entry.run;
    if (same) return false;
    const auto stays = kept.find(entry.name);
    const auto cannot_tell = unknown.find(entry.name);
    if (cannot_tell != unknown.end()) {
      report.unknown.push_back(*cannot_tell->second);
    } else if (stays != kept.end()) {
      report.kept.push_back(*stays->second);
    } else {
      report.kept.push_back(
          {.name = entry.name, .reason = found != wanted.end() ? "changed" : "gone"});
    }
    return true;
  });
  report.skipped = std::move(today.skipped);
  report.braked = std::move(today.braked);
  report.warnings = std::move(today.warnings);
}

}  // namespace

Result<> sweep(const Services& services, const Options& options, Report& report) {
  drop_old_plans(services.home, services.clock.wall());
  Aside aside;
  const GcPlan plan = HF_TRY(make_plan(services, options, report, aside));
  HF_TRY(carry_out(services, options, plan, aside.known_sample, report));
  if (report.interrupted) return {};
  record_ids(services, aside.known_ids);
  bring_back(services, aside.outsides, report);
  renew_left(services, aside.ttls, report);
  remove_stages(services, options.grace, aside.stages, report);
  remove_orphan_entries(services, options.grace, aside.outside_ids, report);
  // Of runs without a name, which no record speaks of.
  if (services.dead_groups && !services.stop.raised()) {
    static_cast<void>(proc::remove_dead_groups());
  }
  return {};
}

Result<GcPlan> plan_only(const Services& services, const Options& options, Report& report) {
  drop_old_plans(services.home, services.clock.wall());
  Aside aside;
  GcPlan plan = HF_TRY(make_plan(services, options, report, aside));
  HF_TRY(store_plan(services.home, plan));
  return plan;
}

Result<> apply(const Services& services, std::string_view plan_id, const Overrides& change,
               Report& report) {
  const BootMoment now = HF_TRY(session::boot_moment_now());
  GcPlan plan = HF_TRY(take_plan(services.home, plan_id, now));
  report.plan_id = plan.id;
  Options options;
  options.grace = plan.grace;
  options.probes = plan.probes;
  options.probe_timeout = change.probe_timeout.value_or(plan.probe_timeout);
  options.rescue = change.rescue ? change.rescue : plan.rescue;
  options.rescue_timeout = change.rescue_timeout.value_or(plan.rescue_timeout);
  options.trash_for = change.trash_for.value_or(plan.trash_for);
  options.allow_all = plan.allow_all;
  options.allow = plan.allow;
  options.runs = std::ranges::any_of(plan.entries, &GcPlanEntry::run);
  Aside aside;
  Report today;
  const GcPlan again = HF_TRY(make_plan(services, options, today, aside));
  keep_what_is_in_both(plan, again, today, report);
  return carry_out(services, options, plan, aside.known_sample, report);
}

}  // namespace holdfast::gc
