// SPDX-License-Identifier: Apache-2.0
//
// systemd: the system's manager, or the caller's own. A unit exists while the manager has it in
// memory, running or not, or while there is a file of it to start it from: a stopped unit leaves
// the memory, so the units alone would not list what can be resumed. A name that is only mentioned
// by others (`not-found` and `inactive`) does not exist.
//
// The positive control is the root slice, which every manager has.
//
// A manager has no id of its own. It is told from others by machine and user (as every authority),
// by the pid namespace, which a manager in a container does not share with the one outside, and by
// the address where it was reached. That it was restarted, or the machine booted, changes nothing:
// what it does not have then does not exist.
//
// Limits: an instance of a template (`job@7.service`) exists while it is in memory; that its
// template could make it anew is not existence. A unit of the system whose name begins with `user:`
// cannot be named.

#include "authority/engine.h"
#include "format/json/json.h"
#include "os/machine/namespaces.h"
#include "os/spawn/env.h"

namespace holdfast::authority {
namespace {

constexpr std::string_view kSystemdClient = "systemctl";
constexpr std::string_view kRootSlice = "-.slice";

Result<Json> read_list(bool user, const std::string& verb, const Deadline& deadline) {
  const std::string text = HF_TRY(run_client({"systemctl", user ? "--user" : "--system", "--all",
                                              "--full", "--no-pager", "--output=json", verb},
                                             deadline));
  Json list = parse_json(text);
  if (!list.is_array()) return garbled(kSystemdClient, "`" + verb + "` is not a list");
  return list;
}

Result<bool> add_units(const Json& units, std::vector<Thing>& things) {
  bool root_seen = false;
  for (const Json& entry : units) {
    const auto* const unit = json_text(entry, "unit");
    const auto* const load = json_text(entry, "load");
    const auto* const active = json_text(entry, "active");
    if (unit == nullptr || unit->empty() || load == nullptr || active == nullptr) {
      return garbled(kSystemdClient, "`list-units` lists something without name and states");
    }
    root_seen = root_seen || *unit == kRootSlice;
    if (*load == "not-found" && *active == "inactive") continue;
    things.push_back({.id = *unit});
  }
  return root_seen;
}

Result<> add_unit_files(const Json& files, std::vector<Thing>& things) {
  for (const Json& entry : files) {
    const auto* const unit = json_text(entry, "unit_file");
    if (unit == nullptr || unit->empty()) {
      return garbled(kSystemdClient, "`list-unit-files` lists something without a name");
    }
    things.push_back({.id = *unit});
  }
  return {};
}

// What decides which manager systemctl reaches.
std::string endpoint_of(bool user) {
  std::string endpoint = user ? "user" : "system";
  const auto add = [&](const char* name) {
    if (const auto value = os::env(name)) endpoint += " " + std::string(name) + "=" + *value;
  };
  if (user) add("XDG_RUNTIME_DIR");
  add(user ? "DBUS_SESSION_BUS_ADDRESS" : "DBUS_SYSTEM_BUS_ADDRESS");
  return endpoint;
}

}  // namespace

// A manager that is asked for a unit looks for its file, too, and answers with status 0 either way.
Result<bool> systemd_has(const std::string& endpoint, const std::string& name,
                         const Deadline& deadline) {
  const std::string_view manager = endpoint.starts_with("user") ? "--user" : "--system";
  const std::string text = HF_TRY(run_client({"systemctl", std::string(manager), "--no-pager",
                                              "--property=LoadState,ActiveState", "show", name},
                                             deadline));
  if (text == "LoadState=not-found\nActiveState=inactive\n") return false;
  if (text.starts_with("LoadState=") && text.contains("\nActiveState=")) return true;
  return garbled(kSystemdClient, "`show` does not say whether there is a unit " + name);
}

Result<Listing> list_systemd(const std::string& endpoint, const Deadline& deadline) {
  const bool user = endpoint.starts_with("user");
  const auto namespaces = os::own_namespaces();
  if (!namespaces) return not_told("failed", kSystemdClient, to_sentence(namespaces.error()));
  Listing listing{.daemon = "pid namespace " + std::to_string(namespaces->pid),
                  .endpoint = endpoint_of(user),
                  .identified = true};
  // Files first: what is made or started meanwhile is seen in one of the two.
  const Json files = HF_TRY(read_list(user, "list-unit-files", deadline));
  HF_TRY(add_unit_files(files, listing.things));
  const Json units = HF_TRY(read_list(user, "list-units", deadline));
  const bool root_seen = HF_TRY(add_units(units, listing.things));
  if (!root_seen) {
    return not_told("control-missing", kSystemdClient, "its root slice is not among its units");
  }
  return listing;
}

}  // namespace holdfast::authority
