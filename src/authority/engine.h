// SPDX-License-Identifier: Apache-2.0
//
// What each kind of authority can do for ask.cc: one function per engine, each in a file of its
// own. They differ in whom they run and what its output must look like, and in nothing else.
//
// Errors are kCannotTell, and their cause is a reason of Answer (ask.h); the detail is for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authority/ask.h"
#include "authority/client.h"
#include "base/result.h"
#include "format/session/process_identity.h"

namespace holdfast::authority {

// Something that exists: what the engine itself calls it, and every other name it answers to.
struct Thing {
  std::string id{};
  std::vector<std::string> names{};
};

struct Listing {
  std::string daemon{};
  std::string daemon_before{};  // as 0.1 recorded it, where that differs
  std::string endpoint{};
  // `daemon` names what the things are kept in, and not only where it was reached: another store
  // cannot pass for it. Only then is "no such thing" a proof.
  bool identified = false;
  std::optional<ProcessIdentity> process{};  // of the daemon, where its end ends all that it has
  std::vector<Thing> things{};
};

// Each asks whom its environment names, but list_tmux and list_systemd, which ask at `endpoint`
// (of tmux, empty: the environment's).
Result<Listing> list_podman(const Deadline& deadline);
Result<Listing> list_docker(const Deadline& deadline);
Result<Listing> list_systemd(const std::string& endpoint, const Deadline& deadline);
Result<Listing> list_tmux(const std::string& endpoint, const Deadline& deadline);
Result<Listing> list_command(const std::string& command, const Deadline& deadline);

// Does this one thing exist? `name` is a spelling of what was typed, or an id. The engine itself is
// asked about it; false only where it said in its own words that there is no such thing.
Result<bool> podman_has(const std::string& name, const Deadline& deadline);
Result<bool> docker_has(const std::string& name, const Deadline& deadline);
Result<bool> systemd_has(const std::string& endpoint, const std::string& name,
                         const Deadline& deadline);
Result<bool> tmux_has(const std::string& endpoint, const std::string& name,
                      const Deadline& deadline);

// The directory at `path` as " (DEVICE:INODE)", where this process can see it; else empty.
std::string store_seen_at(const std::string& path);
// Is it a service of this machine, so that the store that it names can be looked at?
bool is_local_service(const std::string& endpoint, const std::string& host);

// Which of systemd's managers an ID means, as an endpoint.
std::string systemd_endpoint(std::string_view id);

// Every spelling under which a listing may hold what was typed. kUsage `bad-authority` where the
// engine could list it under a spelling that is none of these: such an ID is never recorded.
Result<std::vector<std::string>> spellings(AuthorityKind kind, const std::string& id);

// Podman and docker take the beginning of an id for the id.
bool could_begin_an_id(std::string_view text);
inline constexpr std::size_t kContainerIdDigits = 64;
bool is_container_id(std::string_view text);

// An Error of the kind above.
std::unexpected<Error> not_told(std::string_view reason, std::string_view client,
                                std::string detail);
std::unexpected<Error> garbled(std::string_view client, std::string detail);

}  // namespace holdfast::authority
