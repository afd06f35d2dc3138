// SPDX-License-Identifier: Apache-2.0
//
// decide: what becomes of one workspace, from what is known of it. Pure; the table of the whole
// clean-up. It is asked twice: when the plan is made, and again under the workspace's lock.
//
// In this order, the first that holds:
//
//   kept      attached         somebody works in it, or it cannot be told that nobody does
//   kept      runs             a run of `holdfast run` in the same directory is not over
//   unknown   …                whether it is cannot be told
//   kept      series, …        somebody still counts on what a run left in it (options.h, ClaimOn)
//   unknown   claim-unknown    whether somebody does cannot be told
//   kept      young            born less than the grace ago
//   removed   never-made       reserved, and whoever made it is gone
//   kept      ttl-left         nobody vouches for it, and its ttl has not passed
//   kept      no-authority     nobody vouches for it, and nobody said that it is over
//   asked                      it has an authority, which has not been asked yet
//   kept      listed, running  the authority knows it
//   unknown   …                the authority cannot tell
//   removed   ended            its harness said so, and the authority (if any) does not know it
//   removed   ttl-passed       no sign of life for longer than its ttl, and likewise
//   removed   not-listed, …    the word of the authority, or the proof of the process's death
//
// The brake is for answers that only list. An engine that can be asked for each workspace by id is
// asked so before anything is removed (authority::confirm), and its list counts nothing here.
// It counts every workspace that the authority does not know, those that stay for another
// reason (attached, young) included, and not those that were ended: their harness said it first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "authority/ask.h"
#include "base/clock.h"
#include "format/session/workspace_record.h"

namespace holdfast::gc {

// What is true of the run in the workspace's directory.
enum class RunNow : std::uint8_t { kNone, kOver, kGoing, kUnknown };

// Who counts on what the run left.
struct Claim {
  std::string by{};  // a word; empty: nobody
  bool known = true;
};

struct Facts {
  WorkspaceState state = WorkspaceState::kReady;
  bool ended = false;
  bool has_ttl = false;
  bool ttl_passed = false;
  bool attached = false;
  bool has_authority = false;
  RunNow run = RunNow::kNone;
  Claim claim{};
  Duration age{};
};

enum class Fate : std::uint8_t { kKeep, kUnknown, kAsk, kRemove };

struct Decision {
  Fate fate = Fate::kKeep;
  std::string reason{};
  bool by_probe_alone = false;  // the brake counts it
};

// `vouched` is null before the authority was asked.
Decision decide(const Facts& facts, Duration grace, const authority::Verdict* vouched);

// Of a session without a workspace; `age` since it ended.
Decision decide_run(RunNow run, const Claim& claim, Duration age, Duration grace);

// Deaths that only a probe knows of, and workspaces that it saw.
struct Tally {
  std::uint64_t seen = 0;
  std::uint64_t gone = 0;

  void count(const Facts& facts, const authority::Verdict& verdict);
};
// Does everything look dead at once (rule G3)? `none-seen` or `most-gone`; empty: no.
std::string brake_of(const Tally& tally);

}  // namespace holdfast::gc
