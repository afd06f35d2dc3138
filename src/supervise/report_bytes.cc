// SPDX-License-Identifier: Apache-2.0
#include "supervise/report_bytes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace holdfast::supervise {
namespace {

constexpr std::size_t kMaxLimits = 4;  // as many as proc::LimitRequest has

template <std::size_t Size>
struct Text {
  std::array<char, Size> bytes;
  std::uint32_t size;

  void set(std::string_view text) {
    size = static_cast<std::uint32_t>(std::min(text.size(), Size));
    std::copy_n(text.begin(), size, bytes.begin());
  }
  [[nodiscard]] std::string get() const {
    return {bytes.data(), std::min<std::size_t>(size, Size)};
  }
};

template <typename T>
struct Maybe {
  T value;
  bool has;

  void set(const std::optional<T>& optional) {
    has = optional.has_value();
    if (has) value = *optional;
  }
  [[nodiscard]] std::optional<T> get() const { return has ? std::optional(value) : std::nullopt; }
};

struct Bytes {
  Maybe<std::int64_t> started;
  std::int64_t ended;
  Containment containment;
  std::uint32_t command_count;
  struct {
    Maybe<os::Pid> pid;
    Maybe<os::StartFailure> start_failure;
    Maybe<os::ChildEnd> end;
  } commands[kMaxCommands];
  bool output_cut;
  bool deadline_fired;
  EndedBy ended_by;
  Maybe<int> asked;
  Maybe<Verified> verified;
  bool empty;
  bool left_alone;
  std::uint32_t terminated;
  std::uint32_t killed;
  std::uint32_t oom_killed;
  std::uint32_t limit_count;
  Text<80> limits_by[kMaxLimits];
  std::uint32_t survivor_count;
  std::uint32_t survivors_total;
  struct {
    os::Pid pid;
    Text<16> name;
  } survivors[kMaxSurvivors];
  bool has_fault;
  ErrorCode fault_code;
  int fault_os_code;
  Text<96> fault_op;
  Text<96> fault_subject;
  Text<32> fault_cause;
  Text<256> fault_detail;
};
static_assert(std::is_trivially_copyable_v<Bytes>);
static_assert(sizeof(Bytes) <= 4096, "one write to a pipe must take it whole");

std::int64_t to_count(WallTime time) { return time.time_since_epoch().count(); }
WallTime to_time(std::int64_t count) { return WallTime(Duration(count)); }

}  // namespace

std::string to_bytes(const TreeReport& report) {
  Bytes bytes{};
  bytes.started.set(report.started ? std::optional(to_count(*report.started)) : std::nullopt);
  bytes.ended = to_count(report.ended);
  bytes.containment = report.containment;
  for (const CommandFacts& command : report.commands) {
    if (bytes.command_count == kMaxCommands) break;
    auto& slot = bytes.commands[bytes.command_count++];
    slot.pid.set(command.pid);
    slot.start_failure.set(command.start_failure);
    slot.end.set(command.end);
  }
  bytes.output_cut = report.output_cut;
  bytes.deadline_fired = report.deadline_fired;
  bytes.ended_by = report.ended_by;
  bytes.asked.set(report.asked);
  bytes.verified.set(report.verified);
  bytes.empty = report.empty;
  bytes.left_alone = report.left_alone;
  bytes.terminated = report.terminated;
  bytes.killed = report.killed;
  bytes.oom_killed = report.oom_killed;
  for (const std::string& text : report.limits_by) {
    if (bytes.limit_count == kMaxLimits) break;
    bytes.limits_by[bytes.limit_count++].set(text);
  }
  bytes.survivors_total = static_cast<std::uint32_t>(report.survivors.size());
  for (const Survivor& survivor : report.survivors) {
    if (bytes.survivor_count == kMaxSurvivors) break;
    auto& slot = bytes.survivors[bytes.survivor_count++];
    slot.pid = survivor.pid;
    slot.name.set(survivor.name);
  }
  bytes.has_fault = report.fault.has_value();
  if (report.fault) {
    bytes.fault_code = report.fault->code;
    bytes.fault_os_code = report.fault->os_code;
    bytes.fault_op.set(report.fault->op);
    bytes.fault_subject.set(report.fault->subject);
    bytes.fault_cause.set(report.fault->cause);
    bytes.fault_detail.set(report.fault->detail);
  }
  std::string text(sizeof(bytes), '\0');
  std::memcpy(text.data(), &bytes, sizeof(bytes));
  return text;
}

std::optional<TreeReport> from_bytes(std::string_view text) {
  Bytes bytes{};
  if (text.size() != sizeof(bytes)) return std::nullopt;
  std::memcpy(&bytes, text.data(), sizeof(bytes));
  TreeReport report;
  if (bytes.started.has) report.started = to_time(bytes.started.value);
  report.ended = to_time(bytes.ended);
  report.containment = bytes.containment;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.command_count, kMaxCommands); ++i) {
    const auto& slot = bytes.commands[i];
    report.commands.push_back({slot.pid.get(), slot.start_failure.get(), slot.end.get()});
  }
  report.output_cut = bytes.output_cut;
  report.deadline_fired = bytes.deadline_fired;
  report.ended_by = bytes.ended_by;
  report.asked = bytes.asked.get();
  report.verified = bytes.verified.get();
  report.empty = bytes.empty;
  report.left_alone = bytes.left_alone;
  report.terminated = bytes.terminated;
  report.killed = bytes.killed;
  report.oom_killed = bytes.oom_killed;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.limit_count, kMaxLimits); ++i) {
    report.limits_by.push_back(bytes.limits_by[i].get());
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.survivor_count, kMaxSurvivors); ++i) {
    report.survivors.push_back({bytes.survivors[i].pid, bytes.survivors[i].name.get()});
  }
  report.survivors_total = bytes.survivors_total;
  if (bytes.has_fault) {
    report.fault = Error{.code = bytes.fault_code,
                         .op = bytes.fault_op.get(),
                         .subject = bytes.fault_subject.get(),
                         .cause = bytes.fault_cause.get(),
                         .detail = bytes.fault_detail.get(),
                         .os_code = bytes.fault_os_code};
  }
  return report;
}

}  // namespace holdfast::supervise
