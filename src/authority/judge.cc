// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "authority/ask.h"
#include "authority/engine.h"
#include "base/cause.h"
#include "os/stream/socket_listener.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::authority {
namespace {

Verdict unknown(std::string reason) {
  return {.vouched = Vouched::kUnknown, .reason = std::move(reason)};
}

Verdict judge_process(const std::optional<ProcessIdentity>& process) {
  if (!process) return unknown("no-pid");
  auto found = proc::judge(proc::from_record(*process));
  switch (found.life) {
    case proc::Life::kLive:
      return {.vouched = Vouched::kLive, .reason = std::move(found.evidence)};
    case proc::Life::kDead:
      return {.vouched = Vouched::kDead, .reason = std::move(found.evidence), .by_identity = true};
    case proc::Life::kUnknown:
      break;
  }
  return unknown(std::move(found.evidence));
}

// Nothing is a daemon only to a command.
bool same(const std::string& recorded, const std::string& answered, AuthorityKind kind) {
  return recorded == answered && (kind == AuthorityKind::kCommand || !recorded.empty());
}

// nullopt: it was the one who vouches that answered.
std::optional<Verdict> wrong_answer(const Authority& authority, const Answer& answer) {
  if (!answer.told) return unknown(answer.reason);
  if (authority.machine == Id128{} || authority.machine != answer.machine) {
    return unknown("other-machine");
  }
  if (authority.uid != answer.uid) return unknown("other-user");
  if (!same(authority.endpoint, answer.endpoint, authority.kind)) return unknown("other-endpoint");
  const bool before = !answer.daemon_before.empty() && authority.daemon == answer.daemon_before;
  if (!before && !same(authority.daemon, answer.daemon, authority.kind)) {
    return unknown("other-daemon");
  }
  return std::nullopt;
}

bool begins_a_listed_id(const std::string& typed, const Answer& answer) {
  return could_begin_an_id(typed) && std::ranges::any_of(answer.exist, [&](const auto& name) {
           return is_container_id(name) && name.starts_with(typed);
         });
}

// The recorded server is proven dead, and its sessions were inside it. But somebody may have
// started another one at the same socket, with a session of the same name, that works in the same
// directory: of that one nothing is known. So the death counts only where nobody listens there, or
// whoever does lists no such session.
Verdict judge_without_server(const Authority& authority, const Verdict& dead,
                             const Answer* answer) {
  const auto listener = os::listener_of(authority.endpoint);
  const bool nobody = !listener && (listener.error().cause == cause::kEnoent ||
                                    listener.error().cause == cause::kEconnrefused);
  if (nobody) return dead;
  if (answer == nullptr) return unknown("not-asked");
  if (!answer->told) return unknown(answer->reason);
  if (answer->endpoint != authority.endpoint) return unknown("other-endpoint");
  const auto names = spellings(authority.kind, authority.id);
  if (!names) return unknown(names.error().cause);
  const bool listed = std::ranges::any_of(
      *names, [&](const std::string& name) { return answer->exist.contains(name); });
  return listed ? unknown("other-daemon") : dead;
}

}  // namespace

Verdict judge(const Authority& authority, const std::string& session, const Answer* answer) {
  if (authority.kind == AuthorityKind::kProcess) return judge_process(authority.process);
  if (authority.kind == AuthorityKind::kTmux && authority.process) {
    auto server = judge_process(authority.process);
    if (server.vouched == Vouched::kDead) return judge_without_server(authority, server, answer);
  }
  if (answer == nullptr) return unknown("not-asked");
  if (auto wrong = wrong_answer(authority, *answer)) return *std::move(wrong);

  const auto names = spellings(authority.kind, authority.id);
  if (!names) return unknown(names.error().cause);
  Verdict listed{.vouched = Vouched::kLive, .reason = "listed"};
  const auto is_listed = [&](const std::string& name) { return answer->exist.contains(name); };
  if (!authority.full_id.empty() && is_listed(authority.full_id)) return listed;
  if (std::ranges::any_of(*names, is_listed)) return listed;
  if (authority.kind == AuthorityKind::kCommand && is_listed(session)) return listed;
  const bool container =
      authority.kind == AuthorityKind::kPodman || authority.kind == AuthorityKind::kDocker;
  if (container && authority.full_id.empty() && begins_a_listed_id(names->front(), *answer)) {
    return listed;
  }
  // A record of 0.1 may not name the store.
  const bool identified = answer->identified && authority.daemon == answer->daemon;
  return {.vouched = Vouched::kDead, .reason = "not-listed", .to_confirm = identified};
}

std::string newly_known_id(const Authority& authority, const Answer& answer) {
  if (!authority.full_id.empty() || answer.ids.empty() || wrong_answer(authority, answer))
    return {};
  const auto names = spellings(authority.kind, authority.id);
  if (!names) return {};
  for (const std::string& name : *names) {
    const auto found = answer.ids.find(name);
    if (found != answer.ids.end()) return found->second;
  }
  return {};
}

}  // namespace holdfast::authority
