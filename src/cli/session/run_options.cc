// SPDX-License-Identifier: Apache-2.0
#include "cli/session/run_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/path_text.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/frame/user_file.h"
#include "cli/process/kill_order.h"
#include "cli/session/if_busy.h"
#include "cli/session/run_perform.h"
#include "format/text/name_escape.h"
#include "lock/grant/slots.h"
#include "os/machine/random.h"
#include "os/path/path.h"
#include "os/stream/stdio.h"
#include "proc/identity/caller.h"
#include "proc/identity/identity.h"
#include "run/session/log_file.h"
#include "supervise/tree_request.h"

namespace holdfast::cli {
namespace {

constexpr Duration kDefaultLockWait = std::chrono::seconds(10);
constexpr std::uint64_t kSmallestLog = 4096;

Result<std::optional<Duration>> limit_value(const Args& args, std::string_view option) {
  const auto limit = args.duration(option);
  if (!limit || *limit > Duration::zero()) return limit;
  return bad_value(option, *args.text(option),
                   "a deadline is more than 0; leave the option out for none");
}

Result<std::vector<std::string>> environment_value(const Args& args) {
  std::vector<std::string> all = args.texts("env");
  for (const std::string& one : all) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0)
      return bad_value("env", one, "write it as NAME=VALUE");
  }
  return all;
}

// "agents=3"
Result<lock::SlotsRequest> slots_of_text(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto slots =
      equals == text.npos || equals == 0
          ? std::nullopt
          : lock::parse_any_slot(text.substr(0, equals) + "/?of" + text.substr(equals + 1));
  if (!slots) {
    return bad_value("slots", text,
                     "write it as NAME=N, with N from 1 to " + std::to_string(lock::kMostSlots));
  }
  if (is_lock_path(slots->name))
    return bad_value("slots", text, "a path has no slots; give the name of a lock");
  HF_TRY(escape_name(
      to_text(lock::SlotName{.name = slots->name, .number = slots->count, .count = slots->count}),
      platform_name_rules()));
  return *slots;
}

// "1.5" processors or "150%".
Result<std::optional<std::uint64_t>> cpu_value(const Args& args) {
  const auto typed = args.text("cpu");
  if (!typed) return std::optional<std::uint64_t>();
  std::string_view text = *typed;
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  const double value = percent ? number : number * 100;
  constexpr double kMost = 1e6;
  if (bad != std::errc() || end != text.data() + text.size() || !(value >= 1) || value > kMost)
    return bad_value("cpu", *typed, "a number of processors, such as 1.5, or 150%");
  return std::optional(static_cast<std::uint64_t>(std::lround(value)));
}

Result<std::optional<std::uint64_t>> count_value(const Args& args, std::string_view option,
                                                 std::uint64_t least) {
  const auto count = args.integer(option);
  if (!count || *count >= least) return count;
  return bad_value(option, std::to_string(*count), "at least " + std::to_string(least));
}

// For --detach without a name: after the program, and never one that is there already.
std::string made_up_name(const std::string& program, const Id128& run) {
  std::string stem(last_component(program));
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  std::erase_if(stem, [&](char c) { return !fits(c); });
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kDigits = 8;
  if (stem.empty()) stem = "run";
  return stem.substr(0, kLongest) + "-" + to_hex(run).substr(0, kDigits);
}

Result<> check_alone(const Args& args, const run::RunOrder& order) {
  if (order.name) return {};
  for (const char* option : {"no-log", "log-max"}) {
    const bool typed =
        option == std::string_view("no-log") ? args.flag(option) : args.size(option).has_value();
    if (!typed) continue;
    return fail(usage_error("conflict", "use", "--" + std::string(option),
                            "without --name: only a session has a log"));
  }
  if (args.flag("once-per-streak")) {
    return fail(usage_error("conflict", "use", "--once-per-streak",
                            "without --name: the runs of a name make a streak"));
  }
  return {};
}

Result<> fill_limits(const Args& args, SessionOrder& what) {
  what.memory = args.size("memory");
  constexpr std::uint64_t kLeastMemory = 1U << 20U;
  if (what.memory && *what.memory < kLeastMemory)
    return bad_value("memory", *args.text("memory"), "at least 1M");
  what.memory_by_rlimit = args.text("memory-fallback") == "rlimit";
  what.pids = HF_TRY(count_value(args, "pids", 1));
  what.cpu_percent = HF_TRY(cpu_value(args));
  constexpr std::uint64_t kLeastFiles = 4;
  what.nofile = HF_TRY(count_value(args, "nofile", kLeastFiles));
  what.limits_best_effort = args.flag("limits-best-effort");
  what.own_pid_namespace = args.text("contain") == "pidns";
  return {};
}

std::unexpected<Error> no_owner(const std::string& typed, std::string detail) {
  return fail({.code = ErrorCode::kNotFound,
               .op = "bind the run to",
               .subject = "process " + typed,
               .cause = "owner-gone",
               .detail = std::move(detail) + "; nothing was started"});
}

// Its end must be seen, so it is pinned here; the supervisor pins it again by its identity.
Result<std::optional<ProcessIdentity>> owner_value(const Args& args) {
  const auto typed = args.text("owner");
  if (!typed) return std::nullopt;
  if (*typed == "parent") {
    const proc::Pinned parent = HF_TRY(proc::parent_process());
    if (parent.identity.pid != os::Pid{1}) return proc::to_record(parent.identity);
    return fail(usage_error("no-owner", "use", "--owner parent",
                            "the parent is process 1: the caller has ended, or it must be named "
                            "with --owner PID; nothing was started"));
  }
  std::int32_t pid = 0;
  const auto [end, bad] = std::from_chars(typed->data(), typed->data() + typed->size(), pid);
  if (bad != std::errc() || end != typed->data() + typed->size() || pid <= 0)
    return bad_value("owner", *typed, "it is the number of a process, or `parent`");
  const auto owner = HF_TRY(proc::pin(os::Pid{pid}));
  if (!owner) return no_owner(*typed, "no process has this number, or it has ended");
  return proc::to_record(owner->identity);
}

// --wait is of the locks; with `wait` of the name as well, with `replace` of the old run's end.
Result<> fill_if_busy(const Args& args, run::RunOrder& order) {
  using run::IfBusy;
  order.if_busy = if_busy_value(args);
  const auto wait = args.duration("wait");
  const bool skips = order.if_busy == IfBusy::kSkip;
  order.lock_wait = wait.value_or(skips ? Duration::zero() : kDefaultLockWait);
  if (order.if_busy == IfBusy::kWait) order.name_wait = wait.value_or(kDefaultLockWait);
  const bool iterated = args.integer("iterations").has_value();
  const bool takes_over = order.if_busy == IfBusy::kWait || order.if_busy == IfBusy::kReplace;
  if (iterated && takes_over) {
    return fail(usage_error("conflict", "use", "--if-busy " + *args.text("if-busy"),
                            "with --iterations: a series goes on where it was left; stop the other "
                            "driver with `holdfast stop`"));
  }
  if (order.if_busy == IfBusy::kReplace) {
    if (!order.name || order.name_is_made_up) {
      return fail(usage_error("conflict", "use", "--if-busy replace",
                              "without --name: only a session can be replaced"));
    }
    order.replace_wait = wait;
  }
  const bool no_wait = skips || order.if_busy == IfBusy::kFail;
  if (wait && args.text("if-busy") && no_wait && args.texts("lock").empty() &&
      args.texts("slots").empty() && !iterated) {
    return fail(usage_error(
        "conflict", "use", "--wait",
        "without --lock, and --if-busy " + *args.text("if-busy") + " does not wait for the name"));
  }
  return {};
}

}  // namespace

Result<run::RunOrder> run_order(const Context& context, const Args& args) {
  run::RunOrder order;
  order.run = HF_TRY(os::random_id());
  order.name = args.text("name");
  if (args.flag("detach")) {
    HF_TRY(refuse_inside_run("--detach", kInsteadOfDetach));
    order.ground = run::Ground::kBack;
    order.name_is_made_up = !order.name;
    if (!order.name) order.name = made_up_name(args.trailing().front(), order.run);
  }
  if (order.name)
    HF_TRY(escape_name(*order.name, platform_name_rules()));  // before anything is done
  SessionOrder& what = order.what;
  what.command = args.trailing();
  what.directory = args.text("chdir") ? HF_TRY(absolute_path(*args.text("chdir"))) : std::string();
  // A detached supervisor stands in `/`, and a record must say where its run was.
  if (what.directory.empty() && order.name) what.directory = HF_TRY(os::working_dir());
  what.environment = HF_TRY(environment_value(args));
  if (const auto path = args.text("stdin")) what.stdin_path = HF_TRY(absolute_path(*path));
  what.timeout = HF_TRY(limit_value(args, "timeout"));
  what.idle_timeout = HF_TRY(limit_value(args, "idle-timeout"));
  what.grace = args.duration("grace").value_or(supervise::kDefaultGrace);
  if (const auto signal = args.text("kill-signal")) {
    const auto number = parse_signal(*signal);
    if (!number) return bad_value("kill-signal", *signal, "a signal such as TERM, INT or 15");
    what.kill_signal = *number;
  }
  what.verify = HF_TRY(shell_line_value(args, "verify"));
  what.verify_timeout =
      HF_TRY(limit_value(args, "verify-timeout")).value_or(run::kDefaultVerifyTimeout);
  what.on_end = args.text("on-end");
  what.on_failure = args.text("on-failure");
  what.on_success = args.text("on-success");
  what.once_per_streak = args.flag("once-per-streak");
  for (const std::string& name : args.texts("lock")) {
    what.locks.push_back(is_lock_path(name) ? HF_TRY(absolute_path(name)) : name);
  }
  for (const std::string& one : args.texts("slots"))
    what.locks.push_back(lock::any_slot(HF_TRY(slots_of_text(one))));
  what.stagger = args.duration("stagger").value_or(Duration::zero());
  what.wait_descendants = args.flag("wait-descendants");
  what.pty = args.flag("pty");
  what.log = order.name.has_value() && !args.flag("no-log");
  what.log_max = std::max(args.size("log-max").value_or(run::kDefaultLogMax), kSmallestLog);
  HF_TRY(fill_limits(args, what));
  what.owner = HF_TRY(owner_value(args));
  HF_TRY(fill_if_busy(args, order));
  if (context.json()) order.stdout_to = os::StdoutTo::kStderr;
  order.progress = !context.json() && context.verbosity() == Verbosity::kNormal && !what.pty &&
                   os::is_terminal(os::Stream::kErr) && !os::is_terminal(os::Stream::kOut);
  HF_TRY(check_alone(args, order));
  if (what.pty && what.stdin_path) {
    return fail(usage_error("conflict", "use", "--stdin",
                            "with --pty: its terminal is what the command reads"));
  }
  return order;
}

}  // namespace holdfast::cli
