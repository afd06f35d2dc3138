// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_command_options.h"

#include <algorithm>

#include "base/units.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_options.h"
#include "run/lock/lock_environment.h"
#include "supervise/tree_request.h"

namespace holdfast::cli {
namespace {

constexpr Duration kLongestDefaultGrace = std::chrono::seconds(5);

run::OnLost on_lost_value(const Args& args) {
  const std::string word = args.text("on-lost").value_or("term");
  if (word == "notify") return run::OnLost::kNotify;
  return word == "ignore" ? run::OnLost::kIgnore : run::OnLost::kTerm;
}

Result<Duration> grace_value(const Args& args) {
  const auto grace = args.duration("grace");
  const auto ttl = args.duration("ttl");
  if (!ttl) {
    for (const char* option : {"grace", "on-lost"}) {
      if (!args.text(option)) continue;
      return fail(usage_error("conflict", "use", "--" + std::string(option),
                              "without --ttl: only a lease can be lost"));
    }
    return supervise::kDefaultGrace;
  }
  const Duration longest = lock::longest_grace(*ttl);
  if (!grace) return std::min(longest, kLongestDefaultGrace);
  if (*grace <= longest) return *grace;
  return bad_value("grace", *args.text("grace"),
                   "the command must be gone before the lease ends, so it is at most a sixth of "
                   "the ttl: " +
                       format_duration(longest));
}

Result<LockChain> chain_for_one_more() {
  LockChain chain = HF_TRY(run::chain_of_environment());
  if (chain.size() < kMaxChain) return chain;
  return fail(usage_error("chain-too-deep", "run under", "another lock",
                          std::to_string(kMaxChain) + " locks around one command are the limit"));
}

}  // namespace

Result<std::optional<int>> busy_code_value(const Args& args) {
  const auto code = args.integer("busy-code");
  if (!code) return std::optional<int>();
  if (*code <= 255) return std::optional(static_cast<int>(*code));
  return bad_value("busy-code", std::to_string(*code), "exit codes are 0 to 255");
}

Result<run::LockRunRequest> lock_run_request(const Context& context, const Args& args) {
  run::LockRunRequest request;
  request.argv = args.trailing();
  request.id = HF_TRY(lock_id(args));
  request.request = HF_TRY(acquire_request(args, request.id));
  request.request.binding = LockBinding::kExec;
  request.request.command = request.argv.front();
  request.any = any_file_system(args);
  request.fail_open = HF_TRY(fail_open_reasons(args));
  request.on_lost = on_lost_value(args);
  request.grace = HF_TRY(grace_value(args));
  request.wait_descendants = args.flag("wait-descendants");
  if (context.json()) request.stdout_to = os::StdoutTo::kStderr;
  request.request.chain = HF_TRY(chain_for_one_more());
  return request;
}

}  // namespace holdfast::cli
