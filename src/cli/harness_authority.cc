// SPDX-License-Identifier: Apache-2.0
#include "cli/harness_authority.h"

namespace holdfast::cli {

Result<std::optional<Authority>> authority_option(const Args& args) {
  const auto typed = args.text("authority");
  if (!typed) return std::nullopt;
  const AuthorityName name = HF_TRY(parse_authority(*typed));
  auto described = authority::describe(name);
  if (described) return *std::move(described);
  Error error = std::move(described).error();
  error.detail += "; the session was left as it is";
  return fail(std::move(error));
}

authority::Verdict ask_about(const Authority& authority, const std::string& session) {
  const auto question = authority::question_for(authority);
  if (!question || authority.kind == AuthorityKind::kCommand) {
    return authority::judge(authority, session, nullptr);
  }
  const authority::Answer answer = authority::ask(*question, authority::kProbeTimeout);
  return authority::judge(authority, session, &answer);
}

}  // namespace holdfast::cli
