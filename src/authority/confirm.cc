// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the context is switched, or the daemon is started again with another
// store, between the list and the question about one container. The other daemon then says truly
// that it knows of no such container. So the daemon is asked who it is once more after the last of
// the questions, and only where it is still the recorded one do the denials count.
#include <algorithm>

#include "authority/ask.h"
#include "authority/engine.h"

namespace holdfast::authority {
namespace {

Verdict not_confirmed(std::string reason, std::string detail = {}) {
  return {.vouched = Vouched::kUnknown, .reason = std::move(reason), .detail = std::move(detail)};
}

Result<bool> engine_has(const Question& question, const std::string& name,
                        const Deadline& deadline) {
  switch (question.kind) {
    case AuthorityKind::kPodman:
      return podman_has(name, deadline);
    case AuthorityKind::kDocker:
      return docker_has(name, deadline);
    case AuthorityKind::kSystemd:
      return systemd_has(question.endpoint, name, deadline);
    case AuthorityKind::kTmux:
      return tmux_has(question.endpoint, name, deadline);
    case AuthorityKind::kCommand:
    case AuthorityKind::kProcess:
      break;
  }
  return not_told("not-asked", "it", "it cannot be asked by id");
}

std::string denial_of(AuthorityKind kind) {
  if (kind == AuthorityKind::kSystemd) return "no-such-unit";
  return kind == AuthorityKind::kTmux ? "no-such-session" : "no-such-container";
}

Verdict confirm_one(const Question& question, const Authority& authority, Duration timeout) {
  auto names = spellings(authority.kind, authority.id);
  if (!names) return not_confirmed(names.error().cause);
  // Tmux reads `.` and `:` in what is typed as its own signs, and lists them as `_`.
  if (authority.kind == AuthorityKind::kTmux) names->erase(names->begin());
  if (!authority.full_id.empty()) names->push_back(authority.full_id);
  const Deadline deadline(timeout);
  for (const std::string& name : *names) {
    const auto has = engine_has(question, name, deadline);
    if (!has)
      return not_confirmed(has.error().cause, has.error().subject + ": " + has.error().detail);
    if (*has) return {.vouched = Vouched::kLive, .reason = "listed"};
  }
  return {.vouched = Vouched::kDead, .reason = denial_of(authority.kind), .by_identity = true};
}

}  // namespace

std::vector<Verdict> confirm(const Question& question, const Answer& answer,
                             const std::vector<Authority>& gone, Duration timeout) {
  std::vector<Verdict> verdicts;
  verdicts.reserve(gone.size());
  for (const Authority& authority : gone) {
    verdicts.push_back(confirm_one(question, authority, timeout));
    // Whoever does not answer any more is not asked again and again.
    if (verdicts.back().vouched == Vouched::kUnknown) break;
  }
  if (verdicts.size() < gone.size()) verdicts.resize(gone.size(), verdicts.back());
  const bool any_dead = std::ranges::any_of(
      verdicts, [](const Verdict& verdict) { return verdict.vouched == Vouched::kDead; });
  if (!any_dead) return verdicts;

  const Answer after = ask(question, timeout);
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (verdicts[i].vouched != Vouched::kDead) continue;
    Verdict now = judge(gone[i], {}, &after);
    if (now.vouched != Vouched::kDead) {
      verdicts[i] = std::move(now);
    } else if (!now.to_confirm || after.daemon != answer.daemon) {
      verdicts[i] = not_confirmed("other-daemon");
    }
  }
  return verdicts;
}

}  // namespace holdfast::authority
