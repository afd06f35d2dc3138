// SPDX-License-Identifier: Apache-2.0
//
// tmux: a server per socket, and the sessions inside it. The daemon is the server's process: its
// death is the death of all its sessions, and the server that comes after it at the same socket is
// another one.
//
// Which process that is, the server says itself, by its number in its own pid namespace; the socket
// may have come in from another. So the kernel is asked who listens there, and both must agree. The
// identity is read before and after the list: the process that it names was there all the while.
//
// Names are asked for with -u: in the C locale tmux prints `_` for every character beyond ASCII,
// and a session would not be found under its own name.
#include <charconv>

#include "authority/engine.h"
#include "os/stream/socket_listener.h"
#include "proc/identity/identity.h"

namespace holdfast::authority {
namespace {

constexpr std::string_view kTmuxClient = "tmux";

std::vector<std::string> tmux(const std::string& socket, std::vector<std::string> words) {
  std::vector<std::string> argv{"tmux", "-u"};
  if (!socket.empty()) argv.insert(argv.end(), {"-S", socket});
  argv.insert(argv.end(), std::make_move_iterator(words.begin()),
              std::make_move_iterator(words.end()));
  return argv;
}

// The word at the front of `rest`, which goes with the space behind it.
std::string_view take_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  return word;
}

std::optional<std::int32_t> pid_in(std::string_view word) {
  std::int32_t pid = 0;
  const char* const end = word.end();
  const auto [stop, fault] = std::from_chars(word.begin(), end, pid);
  if (fault != std::errc{} || stop != end || pid <= 0) return std::nullopt;
  return pid;
}

bool is_session_id(std::string_view word) {
  return word.size() > 1 && word[0] == '$' && word.find_first_not_of("0123456789", 1) == word.npos;
}

struct Server {
  std::string socket{};
  proc::Identity identity{};
};

Result<proc::Identity> identity_at(const std::string& socket, std::int32_t said) {
  const auto listener = os::listener_of(socket);
  if (!listener) return not_told("failed", kTmuxClient, to_sentence(listener.error()));
  if (os::number(*listener) != said) {
    return not_told("failed", kTmuxClient,
                    "the server says that it is process " + std::to_string(said) +
                        ", and at its socket listens " + std::to_string(os::number(*listener)));
  }
  const auto identity = proc::identity_of(*listener);
  if (!identity) return not_told("failed", kTmuxClient, to_sentence(identity.error()));
  if (!*identity) return not_told("failed", kTmuxClient, "its server has just ended");
  return **identity;
}

Result<Server> find_server(const std::string& endpoint, const Deadline& deadline) {
  const std::string output = HF_TRY(
      run_client(tmux(endpoint, {"display-message", "-p", "#{pid} #{socket_path}"}), deadline));
  std::string_view line = output;
  if (!line.ends_with('\n') || line.find('\n') != line.size() - 1) {
    return garbled(kTmuxClient, "it does not say in one line which server it is");
  }
  line.remove_suffix(1);
  const auto pid = pid_in(take_word(line));
  if (!pid || !line.starts_with('/')) {
    return garbled(kTmuxClient, "it does not say which server it is, and where");
  }
  Server server{.socket = std::string(line)};
  server.identity = HF_TRY(identity_at(server.socket, *pid));
  return server;
}

std::string daemon_of(const proc::Identity& server) {
  return "process " + std::to_string(os::number(server.pid)) + " started " +
         std::to_string(server.start) + " boot " + to_hex(server.boot);
}

}  // namespace

// Why it fails is on its stderr only. The whole of it is compared, name and all, so no name can say
// it for the server; that it was the recorded server is what the caller sees before and after.
Result<bool> tmux_has(const std::string& endpoint, const std::string& name,
                      const Deadline& deadline) {
  std::vector<std::string> argv{"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"};
  for (std::string& word : tmux(endpoint, {"has-session", "-t", "=" + name})) {
    argv.push_back(std::move(word));
  }
  const ClientEnd end = HF_TRY(run_client_to_end(argv, deadline));
  if (end.code == 0) return true;
  if (end.code == 1 && end.output == "can't find session: " + name + "\n") return false;
  return not_told("failed", kTmuxClient,
                  "asked for the session " + name + ", it exited with " + std::to_string(end.code) +
                      ": " + one_line(end.output));
}

Result<Listing> list_tmux(const std::string& endpoint, const Deadline& deadline) {
  const Server server = HF_TRY(find_server(endpoint, deadline));
  const std::string output = HF_TRY(run_client(
      tmux(server.socket, {"list-sessions", "-F", "#{pid} #{session_id} #{session_name}"}),
      deadline));
  if (!output.empty() && !output.ends_with('\n')) {
    return garbled(kTmuxClient, "the last line of its sessions has no end");
  }
  const std::int32_t pid = os::number(server.identity.pid);
  Listing listing{.daemon = daemon_of(server.identity),
                  .endpoint = server.socket,
                  .identified = true,
                  .process = proc::to_record(server.identity)};
  std::string_view rest = output;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto said = pid_in(take_word(line));
    const std::string_view id = take_word(line);
    if (!said || !is_session_id(id) || line.empty()) {
      return garbled(kTmuxClient, "a line of its sessions is not a process, an id and a name");
    }
    if (*said != pid) return not_told("failed", kTmuxClient, "its server was replaced meanwhile");
    listing.things.push_back({.id = std::string(id), .names = {std::string(line)}});
  }
  // An empty list names no process, so that it is this server's is known only from here.
  const proc::Identity still = HF_TRY(identity_at(server.socket, pid));
  if (still != server.identity) {
    return not_told("failed", kTmuxClient, "its server was replaced meanwhile");
  }
  return listing;
}

}  // namespace holdfast::authority
