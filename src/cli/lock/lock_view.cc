// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_view.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "base/units.h"
#include "cli/output/table.h"
#include "cli/output/wrap.h"
#include "run/lock/lock_text.h"

namespace holdfast::cli {
namespace {

using lock::HolderView;
using lock::LockStatus;
using lock::Visible;

std::string age(const std::optional<WallTime>& since, WallTime now) {
  if (!since || *since > now) return "-";
  const Duration passed = now - *since;
  return format_duration(std::chrono::floor<std::chrono::seconds>(passed));
}

std::string lease_text(const LockStatus& status) {
  std::string text = format_duration(*status.ttl);
  if (!status.left) return text + ", on another clock";
  if (*status.left > Duration::zero()) return text + ", " + format_duration(*status.left) + " left";
  return text + ", run out " + format_duration(-*status.left) + " ago";
}

Context::Paint paint_of(Visible state) {
  switch (state) {
    case Visible::kFree:
      return Context::Paint::kDim;
    case Visible::kHeld:
      return Context::Paint::kGreen;
    case Visible::kStale:
      return Context::Paint::kYellow;
    case Visible::kUnknown:
      break;
  }
  return Context::Paint::kRed;
}

// "2 waiting (session backup)"
std::string waiters_text(const LockStatus& status) {
  std::string sessions;
  for (const lock::WaiterView& waiter : status.waiters) {
    if (!waiter.session.empty()) sessions += (sessions.empty() ? "" : ", ") + waiter.session;
  }
  std::string text = std::to_string(status.waiters.size()) + " waiting";
  if (!sessions.empty()) text += " (session " + printable(sessions) + ")";
  return text;
}

constexpr std::array kLockColumns{TableColumn{"NAME", 0, 8}, TableColumn{"STATE"},
                                  TableColumn{"PID", 2}, TableColumn{"AGE", 1},
                                  TableColumn{"WHAT FOR", 0, 8}};
using Row = std::array<std::string, kLockColumns.size()>;

Row row_of(const Context& context, const LockStatus& status, WallTime now) {
  Row row{printable(status.label), std::string(to_text(status.state)), "-", "-", ""};
  if (!status.holders.empty()) {
    const HolderView& first = status.holders.front();
    if (first.pid) row[2] = std::to_string(*first.pid);
    if (status.holders.size() > 1) row[2] += "+" + std::to_string(status.holders.size() - 1);
    if (first.since && *first.since <= now) row[3] = ago_text(context, *first.since, now);
    row[4] = first.reason.empty() ? first.command : first.reason;
  }
  if (row[4].empty()) row[4] = status.evidence;
  row[4] = printable(row[4]);
  if (!status.waiters.empty()) row[4] = waiters_text(status) + "; " + row[4];
  return row;
}

}  // namespace

std::string status_text(const Context& context, const LockStatus& status, WallTime now) {
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    text += padded(std::string(key), 10) + value + "\n";
  };
  line("lock", printable(status.label));
  line("state", context.paint(paint_of(status.state), to_text(status.state)) + " (" +
                    printable(status.evidence) + ")");
  if (status.mode) line("mode", std::string(to_text(*status.mode)));
  for (const HolderView& holder : status.holders) {
    line("holder", printable(run::holder_text(holder)));
    if (holder.since) line("age", age(holder.since, now));
  }
  if (status.binding) line("bound to", std::string(to_text(*status.binding)));
  if (status.ttl) line("lease", lease_text(status));
  if (status.since_progress) line("progress", format_duration(*status.since_progress) + " ago");
  if (status.fence) line("fence", std::to_string(*status.fence));
  if (status.break_id) line("break id", *status.break_id);
  for (const lock::WaiterView& waiter : status.waiters) {
    const std::string pid =
        waiter.pid ? "pid " + std::to_string(*waiter.pid) : "an unknown process";
    line("waiter", printable(pid + " for " + age(waiter.since, now) + ", " +
                             std::string(to_text(waiter.mode)) +
                             (waiter.session.empty() ? "" : ", session " + waiter.session) +
                             (waiter.command.empty() ? "" : " (" + waiter.command + ")")));
  }
  return text;
}

std::string status_table(const Context& context, const std::vector<LockStatus>& all, WallTime now) {
  std::vector<TableRow> rows;
  for (const LockStatus& status : all) {
    const Row row = row_of(context, status, now);
    rows.emplace_back(row.begin(), row.end());
    rows.back()[1].paint = paint_of(status.state);
  }
  return table_text(context, kLockColumns, rows);
}

}  // namespace holdfast::cli
