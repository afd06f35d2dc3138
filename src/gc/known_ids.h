// SPDX-License-Identifier: Apache-2.0
//
// A container that came after its workspace is known by the name that was typed. The first time
// that it is listed, its full id goes on record, so that it is still known after somebody renamed
// it.
//
// Written under the workspace's lock, without waiting, and only where the record is the one that
// was judged. What cannot be written now is written by a later clean-up: the name says the same so
// long.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gc/options.h"

namespace holdfast::gc {

struct KnownId {
  std::string session{};
  Id128 id{};  // of the record that was judged
  std::uint64_t change = 0;
  std::string full_id{};  // of its container
};
void record_ids(const Services& services, const std::vector<KnownId>& known);

}  // namespace holdfast::gc
