// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/workspace_authority.h"

namespace holdfast::cli {

Result<std::optional<Authority>> authority_option(const Args& args) {
  const auto typed = args.text("authority");
  if (!typed) return std::nullopt;
  const AuthorityName name = HF_TRY(parse_authority(*typed));
  auto described = authority::describe(name);
  if (described) return *std::move(described);
  Error error = std::move(described).error();
  error.detail += "; the workspace was left as it is";
  return fail(std::move(error));
}

// Two harnesses that make up the same name would share a container, and whoever ends first would
// take the directory from under the other. A workspace that has the name already is told as that.
Result<> check_container_is_new(const session::SessionStore& sessions,
                                const session::WorkspaceRequest& order) {
  if (!order.authority || order.authority->full_id.empty()) return {};
  const AuthorityKind kind = order.authority->kind;
  if (kind != AuthorityKind::kPodman && kind != AuthorityKind::kDocker) return {};
  if (order.name && HF_TRY(sessions.find(*order.name))) return {};
  return fail(
      {.code = ErrorCode::kRefused,
       .op = "make a workspace for",
       .subject = to_text(*order.authority),
       .cause = "container-exists",
       .detail = "there is such a container already (" + order.authority->full_id.substr(0, 12) +
                 "), which may be somebody else's; take another name, or, if it is yours, "
                 "make the workspace without --authority and add it with `holdfast workspace "
                 "set NAME --authority " +
                 to_text(*order.authority) + "`; nothing was made"});
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
