// SPDX-License-Identifier: Apache-2.0
//
// Authority: who vouches that a workspace lives, and for what in particular.
//
// Spelled KIND:ID by people:
//   process:PID            a process; its identity is taken when it is recorded, and the number
//                          never stands alone
//   podman:CONTAINER       a container, by name or id
//   docker:CONTAINER
//   systemd:UNIT           a unit of the system's manager; systemd:user:UNIT of the caller's own
//   tmux:SESSION           a session of the caller's tmux server
//   command:ID             whatever `gc --probe` lists. ID may be POOL/ITEM: `--probe POOL=CMD`
//                          then speaks for all of that pool
//
// The ID alone says too little: the same name in another daemon, in another context or seen by
// another user is another thing, and "I know of no such container" from the wrong daemon is not
// death. So the record also says which daemon was asked when the workspace was made (`daemon`,
// `endpoint`, `uid`, `machine`); an answer from anybody else is *cannot tell*.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/session/process_identity.h"

namespace holdfast {

enum class AuthorityKind : std::uint8_t { kProcess, kPodman, kDocker, kSystemd, kTmux, kCommand };
inline constexpr std::size_t kAuthorityKinds = 6;
std::string_view to_text(AuthorityKind kind);  // "podman"

struct Authority {
  AuthorityKind kind = AuthorityKind::kCommand;
  std::string id{};       // as it was typed
  std::string full_id{};  // what the engine itself calls it, where it was there already; else empty
  // Of the daemon that vouches. All are compared; empty where the kind has none (command).
  std::string daemon{};    // what it says it is
  std::string endpoint{};  // how it was reached
  std::uint32_t uid = 0;   // as whom
  // Zeros: not known, and equal to nothing. A machine without an id is known by its boot's, and so
  // only until the next one.
  Id128 machine{};
  // Of kProcess the process itself; of kTmux the server, whose proven death ends all its sessions.
  std::optional<ProcessIdentity> process{};

  bool operator==(const Authority&) const = default;
};

// What a person typed, not yet asked for. kUsage `bad-authority` naming the kinds; an ID that is
// empty, longer than 256 bytes or holds a control character is that too.
struct AuthorityName {
  AuthorityKind kind = AuthorityKind::kCommand;
  std::string id{};
};
Result<AuthorityName> parse_authority(std::string_view text);
std::string to_text(const Authority& authority);  // "podman:web"

// "jobs" of "jobs/17", and all of an ID without a slash.
std::string_view pool_of(std::string_view command_id);

}  // namespace holdfast
