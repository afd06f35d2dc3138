// SPDX-License-Identifier: Apache-2.0
//
// Ensure: declared files and directories are there, with their type, mode and owner.
//
//   HF_TRY(resolve_owners(entries));                                  // names of users to ids
//   EnsurePlan plan = plan_ensure(entries, Purpose::kApply);          // looks, changes nothing
//   if (const Error* refusal = plan.refusal()) return fail(*refusal); // nothing was changed
//   EnsureDone done;
//   HF_TRY(apply_ensure(entries, plan, options, done));               // `done` also tells on error
//
// Guarantee: everything is looked at before anything is made, and one refusal is enough that
// nothing is. Only what is absent is created: a file whole, with its content, mode and owner, and
// durably, or not at all; a directory likewise. The content of what exists is never touched. Its
// mode and owner are set only where the entry says `pin`, by handle; else a difference is drift and
// reported. No link is replaced, and none is followed anywhere in a path unless `links` is kFollow
// (ensure_follow.h says which and what holds then); what is told names the paths as they were
// declared. It may be repeated, and two at once both succeed: who comes second finds a present thing.
//
// Interleaving: somebody else creates a path between plan and apply. Creation never replaces, so
// the other one wins; what he made is then looked at as if it had been there before: it is present,
// or drift, or refused (of another type, a link), and then the error says what was made before it.
//
// `readable_by` is proven from the root down by owner and mode: the search bit of every directory
// above, read (and search, for a directory) on the thing itself; before anything is made by what
// it would be, and once more afterwards. User 0 gets no credit for being root. Limits: further
// groups of that user are not known, a security module or a mount may forbid more.
//
// What is refused: `untrusted-dir` (target.h; a directory that is declared and is as declared,
// with its owner, is trusted), `is-link`, `dangling-link`, `too-many-links`, `wrong-type`,
// `hard-linked` (pinning a file with other names), `not-readable-by` (all kRefused);
// `duplicate-path` (kConfig) of two that lead to the same place; `parent-missing` (kNotFound); missing rights as the
// system or this process knows them (kOsRefused; only user 0 is taken to be able to give things
// away); kCannotTell `access-list` where a list says more than the mode. With Purpose::kLook an
// absent parent and missing rights are no refusals: the entry is missing.
//
// Fenced (`gate`, base/commit_gate.h): apply asks first whether the caller's locks are still his,
// and each thing is given its name, or its mode and owner, inside a passage. A file that has a lock
// (edit_lock.h) is made, or pinned, under it; one that appears only meanwhile is not waited for:
// nothing that is there is replaced.
//
// Errors of apply: these, those of the gate, what os_error.h says, kBusy `directory-busy`,
// kNotDurable. Platform:
// Linux only. A crash while a directory is made may leave an empty `.hf-stage-…` (os/file/staged_file.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/commit_gate.h"
#include "base/result.h"
#include "file/ensure/ensure_follow.h"
#include "file/replace/edit_lock.h"
#include "file/replace/target.h"
#include "format/file/manifest.h"

namespace holdfast::file {

// Names become ids (passwd.h). kConfig `unknown-user`.
Result<> resolve_owners(std::vector<ManifestEntry>& entries);

enum class Purpose : std::uint8_t { kApply, kLook };
enum class Found : std::uint8_t { kMissing, kPresent, kDrift, kRefused };

struct Difference {
  std::string what;  // "mode", "owner"
  std::string is;
  std::string declared;
};

struct Finding {
  Found found = Found::kPresent;
  std::vector<Difference> differences{};  // of kDrift
  Ids owner{};                            // of what is there
  std::optional<Error> refusal{};         // of kRefused
};

struct EnsurePlan {
  std::vector<Finding> findings;     // one per entry, in their order
  std::vector<Followed> followed{};  // the same, where links are followed; else empty

  // The most telling one: kRefused before any other.
  [[nodiscard]] const Error* refusal() const;
};

// The owners of `entries` are ids. Of `links` kReplace is as kRefuse.
EnsurePlan plan_ensure(const std::vector<ManifestEntry>& entries, Purpose purpose,
                       TrustDir trust = TrustDir::kOnlyOwn, Links links = Links::kRefuse);

struct EnsureOptions {
  Duration wait = std::chrono::seconds(10);  // for a directory's lock
  std::shared_ptr<CommitGate> gate{};        // the locks that the caller runs under
  std::shared_ptr<EditLock> edit_lock{};     // of each file that is made or pinned, one at a time
};

struct EnsureDone {
  struct Made {
    std::string path;
    PathType type = PathType::kFile;
    std::uint32_t mode = 0;
  };
  struct Differing {
    std::string path;
    std::vector<Difference> differences;
  };
  std::vector<Made> created;      // in the order in which it was made
  std::vector<Differing> pinned;  // these differences are gone
  std::vector<Differing> drift;   // and these are not
  std::size_t present = 0;        // was there as declared
};

// `plan` is that of the same entries, without a refusal.
Result<> apply_ensure(const std::vector<ManifestEntry>& entries, const EnsurePlan& plan,
                      const EnsureOptions& options, EnsureDone& done);

}  // namespace holdfast::file
