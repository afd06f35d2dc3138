// SPDX-License-Identifier: Apache-2.0
//
// survey: a look at every workspace of a home, before anybody is asked.
//
// It reads without locks and judges nothing finally: what it finds is a hint, and everything that
// is removed later is proved again under the workspace's lock (collect.h). So it may be quick: one
// open per record, two threads where there are many, and of each workspace only what the plan
// needs.
//
// What is no workspace is in the list too, with its reason: a link, a file or a FIFO in sessions/
// (`not-a-session`), a directory without a record (`no-record`), a record that cannot be read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/session/authority.h"
#include "gc/decide.h"
#include "gc/options.h"

namespace holdfast::gc {

struct Candidate {
  std::string name{};  // of the workspace; of what is none, of the entry
  Id128 id{};
  std::uint64_t change = 0;
  bool run = false;       // of `holdfast run` alone
  bool outside = false;   // its record says that its directory is outside of the home
  bool ttl_held = false;  // facts.h
  Facts facts{};          // of a workspace
  Decision decision{};    // as far as it is known
  WallTime created{};
  // Who is to be asked: the place in Survey::authorities, and under which names.
  std::optional<std::uint32_t> authority{};
  std::string authority_id{};
  std::string authority_full_id{};
};

struct Survey {
  std::vector<Candidate> sessions{};     // in the order of their names
  std::vector<Authority> authorities{};  // without their ids: one for all workspaces of a daemon
  std::vector<std::string> stages{};     // leftovers of `workspace new` (os::is_stage_name)
  std::optional<Error> claims_error{};   // why nobody can say who counts on a run
  BootMoment now{};

  [[nodiscard]] Authority authority_of(const Candidate& candidate) const;
};

Result<Survey> survey(const Services& services, const Options& options);

}  // namespace holdfast::gc
