// SPDX-License-Identifier: Apache-2.0
//
// Asking an authority: who are you, and what exists?
//
// describe() fills in, when a workspace is made, which daemon will have to vouch for it. ask() runs
// the real client (or `--probe`) with a time limit and answers with everything that *exists*:
// stopped containers too, because they can be resumed. judge() compares the two for one workspace.
//
// Guarantee: kDead is said only where the client exited with 0, in time, its output had the shape
// that it must have, the positive control was seen (below), the daemon is the recorded one, and the
// workspace was not in the list under any of its names. Everything else is kUnknown with a reason:
// the client is missing, exits with another code, is killed, hangs, prints garbage, or speaks to
// another daemon, context, user or machine.
//
// The positive controls: podman and docker say in one answer how many containers there are, and in
// the other list exactly so many; of systemd the list holds its own root slice; of tmux the list
// comes from the process that listens at the socket. `command` has none; its brake is gc's.
//
// Whom it asks: podman, docker and systemd as the environment leads their clients today, so that an
// answer from another context is seen as one (`other-endpoint`, `other-daemon`); tmux at the socket
// that is recorded. What the clients say on stderr goes to the caller's stderr.
//
// A daemon is *identified* where it names the store that its things are kept in, and this process
// sees that store, or the name is kept in it: podman without a service, a service of podman on this
// machine (through docker too), docker, systemd, and the server of tmux. A service of podman on
// another machine is known by names only, and a `command` by nothing.
//
// Limits: a daemon that lies consistently is believed. A container that was made under the same
// name later keeps its workspace. Nothing is cached here: each ask() asks. Each takes two or three
// runs of the client, for podman about a tenth of a second. One thread at a time: it forks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/authority.h"

namespace holdfast::authority {

inline constexpr Duration kProbeTimeout = std::chrono::seconds(10);

// kCannotTell where the engine does not answer as it must (the cause is a reason of Answer; a
// server of tmux must run already); kNotFound where the process of process:PID is not there; kUsage
// `bad-authority` where the engine could not list such an ID as it is typed. A container, unit or
// session of tmux that does not exist yet is no error.
Result<Authority> describe(const AuthorityName& name, Duration timeout = kProbeTimeout);

// Workspaces that one answer is enough for.
struct Question {
  AuthorityKind kind = AuthorityKind::kCommand;
  std::string endpoint{};  // as recorded
  // Of kCommand: the shell command line of --probe, which whoever asks fills in. It prints one
  // workspace per line, by name, by ID, or without the pool of the ID. An empty line, a last line
  // without its end, a blank at either end, a control character, bytes that are no UTF-8 and more
  // than 1 KiB are `garbled`.
  std::string command{};
  auto operator<=>(const Question&) const = default;
};
// nullopt: of kProcess, which is judged without asking anybody.
std::optional<Question> question_for(const Authority& authority);

struct Answer {
  bool told = false;
  // Where it was not told: a stable word (`no-client`, `failed`, `timed-out`, `interrupted`,
  // `garbled`, `control-missing`, `not-asked`), and what was seen.
  std::string reason{};
  std::string detail{};
  // Where it was:
  std::string daemon{};
  std::string daemon_before{};  // as 0.1 recorded the same one, where that differs
  std::string endpoint{};
  bool identified = false;  // it can be asked for each workspace by id, and be believed (confirm)
  std::uint32_t uid = 0;
  Id128 machine{};                          // where it has no machine id, that of its boot
  std::unordered_set<std::string> exist{};  // every name and id of everything that exists
  // Of containers: the id of each name.
  std::unordered_map<std::string, std::string> ids{};
};
Answer ask(const Question& question, Duration timeout);

enum class Vouched : std::uint8_t { kLive, kDead, kUnknown };
struct Verdict {
  Vouched vouched = Vouched::kUnknown;
  // A stable word: `listed`, `not-listed`, `other-daemon`, `other-endpoint`, `other-user`,
  // `other-machine`, a reason of Answer, or evidence of proc/identity/verdict.h for processes.
  std::string reason{};
  std::string detail{};      // of confirm(): what was seen, for people
  bool by_identity = false;  // a death that the kernel proved; the brake does not count it
  // Not listed by an engine that can be asked for it by id: confirm() proves it, or does not, and
  // so the brake does not count it either.
  bool to_confirm = false;
};
// `answer` is null of kProcess, and where nobody was asked (kUnknown `not-asked`). Of tmux the
// recorded server comes first: where the kernel proves that it is gone, no answer is needed.
Verdict judge(const Authority& authority, const std::string& session, const Answer* answer);

// Asks the engine for each of `gone` by its id and names: they are workspaces of which judge() said
// kDead with `to_confirm` from `answer`. The list said what exists; here the engine has to deny
// each one itself, and has to be the same one before (`answer`) and afterwards.
//
// One verdict per workspace, in their order: kDead `no-such-container`, `no-such-unit` or
// `no-such-session`, by_identity; kLive `listed`; or
// kUnknown with a reason of Answer, `other-daemon` or `other-endpoint`.
//
// Guarantee: kDead only where the engine, asked about this workspace alone, said "no such
// container" (unit, session) in its own words, and it was the recorded daemon, with the recorded
// store, before and after. `timeout` is for each question.
std::vector<Verdict> confirm(const Question& question, const Answer& answer,
                             const std::vector<Authority>& gone, Duration timeout);

// Of a container that was not there yet when its workspace was made, and is listed by the name that
// was typed: its full id, by which it is known after it was renamed. Empty: nothing to add.
std::string newly_known_id(const Authority& authority, const Answer& answer);

}  // namespace holdfast::authority
