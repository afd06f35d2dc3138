// SPDX-License-Identifier: Apache-2.0
//
// What one `session set` changes of a record.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "format/session/harness_record.h"

namespace holdfast::cli {

struct HarnessChanges {
  std::vector<std::pair<std::string, std::string>> set{};
  std::vector<std::string> unset{};
  std::optional<Authority> authority{};
  std::optional<std::string> resume_id{};
  std::optional<Duration> ttl{};
  bool no_authority = false;
  bool no_ttl = false;

  void apply(HarnessRecord& record) const;
  // What it touches, for the journal: never a value.
  [[nodiscard]] std::vector<std::string> keys() const;
};

// From KEY=VALUE, --unset and the options. The engine of --authority is asked. Errors: kUsage;
// those of harness_authority.h.
Result<HarnessChanges> changes_of(const Args& args);

}  // namespace holdfast::cli
