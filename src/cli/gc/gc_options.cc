// SPDX-License-Identifier: Apache-2.0
#include "cli/gc/gc_options.h"

#include <algorithm>

#include "base/path_text.h"
#include "cli/frame/command_line.h"
#include "cli/frame/user_file.h"
#include "gc/pattern.h"

namespace holdfast::cli {
namespace {

Error conflict(std::string_view option, std::string_view why) {
  return usage_error("conflict", "use", "--" + std::string(option), std::string(why));
}

bool looks_like_a_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

Result<std::vector<GcProbe>> probes_of(const Args& args) {
  std::vector<GcProbe> probes;
  for (const std::string& text : args.texts("probe")) {
    const std::size_t equals = text.find('=');
    GcProbe probe{.command = text};
    if (equals != std::string::npos &&
        looks_like_a_name(std::string_view(text).substr(0, equals))) {
      probe = {.pool = text.substr(0, equals), .command = text.substr(equals + 1)};
    }
    if (probe.command.empty()) {
      return fail(usage_error("bad-value", "use the value of", "--probe", "it names no command"));
    }
    if (std::ranges::find(probes, probe.pool, &GcProbe::pool) != probes.end()) {
      return fail(conflict("probe", "two commands speak for the same workspaces"));
    }
    probes.push_back(std::move(probe));
  }
  return probes;
}

Result<> check_apply(const Args& args) {
  const auto typed = [&](std::string_view name) {
    return args.flag(name) ? fail(conflict(name, "the plan of --apply has been made already"))
                           : Result<>();
  };
  for (const std::string_view name : {"plan", "dry-run", "allow-all", "runs"}) HF_TRY(typed(name));
  for (const std::string_view name : {"grace", "keep", "max-age", "adopt-dir"}) {
    if (args.text(name)) return fail(conflict(name, "the plan of --apply has been made already"));
  }
  if (!args.texts("allow").empty()) {
    return fail(conflict("allow", "the plan of --apply has been made already"));
  }
  if (args.texts("probe").empty()) return {};
  return fail(conflict("probe", "the plan of --apply has its probes"));
}

Result<std::optional<gc::AdoptRequest>> adopt_of(const Args& args, Duration timeout) {
  const auto dir = args.text("adopt-dir");
  const auto pattern = args.text("pattern");
  const auto authority = args.text("authority");
  if (!dir && !pattern && !authority) return std::nullopt;
  if (!dir || !pattern) {
    return fail(usage_error("missing-option", "adopt directories without",
                            dir ? "--pattern" : "--adopt-dir", "both are needed"));
  }
  if (authority) {
    if (const auto unknown = gc::unknown_placeholder(*authority); !unknown.empty()) {
      return fail(usage_error("bad-value", "use the value of", "--authority",
                              "there is no '" + std::string(unknown) +
                                  "'; `{*}` is what the `*` stands for, `{name}` the name"));
    }
  }
  gc::AdoptRequest order{.pattern = *pattern, .authority = authority, .timeout = timeout};
  order.directory = HF_TRY(absolute_path(*dir));
  order.directory = without_trailing_separators(order.directory);
  return std::optional(std::move(order));
}

}  // namespace

Result<GcRequest> gc_call(const Args& args) {
  GcRequest call;
  call.plan_only = args.flag("plan") || args.flag("dry-run");
  call.apply = args.text("apply");
  if (call.apply) HF_TRY(check_apply(args));
  gc::Options& options = call.options;
  options.probes = HF_TRY(probes_of(args));
  options.probe_timeout = args.duration("probe-timeout").value_or(options.probe_timeout);
  options.grace = args.duration("grace").value_or(options.grace);
  options.rescue = args.text("rescue");
  options.rescue_timeout = args.duration("rescue-timeout").value_or(options.rescue_timeout);
  options.keep = args.integer("keep");
  options.max_age = args.duration("max-age");
  options.trash_for = args.duration("trash-for").value_or(options.trash_for);
  options.allow_all = args.flag("allow-all");
  options.allow = args.texts("allow");
  options.runs = args.flag("runs");
  call.overrides = {.probe_timeout = args.duration("probe-timeout"),
                    .rescue = args.text("rescue"),
                    .rescue_timeout = args.duration("rescue-timeout"),
                    .trash_for = args.duration("trash-for")};
  call.adopt = HF_TRY(adopt_of(args, options.probe_timeout));
  if (call.adopt) call.adopt->only_look = call.plan_only;
  return call;
}

}  // namespace holdfast::cli
