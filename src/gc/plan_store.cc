// SPDX-License-Identifier: Apache-2.0
#include "gc/plan_store.h"

#include <vector>

#include "session/record/own_file.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

constexpr std::string_view kPrefix = "plan-";
constexpr std::string_view kSuffix = ".json";

constexpr os::NameLiteral dir_name() { return os::NameLiteral("gc"); }

Result<os::SafeName> file_of(const Id128& id) {
  return os::SafeName::make(std::string(kPrefix) + to_hex(id) + std::string(kSuffix));
}

std::unexpected<Error> plan_store_refused(ErrorCode code, std::string_view id,
                                          std::string_view cause, std::string_view detail) {
  return fail({.code = code,
               .op = "apply the plan",
               .subject = std::string(id),
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

}  // namespace

Result<> store_plan(const os::Dir& home, const GcPlan& plan) {
  const os::Dir dir = HF_TRY(session::open_or_make_own_dir(home, dir_name()));
  return session::replace_own_file(dir, HF_TRY(file_of(plan.id)), encode_gc_plan(plan),
                                   os::Durability::kFull);
}

Result<GcPlan> take_plan(const os::Dir& home, std::string_view id, const BootMoment& now) {
  constexpr std::string_view kNone = "there is no such plan, or it was applied already";
  const auto parsed = parse_id128(id);
  if (!parsed) return plan_store_refused(ErrorCode::kNotFound, id, "no-such-plan", kNone);
  const auto dir = HF_TRY(session::open_own_dir(home, dir_name()));
  if (!dir) return plan_store_refused(ErrorCode::kNotFound, id, "no-such-plan", kNone);
  const os::SafeName file = HF_TRY(file_of(*parsed));
  const auto open = HF_TRY(session::open_own_file(*dir, file));
  if (!open) return plan_store_refused(ErrorCode::kNotFound, id, "no-such-plan", kNone);
  const std::string bytes = HF_TRY(open->read_at(0, HF_TRY(open->info()).size));
  GcPlan plan = HF_TRY(decode_gc_plan(bytes, open->path()));
  // Whoever removes the name has the plan; of two at once, the other finds nothing.
  if (HF_TRY(dir->remove_file(file)) == os::Removed::kNotThere) {
    return plan_store_refused(ErrorCode::kNotFound, id, "no-such-plan", kNone);
  }
  if (plan.made.boot == now.boot && session::age_of(plan.made, now) <= kPlanLife) return plan;
  return plan_store_refused(
      ErrorCode::kRefused, id, "outdated",
      "it is older than an hour, or the machine was booted since; nothing was removed: "
      "make a new one with `holdfast gc --plan`");
}

void drop_old_plans(const os::Dir& home, WallTime now) {
  const auto dir = session::open_own_dir(home, dir_name());
  if (!dir || !*dir) return;
  std::vector<os::SafeName> old;
  const auto listed = (*dir)->each_entry([&](std::string_view entry, os::FileType) {
    if (!entry.starts_with(kPrefix) || !entry.ends_with(kSuffix)) return os::Visit::kContinue;
    const auto name = os::SafeName::make(entry);
    if (!name) return os::Visit::kContinue;
    const auto info = (*dir)->info(*name);
    if (info && *info && now - (*info)->modified > kPlanKept) old.push_back(*name);
    return os::Visit::kContinue;
  });
  if (!listed) return;
  for (const os::SafeName& name : old) static_cast<void>((*dir)->remove_file(name));
}

}  // namespace holdfast::gc
