// SPDX-License-Identifier: Apache-2.0
//
// What a clean-up writes into the records of workspaces that stay: the full ids of their containers,
// and when their ttl begins to run. Under the lock of each, without waiting: a workspace that is
// busy is left to the next clean-up. Death at any point leaves a record as it was, or noted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gc/options.h"

namespace holdfast::gc {

// A container that came after its workspace is known by the name that was typed. The first time
// that it is listed, its full id goes on record, so that it is still known after somebody renamed
// it. Only where the record is the one that was judged; what cannot be written now is written by a
// later clean-up.
struct KnownId {
  std::string session{};
  Id128 id{};  // of the record that was judged
  std::uint64_t change = 0;
  std::string full_id{};  // of its container
};
void record_ids(const Services& services, const std::vector<KnownId>& known);

// The ttl of a workspace does not run while somebody is attached to it or runs in it (facts.h). If
// that one died, nobody knows when: all that is known is that nobody was seen since. So the first
// clean-up that finds nobody any more notes that moment, and the ttl runs from there. The dead
// attachments go, and a run without an end gets one (run/orphan/old_run.h). What fails
// is a warning.
void renew_left(const Services& services, const std::vector<std::string>& names, Report& report);

}  // namespace holdfast::gc
