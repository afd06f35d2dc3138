// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_args.h"

#include <algorithm>

#include "cli/frame/args_builder.h"
#include "cli/frame/option_value.h"

namespace holdfast::cli {

Error as_config(Error error, const std::vector<ProfileOption>& options, const std::string& place) {
  if (error.code != ErrorCode::kUsage) return error;
  error.code = ErrorCode::kConfig;
  std::string where = place;
  for (const ProfileOption& option : options) {
    if (error.op != "use the value of --" + option.option) continue;
    if (error.subject != "'" + option.value + "'") continue;
    where = option.place;
    break;
  }
  error.detail = error.op + " " + error.subject + ": " + error.detail;
  error.op = "read";
  error.subject = where;
  return error;
}

Result<Args> checked_args(const CommandSpec& spec, const std::vector<ProfileOption>& options,
                          const std::string& place, std::optional<std::string> argument,
                          std::vector<std::string> command) {
  ArgsBuilder args(spec);
  for (const ProfileOption& option : options) {
    const auto known = std::ranges::find(spec.options, option.option, &OptionSpec::name);
    const auto checked = check_value(*known, option.value);
    if (!checked) return fail(as_config(checked.error(), options, place));
    args.option(option.option, option.value);
  }
  if (argument) args.argument(*std::move(argument));
  args.trailing(std::move(command));
  return args.build();
}

}  // namespace holdfast::cli
