// SPDX-License-Identifier: Apache-2.0
#include "cli/session/series_options.h"

#include "base/budget.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"

namespace holdfast::cli {
namespace {

Result<std::uint64_t> at_least_one(const Args& args, std::string_view option,
                                   std::uint64_t otherwise) {
  const auto number = args.integer(option);
  if (!number) return otherwise;
  if (*number > 0) return *number;
  return bad_value(option, std::to_string(*number), "at least 1");
}

// `sh -c ''` exits with 0: an empty variable would be a goal that is reached.
Result<std::optional<std::string>> series_options_shell_line(const Args& args,
                                                             std::string_view option) {
  auto line = args.text(option);
  if (!line || line->find_first_not_of(" \t\n") != std::string::npos) return line;
  return bad_value(option, *line, "a command for the shell; an empty one would always succeed");
}

}  // namespace

Result<> refuse_budget(std::string_view what, std::string_view why) {
  if (!budget()) return {};
  return fail(usage_error("conflict", "use", "--budget",
                          "together with " + std::string(what) + ": " + std::string(why)));
}

Result<> check_series_options(const Args& args) {
  if (args.integer("iterations")) {
    if (!args.flag("detach")) return {};
    return fail(usage_error("conflict", "use", "--iterations",
                            "with --detach: detach the driver instead: `holdfast run -d --name "
                            "driver -- holdfast run --iterations …`"));
  }
  for (const char* option :
       {"until", "iteration-timeout", "max-errors", "progress", "max-idle", "pause"}) {
    if (!args.text(option)) continue;
    return fail(
        usage_error("conflict", "use", "--" + std::string(option), "it requires --iterations"));
  }
  if (!args.flag("fresh")) return {};
  return fail(
      usage_error("conflict", "use", "--fresh", "without --iterations: any other run begins anew"));
}

Result<loop::SeriesRequest> series_order(const Args& args, run::RunOrder order) {
  if (!order.name) {
    return fail(usage_error("missing-option", "use", "--iterations",
                            "without --name: its iterations are runs of a session; say which"));
  }
  loop::SeriesRequest series;
  series.limits.iterations = HF_TRY(at_least_one(args, "iterations", 1));
  series.limits.max_errors = HF_TRY(at_least_one(args, "max-errors", series.limits.max_errors));
  series.limits.max_idle = HF_TRY(at_least_one(args, "max-idle", series.limits.max_idle));
  series.until = HF_TRY(series_options_shell_line(args, "until"));
  series.progress = HF_TRY(series_options_shell_line(args, "progress"));
  series.pause = args.duration("pause").value_or(Duration::zero());
  series.wait = args.duration("wait");
  series.fresh = args.flag("fresh");
  series.timeout = args.duration("timeout");
  series.run = std::move(order);
  SessionOrder& what = series.run.what;
  series.ask_timeout = what.verify_timeout;
  if (series.timeout) what.timeout.reset();
  if (const auto limit = args.duration("iteration-timeout")) {
    if (*limit <= Duration::zero()) {
      return bad_value("iteration-timeout", *args.text("iteration-timeout"),
                       "a deadline is more than 0; leave the option out for none");
    }
    what.timeout = limit;
  }
  return series;
}

}  // namespace holdfast::cli
