// SPDX-License-Identifier: Apache-2.0
//
// What each kind of authority can do for ask.cc: one function per engine, each in a file of its
// own. They differ in whom they run and what its output must look like, and in nothing else.
//
// Errors are kCannotTell, and their cause is a reason of Answer (ask.h); the detail is for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authority/ask.h"
#include "base/clock.h"
#include "base/result.h"
#include "format/session/process_identity.h"

namespace holdfast::authority {

// Running the client of an engine: found by PATH, reading nothing, with a time limit and a limit of
// what it may print, and over only when all that it started is gone (supervise/pipeline.h).
//
// Guarantee: the output is returned only where the client exited with 0, in time, nobody asked us
// to end meanwhile, and nothing that it left behind can add to the output. What it says on stderr
// goes to the caller's stderr: that is where people look for why.
//
// run_client_to_end is for questions whose answer is an exit code: any code is a result there.
//
// Errors: kCannotTell with the cause `no-client`, `timed-out`, `interrupted`, `garbled` (it printed
// more than kMaxClientOutput) or `failed` (everything else).
//
// Limit: what a client leaves running in its tree is ended with it. The first podman that a user
// runs without root after a boot leaves a process that keeps its namespaces; the next one makes it
// again.
inline constexpr std::size_t kMaxClientOutput = std::size_t{64} << 20U;

// The end of the time for all the calls that one question takes.
class Deadline {
 public:
  explicit Deadline(Duration timeout);
  [[nodiscard]] Duration left() const;  // zero where it has passed

 private:
  BootTime end_;
};

// kPlain: with LC_ALL=C, so that no translation comes between us and the shape.
enum class Speech : std::uint8_t { kPlain, kUsersOwn };

Result<std::string> run_client(const std::vector<std::string>& argv, const Deadline& deadline,
                               Speech speech = Speech::kPlain);

struct ClientEnd {
  int code = 0;
  std::string output{};
};
std::string one_line(std::string_view output);  // its first line that says something
Result<ClientEnd> run_client_to_end(const std::vector<std::string>& argv, const Deadline& deadline);

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
