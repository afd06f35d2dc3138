// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_view.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "base/units.h"
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

// What a row shows of a lock, in the order of the heading.
constexpr std::size_t kLockViewColumns = 5;
using Row = std::array<std::string, kLockViewColumns>;

Row row_of(const LockStatus& status, WallTime now) {
  Row row{printable(status.label), std::string(to_text(status.state)), "-", "-", ""};
  if (!status.holders.empty()) {
    const HolderView& first = status.holders.front();
    if (first.pid) row[2] = std::to_string(*first.pid);
    if (status.holders.size() > 1) row[2] += "+" + std::to_string(status.holders.size() - 1);
    row[3] = age(first.since, now);
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
  std::vector<Row> rows{{"NAME", "STATE", "PID", "AGE", "WHAT FOR"}};
  for (const LockStatus& status : all) rows.push_back(row_of(status, now));
  std::array<std::size_t, kLockViewColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < kLockViewColumns; ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]) + 2);
  }
  // A long name must not push the state off a narrow terminal.
  const auto columns = context.columns();
  if (columns) widths[0] = std::min(widths[0], static_cast<std::size_t>(std::max(*columns, 8)) / 2);
  std::string text;
  for (const Row& row : rows) {
    std::string line =
        columns ? padded(cut_to(row[0], widths[0] - 2), widths[0]) : padded(row[0], widths[0]);
    for (std::size_t i = 1; i < kLockViewColumns; ++i) line += padded(row[i], widths[i]);
    const auto end = line.find_last_not_of(' ');
    line.resize(end == line.npos ? 0 : end + 1);
    if (columns) line = cut_to(line, static_cast<std::size_t>(std::max(*columns, 1)));
    text += line + "\n";
  }
  return text;
}

}  // namespace holdfast::cli
