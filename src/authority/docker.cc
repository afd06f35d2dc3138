// SPDX-License-Identifier: Apache-2.0
//
// Docker. The daemon names itself by an id that it keeps in its own directory. The context is
// looked up once and then named in each call, so that whoever switches it meanwhile cannot have one
// daemon answer for another.
//
// A client that reaches no daemon prints its half of `docker info`, some versions with status 0:
// an empty id or version, or `ServerErrors`, is not an answer.
//
// Limit: podman's imitation of the daemon gives itself another id with each answer, so sessions
// that it vouches for through `docker` are kept; `podman:` is the kind for them.

#include "authority/engine.h"
#include "format/json.h"

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
  std::uint64_t containers = 0;
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
  return DockerInfo{.id = *id, .containers = *containers};
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

}  // namespace

Result<Listing> list_docker(const Deadline& deadline) {
  const Context context = HF_TRY(effective_context(deadline));
  std::string seen;
  for (int tries = 0; tries < kDockerTries; ++tries) {
    const DockerInfo info = HF_TRY(read_docker_info(context, deadline));
    std::vector<Thing> things = HF_TRY(read_docker_containers(context, deadline));
    if (things.size() == info.containers) {
      return Listing{.daemon = info.id, .endpoint = context.host, .things = std::move(things)};
    }
    seen = "it says that there are " + std::to_string(info.containers) + " containers, and lists " +
           std::to_string(things.size());
  }
  return not_told("control-missing", kDockerClient, seen);
}

}  // namespace holdfast::authority
