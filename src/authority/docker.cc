// SPDX-License-Identifier: Apache-2.0
//
// Docker. The daemon names itself by an id that it keeps in its own directory. The context is
// looked up once and then named in each call, so that whoever switches it meanwhile cannot have one
// daemon answer for another.
//
// A client that reaches no daemon prints its half of `docker info`, some versions with status 0:
// an empty id or version, or `ServerErrors`, is not an answer.
//
// The id is no proof of the store alone: older daemons keep it beside their configuration. So the
// root directory belongs to the identity, with its device and inode where it can be seen.
//
// Podman answers to docker's client, too, and makes up an id for each answer. `docker version`
// names it ("Podman Engine"), and its identity is then that of a service of podman: its host, its
// store.

#include <algorithm>

#include "authority/engine.h"
#include "base/path_text.h"
#include "format/json/json.h"

namespace holdfast::authority {
namespace {

constexpr std::string_view kDockerClient = "docker";
constexpr int kDockerTries = 3;

struct Context {
  std::string name{};
  std::string host{};
};

Result<Context> effective_context(const Deadline& deadline) {
  const std::string text = HF_TRY(run_client({"docker", "context", "inspect"}, deadline));
  const Json list = parse_json(text);
  const std::string* name = nullptr;
  const std::string* host = nullptr;
  if (list.is_array() && list.size() == 1 && list.front().is_object()) {
    name = json_text(list.front(), "Name");
    if (list.front().contains("Endpoints") && list.front()["Endpoints"].is_object() &&
        list.front()["Endpoints"].contains("docker")) {
      host = json_text(list.front()["Endpoints"]["docker"], "Host");
    }
  }
  if (name == nullptr || name->empty() || host == nullptr || host->empty()) {
    return garbled(kDockerClient, "`docker context inspect` is not one context with its host");
  }
  return Context{.name = *name, .host = *host};
}

struct DockerInfo {
  std::string id{};
  std::string root{};
  std::string host{};
  std::uint64_t containers = 0;
  bool maybe_podman = false;
};

Result<DockerInfo> read_docker_info(const Context& context, const Deadline& deadline) {
  const std::string text = HF_TRY(run_client(
      {"docker", "--context", context.name, "info", "--format", "{{json .}}"}, deadline));
  const Json info = parse_json(text);
  if (!info.is_object()) return garbled(kDockerClient, "`docker info` is not an object");
  if (info.contains("ServerErrors") && !info["ServerErrors"].empty()) {
    return not_told("failed", kDockerClient, "`docker info` tells of errors of the server");
  }
  const auto* const id = json_text(info, "ID");
  const auto* const version = json_text(info, "ServerVersion");
  const auto containers = json_count(info, "Containers");
  if (id == nullptr || version == nullptr || !containers) {
    return garbled(kDockerClient,
                   "`docker info` lacks the id, the version or the number of containers");
  }
  if (id->empty() || version->empty()) {
    return not_told("failed", kDockerClient, "`docker info` holds nothing of the server's");
  }
  const auto* const root = json_text(info, "DockerRootDir");
  const auto* const host = json_text(info, "Name");
  const auto* const registry = json_text(info, "IndexServerAddress");
  return DockerInfo{.id = *id,
                    .root = root != nullptr ? *root : std::string(),
                    .host = host != nullptr ? *host : std::string(),
                    .containers = *containers,
                    .maybe_podman = registry != nullptr && registry->empty()};
}

Result<bool> is_podman(const Context& context, const Deadline& deadline) {
  const std::string text = HF_TRY(run_client(
      {"docker", "--context", context.name, "version", "--format", "{{json .Server}}"}, deadline));
  const Json server = parse_json(text);
  if (!server.is_object() || !server.contains("Components") || !server["Components"].is_array()) {
    return garbled(kDockerClient, "`docker version` does not name what the server is made of");
  }
  const Json& parts = server["Components"];
  return std::ranges::any_of(parts, [](const Json& part) {
    const auto* const name = json_text(part, "Name");
    return name != nullptr && *name == "Podman Engine";
  });
}

Result<Listing> identify_docker(const Context& context, const DockerInfo& info,
                                const Deadline& deadline) {
  Listing listing{.endpoint = context.host};
  const bool podman = info.maybe_podman && HF_TRY(is_podman(context, deadline));
  const bool here = is_local_service(context.host, info.host);
  const std::string seen = here ? store_seen_at(info.root) : std::string();
  if (podman) {
    if (info.host.empty() || info.root.empty()) {
      return garbled(kDockerClient, "podman does not say where it keeps its containers");
    }
    listing.daemon = "podman service on " + info.host + " store " + info.root + seen;
    listing.identified = !seen.empty();
    return listing;
  }
  listing.daemon = info.id;
  // Ids with colons are those that older daemons keep outside of the store.
  listing.identified = !seen.empty() || !info.id.contains(':');
  if (!info.root.empty()) {
    listing.daemon_before = info.id;
    listing.daemon += " root " + info.root + seen;
  }
  return listing;
}

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = names.find(',', begin);
    parts.push_back(names.substr(begin, comma - begin));
    if (comma == names.npos) return parts;
    begin = comma + 1;
  }
}

Result<std::vector<Thing>> read_docker_containers(const Context& context,
                                                  const Deadline& deadline) {
  const std::string text = HF_TRY(run_client(
      {"docker", "--context", context.name, "ps", "--all", "--no-trunc", "--format", "{{json .}}"},
      deadline));
  if (!text.empty() && !text.ends_with('\n')) {
    return garbled(kDockerClient, "the last line of `docker ps` has no end");
  }
  std::vector<Thing> things;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const Json entry = parse_json(line);
    const std::string* const id = entry.is_object() ? json_text(entry, "ID") : nullptr;
    const std::string* const names = entry.is_object() ? json_text(entry, "Names") : nullptr;
    if (id == nullptr || !is_container_id(*id) || names == nullptr) {
      return garbled(kDockerClient, "`docker ps` prints a line that is no container");
    }
    things.push_back({.id = *id, .names = split(*names)});
  }
  return things;
}

// A denial in the words of docker's client since 2016, of the one since 28, and of podman behind
// it. The whole output is compared, and a name has no blank: no name can say it for the engine.
bool denies(std::string_view said, const std::string& name) {
  if (said.starts_with('\n')) said.remove_prefix(1);  // the empty result on stdout
  if (said.ends_with('\n')) said.remove_suffix(1);
  if (said.ends_with('\r')) said.remove_suffix(1);
  return said == "Error: No such container: " + name ||
         said == "Error response from daemon: No such container: " + name ||
         said == "Error response from daemon: no container with name or ID \"" + name +
                     "\" found: no such container";
}

// What a line for a shell can hold without quotes.
bool is_plain(const std::string& word) {
  return !word.empty() && !word.starts_with('-') && std::ranges::all_of(word, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_.+-").contains(c);
  });
}

}  // namespace

// Its exit code says only that it failed; why is on its stderr.
Result<bool> docker_has(const std::string& name, const Deadline& deadline) {
  const Context context = HF_TRY(effective_context(deadline));
  if (!is_plain(context.name) || !is_plain(name)) {
    return garbled(kDockerClient, "'" + context.name + "' or '" + name + "' needs quotes");
  }
  const ClientEnd end =
      HF_TRY(run_client_to_end(shell_words("docker --context " + context.name +
                                           " container inspect --format {{.Id}} " + name + " 2>&1"),
                               deadline));
  if (end.code == 0) return true;
  if (end.code == 1 && denies(end.output, name)) return false;
  return not_told("failed", kDockerClient,
                  "asked for the container " + name + ", it exited with " +
                      std::to_string(end.code) + ": " + one_line(end.output));
}

Result<Listing> list_docker(const Deadline& deadline) {
  const Context context = HF_TRY(effective_context(deadline));
  std::string seen;
  for (int tries = 0; tries < kDockerTries; ++tries) {
    const DockerInfo info = HF_TRY(read_docker_info(context, deadline));
    std::vector<Thing> things = HF_TRY(read_docker_containers(context, deadline));
    if (things.size() == info.containers) {
      Listing listing = HF_TRY(identify_docker(context, info, deadline));
      listing.things = std::move(things);
      return listing;
    }
    seen = "it says that there are " + std::to_string(info.containers) + " containers, and lists " +
           std::to_string(things.size());
  }
  return not_told("control-missing", kDockerClient, seen);
}

}  // namespace holdfast::authority
