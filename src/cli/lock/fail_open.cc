// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/fail_open.h"

#include "cli/frame/option_value.h"

namespace holdfast::cli {

Result<run::FailOpenReasons> fail_open_reasons(const Args& args) {
  const auto text = args.text("fail-open");
  if (!text) return run::FailOpenReasons{};
  auto reasons = run::parse_fail_open(*text);
  if (reasons) return *std::move(reasons);
  return bad_value("fail-open", reasons.error(),
                   "the reasons are timeout, guard-timeout, unknown, eacces, erofs, enospc, eio, "
                   "emfile, enolck, unsupported-fs and backend-down, separated by commas; or "
                   "any");
}

}  // namespace holdfast::cli
