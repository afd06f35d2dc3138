// SPDX-License-Identifier: Apache-2.0
//
// Podman. Without a daemon "the daemon" is the store: where it is, which directory that is, and
// where its running state is kept. A store that was moved, reset, or is not mounted (podman makes
// an empty one in its place and answers with status 0) is another one.
//
// Containers are listed with --external: those that are in the store and not in podman's database,
// of another database or of buildah. They exist, and are not in the number that `info` gives.
//
// Limits: a configuration that is changed between `info` and `ps` so that both give the same number
// of containers is not noticed. A device number may change with a boot, and then the store is
// another one and its workspaces are kept.

#include "authority/engine.h"
#include "format/json/json.h"
#include "os/spawn/env.h"

namespace holdfast::authority {
namespace {

constexpr std::string_view kPodmanClient = "podman";
constexpr int kPodmanTries = 3;

struct PodmanInfo {
  std::string daemon{};
  bool remote = false;
  std::string host{};   // of a service
  std::string store{};  // of a service
  std::uint64_t containers = 0;
};

Result<std::string> local_store(const std::string& graph_root) {
  const std::string seen = store_seen_at(graph_root);
  if (seen.empty()) {
    return not_told("failed", kPodmanClient, "its store " + graph_root + " cannot be opened");
  }
  return graph_root + seen;
}

Result<PodmanInfo> read_podman_info(const Deadline& deadline) {
  const std::string text = HF_TRY(run_client({"podman", "info", "--format", "json"}, deadline));
  const Json root = parse_json(text);
  if (!root.is_object() || !root.contains("host") || !root.contains("store")) {
    return garbled(kPodmanClient, "`podman info` is not an object with `host` and `store`");
  }
  const Json& host = root["host"];
  const Json& store = root["store"];
  const auto remote = json_flag(host, "serviceIsRemote");
  const auto* const graph_root = json_text(store, "graphRoot");
  const auto* const run_root = json_text(store, "runRoot");
  const auto containers = store.contains("containerStore")
                              ? json_count(store["containerStore"], "number")
                              : std::nullopt;
  if (!remote || graph_root == nullptr || !graph_root->starts_with('/') || run_root == nullptr ||
      run_root->empty() || !containers) {
    return garbled(kPodmanClient,
                   "`podman info` does not say where its store is and what it holds");
  }
  PodmanInfo info{.remote = *remote, .containers = *containers};
  if (!info.remote) {
    const std::string store_id = HF_TRY(local_store(*graph_root));
    info.daemon = "store " + store_id + " run " + *run_root;
    return info;
  }
  const auto* const host_name = json_text(host, "hostname");
  const auto* const socket =
      host.contains("remoteSocket") ? json_text(host["remoteSocket"], "path") : nullptr;
  if (host_name == nullptr || socket == nullptr) {
    return garbled(kPodmanClient, "`podman info` does not say which service answered");
  }
  info.daemon = "service " + *socket + " on " + *host_name + " store " + *graph_root;
  info.host = *host_name;
  info.store = *graph_root;
  return info;
}

// Which service a remote client speaks to: CONTAINER_HOST, else the connection that is named by
// CONTAINER_CONNECTION, else the default one.
Result<std::string> remote_endpoint(const Deadline& deadline) {
  const auto url = os::env("CONTAINER_HOST");
  const auto wanted = os::env("CONTAINER_CONNECTION");
  if (url && !wanted) return *url;
  const std::string text =
      HF_TRY(run_client({"podman", "system", "connection", "list", "--format", "json"}, deadline));
  const Json list = parse_json(text);
  if (!list.is_array()) return garbled(kPodmanClient, "its connections are not a list");
  for (const Json& connection : list) {
    const auto* const name = json_text(connection, "Name");
    const auto* const uri = json_text(connection, "URI");
    const auto is_default = json_flag(connection, "Default");
    if (name == nullptr || uri == nullptr || !is_default) {
      return garbled(kPodmanClient, "its connections lack names");
    }
    if (wanted ? *name == *wanted : *is_default) return url ? *uri + " or " + *url : *uri;
  }
  if (wanted) return garbled(kPodmanClient, "it has no connection " + *wanted);
  return std::string("default");
}

struct Containers {
  std::vector<Thing> things{};
  std::uint64_t known_to_podman = 0;  // the others are in the store only
};

Result<Containers> read_podman_containers(const Deadline& deadline) {
  const std::string text = HF_TRY(
      run_client({"podman", "ps", "--all", "--external", "--pod", "--no-trunc", "--format", "json"},
                 deadline));
  const Json list = parse_json(text);
  if (!list.is_array()) return garbled(kPodmanClient, "`podman ps` is not a list");
  Containers containers;
  containers.things.reserve(list.size());
  for (const Json& entry : list) {
    const auto* const id = json_text(entry, "Id");
    const auto* const state = json_text(entry, "State");
    const bool has_names = entry.is_object() && entry.contains("Names");
    if (id == nullptr || !is_container_id(*id) || state == nullptr || !has_names ||
        !entry["Names"].is_array()) {
      return garbled(kPodmanClient, "`podman ps` lists something without id, state and names");
    }
    Thing thing{.id = *id};
    for (const Json& name : entry["Names"]) {
      if (!name.is_string())
        return garbled(kPodmanClient, "`podman ps` gives a name that is no text");
      thing.names.push_back(*name.text());
    }
    containers.things.push_back(std::move(thing));
    // Whoever named a pod instead of a container means something that exists, too.
    const auto* const pod = json_text(entry, "Pod");
    const auto* const pod_name = json_text(entry, "PodName");
    if (pod != nullptr && !pod->empty()) {
      containers.things.push_back({.id = *pod});
      if (pod_name != nullptr) containers.things.back().names.push_back(*pod_name);
    }
    if (*state != "storage") ++containers.known_to_podman;
  }
  return containers;
}

// What a service of this machine keeps its containers in can be seen; of another one it is a name.
void add_store(const PodmanInfo& info, Listing& listing) {
  if (!is_local_service(listing.endpoint, info.host)) return;
  const std::string seen = store_seen_at(info.store);
  if (seen.empty()) return;
  listing.daemon_before = listing.daemon;
  listing.daemon += seen;
  listing.identified = true;
}

}  // namespace

// 0 and 1 are its two answers; every failure is another code.
Result<bool> podman_has(const std::string& name, const Deadline& deadline) {
  const ClientEnd end =
      HF_TRY(run_client_to_end({"podman", "container", "exists", "--external", name}, deadline));
  if (!end.output.empty()) {
    return garbled(kPodmanClient, "`podman container exists` prints something");
  }
  if (end.code == 0) return true;
  if (end.code == 1) return false;
  return not_told("failed", kPodmanClient,
                  "`podman container exists` exited with " + std::to_string(end.code));
}

Result<Listing> list_podman(const Deadline& deadline) {
  // A container that is made or removed between the two calls makes the numbers differ; asking
  // again tells that from a list that is not whole.
  std::string seen;
  for (int tries = 0; tries < kPodmanTries; ++tries) {
    const PodmanInfo info = HF_TRY(read_podman_info(deadline));
    Containers containers = HF_TRY(read_podman_containers(deadline));
    if (containers.known_to_podman == info.containers) {
      Listing listing{.daemon = info.daemon,
                      .endpoint = "local",
                      .identified = !info.remote,
                      .things = std::move(containers.things)};
      if (info.remote) {
        listing.endpoint = HF_TRY(remote_endpoint(deadline));
        add_store(info, listing);
      }
      return listing;
    }
    seen = "it says that there are " + std::to_string(info.containers) + " containers, and lists " +
           std::to_string(containers.known_to_podman);
  }
  return not_told("control-missing", kPodmanClient, seen);
}

}  // namespace holdfast::authority
