// SPDX-License-Identifier: Apache-2.0
#include "authority/engine.h"
#include "os/dir/dir.h"
#include "os/machine/machine_id.h"

namespace holdfast::authority {

std::string store_seen_at(const std::string& path) {
  if (!path.starts_with('/')) return {};
  const auto dir = os::Dir::open_following_links(path);
  if (!dir) return {};
  const auto info = dir->info();
  if (!info) return {};
  return " (" + std::to_string(info->id.device) + ":" + std::to_string(info->id.inode) + ")";
}

// A socket may lead into a machine that runs in this one; its name says so.
bool is_local_service(const std::string& endpoint, const std::string& host) {
  return endpoint.starts_with("unix://") && !host.empty() && host == os::host_name();
}

}  // namespace holdfast::authority
