// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_options.h"

#include "base/units.h"
#include "cli/frame/option_value.h"
#include "format/text/name_escape.h"
#include "os/path/path.h"
#include "run/lock/name_lock.h"
#include "run/session/log_file.h"
#include "supervise/tree_request.h"

namespace holdfast::cli {

Result<std::string> step_key(const Args& args, StepKind kind) {
  const std::string& key = args.arguments().front();
  if (key.empty()) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "use the key",
                 .subject = "''",
                 .cause = "bad-value",
                 .detail = "it is empty"});
  }
  // The longest name that is made of it is that of the lock of its session.
  const std::string lock = run::name_lock_of(step_session(kind, key));
  if (const auto escaped = escape_name(lock, platform_name_rules()); !escaped) {
    Error error = escaped.error();
    error.op = "use the key";
    error.subject = "'" + key + "'";
    if (lock.size() > kMaxRawName) {
      const std::size_t most = kMaxRawName - (lock.size() - key.size());
      error.detail = "a key of `" + std::string(to_text(kind)) + "` has at most " +
                     std::to_string(most) + " bytes";
    }
    return fail(std::move(error));
  }
  return key;
}

Result<run::RunOrder> step_run_order(const Context& context, const Args& args) {
  run::RunOrder order;
  SessionOrder& what = order.what;
  what.command = args.trailing();
  what.directory = HF_TRY(os::working_dir());
  what.timeout = args.duration("timeout");
  if (what.timeout && *what.timeout <= Duration::zero()) {
    return bad_value("timeout", *args.text("timeout"),
                     "a deadline is more than 0; leave the option out for none");
  }
  what.grace = args.duration("grace").value_or(supervise::kDefaultGrace);
  what.verify_timeout = run::kDefaultVerifyTimeout;
  what.log = false;
  what.log_max = run::kDefaultLogMax;
  if (context.json()) order.stdout_to = os::StdoutTo::kStderr;
  return order;
}

Result<std::vector<Duration>> backoff_value(const Args& args) {
  std::vector<Duration> waits;
  const auto typed = args.text("backoff");
  if (!typed) return waits;
  std::string_view rest = *typed;
  for (;;) {
    const std::size_t comma = rest.find(',');
    const auto wait = parse_duration(rest.substr(0, comma));
    if (!wait) return bad_value("backoff", *typed, "write durations such as 5m,30m,2h");
    waits.push_back(*wait);
    if (comma == rest.npos) return waits;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace holdfast::cli
