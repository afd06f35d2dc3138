// SPDX-License-Identifier: Apache-2.0
//
// Session directories of a container harness, `.claude-container-<4 hex digits>` or with another
// prefix, judged and adopted (gc/adopt.h): each gets a record in the home, outside and `adopted`,
// with its device and inode; nothing in it is changed. Its resume id is what its `session-id` says,
// where that is a UUID; anything else in there is left out, because the agent could have written
// it.
//
// Limit: also without `apply` it needs a home, and makes an empty one where there is none.
//
// One with a `.launching` that was written less than five minutes ago is being made: `held`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/import_record.h"
#include "gc/adopt.h"

namespace holdfast::cli {

inline constexpr std::string_view kSessionPrefix = ".claude-container-";

struct SessionImport {
  std::string directory{};                 // absolute; no link itself
  std::string prefix{kSessionPrefix};      // of their names, before the four digits
  std::optional<std::string> authority{};  // "docker:job-{*}": `{*}` is the four digits
  bool apply = false;
};

// Sorted by name. Errors: kUsage for a prefix that is empty, or has a `*`, a `?` or a separator in
// it, and for an unknown placeholder of the authority; the directory cannot be read; the authority
// does not answer, and then nothing was taken over.
Result<std::vector<ImportRecord>> import_sessions(const gc::Services& services,
                                                  const SessionImport& order);

}  // namespace holdfast::cli
