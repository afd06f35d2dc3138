// SPDX-License-Identifier: Apache-2.0
#include "cli/process/kill_order.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "base/budget.h"
#include "cli/frame/option_value.h"
#include "os/machine/real_clock.h"
#include "os/signal/signals.h"

namespace holdfast::cli {
namespace {

constexpr int kLargestSignal = 64;

// ASCII only: names of signals have nothing else.
std::string kill_options_upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

}  // namespace

Result<int> parse_signal(std::string_view typed) {
  int number = 0;
  const char* end = typed.data() + typed.size();
  const auto read = std::from_chars(typed.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end && number >= 1 && number <= kLargestSignal) {
    return number;
  }
  std::string name = kill_options_upper(typed);
  if (name.starts_with("SIG")) name.erase(0, 3);
  for (int signal = 1; signal <= kLargestSignal; ++signal) {
    if (os::signal_name(signal) == name) return signal;
  }
  return bad_value("signal", typed,
                   "it is the name of a signal (TERM, SIGTERM) or a number from 1 to 64; to ask "
                   "whether it lives use `holdfast alive`");
}

namespace {

// KILL comes while there is still time to see what came of it.
void keep_to_budget(proc::KillOrder& order) {
  const auto left = within_budget(std::nullopt, os::RealClock().mono()).time;
  if (!left) return;
  order.grace = std::min(order.grace, *left - *left / 4);
  const Duration rest = *left - order.grace;
  if (order.wait) order.wait = std::min(*order.wait, rest);
  if (!order.wait && !order.signal) order.wait = std::min(proc::kKillPatience, rest);
}

}  // namespace

Result<proc::KillOrder> kill_order(const Args& args) {
  proc::KillOrder order{.tree = args.flag("tree")};
  if (const auto typed = args.text("signal")) {
    order.signal = HF_TRY(parse_signal(*typed));
    if (args.text("grace")) {
      return bad_value("grace", *args.text("grace"), "with --signal there is no second one");
    }
  }
  order.grace = args.duration("grace").value_or(proc::kKillGrace);
  order.wait = args.duration("wait");
  keep_to_budget(order);
  return order;
}

Result<int> answer_kill(Context& context, std::int32_t pid, const proc::KillReport& report) {
  context.emit(proc::kill_fields(pid, report));
  if (report.unrecorded) {
    context.warn("the outcome is not on record: " + to_sentence(*report.unrecorded));
  }
  const ExitCode code = proc::exit_of(report.outcome);
  if (code == ExitCode::kDone) {
    context.note(std::string(to_text(report.outcome)) + ": " + proc::process_text(pid, report));
    return to_int(ExitCode::kDone);
  }
  Error error = proc::kill_error(pid, report);
  if (code != ExitCode::kSurvivors) return fail(std::move(error));
  context.report(error);
  return to_int(ExitCode::kSurvivors);
}

}  // namespace holdfast::cli
