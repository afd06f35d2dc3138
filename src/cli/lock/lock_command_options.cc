// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_command_options.h"

#include <algorithm>

#include "base/units.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_options.h"
#include "supervise/tree_request.h"

namespace holdfast::cli {
namespace {

constexpr Duration kLongestDefaultGrace = std::chrono::seconds(5);

OnLost on_lost_value(const Args& args) {
  const std::string word = args.text("on-lost").value_or("term");
  if (word == "notify") return OnLost::kNotify;
  return word == "ignore" ? OnLost::kIgnore : OnLost::kTerm;
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
  LockChain chain = HF_TRY(chain_of_environment());
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

Result<LockCommand> lock_command_of(const Context& context, const Args& args) {
  LockCommand command;
  command.argv = args.trailing();
  command.id = HF_TRY(lock_id(args));
  command.request = HF_TRY(acquire_request(args, command.id));
  command.request.binding = LockBinding::kExec;
  command.request.command = command.argv.front();
  command.any = any_file_system(args);
  command.fail_open = HF_TRY(fail_open_reasons(args));
  command.on_lost = on_lost_value(args);
  command.grace = HF_TRY(grace_value(args));
  command.wait_descendants = args.flag("wait-descendants");
  if (context.json()) command.stdout_to = os::StdoutTo::kStderr;
  command.request.chain = HF_TRY(chain_for_one_more());
  return command;
}

}  // namespace holdfast::cli
