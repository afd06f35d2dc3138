// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/cause.h"
#include "file/ensure/ensure.h"
#include "file/ensure/ensure_look.h"
#include "file/ensure/passwd.h"
#include "format/text/expand.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "os/file/metadata.h"

namespace holdfast::file {
namespace {

constexpr std::uint32_t kEnsurePlanParentMode = 0755;
constexpr std::uint32_t kOwnerRead = 0400;

class EnsurePlanPlanner {
 public:
  EnsurePlanPlanner(const std::vector<ManifestEntry>& entries,
                    const std::vector<Followed>& followed, Purpose purpose, TrustDir trust)
      : entries_(entries),
        followed_(followed),
        purpose_(purpose),
        trust_(trust),
        self_(os::own_uid()),
        directories_(implied_parents(entries)) {
    for (const ManifestEntry& entry : entries) {
      if (entry.type == PathType::kDirectory) directories_.insert(entry.path);
    }
  }

  EnsurePlan plan() {
    EnsurePlan plan;
    plan.findings.resize(entries_.size());
    for (const std::size_t index : work_order(entries_)) {
      plan.findings[index] = look(entries_[index]);
    }
    prove_readable(plan);
    return plan;
  }

 private:
  Finding look(const ManifestEntry& entry) {
    if (const auto refusal = not_offered(entry)) return refused(*refusal);
    const std::string_view parent = lexical_parent(entry.path);
    if (parent_path_ != parent) {
      parent_path_ = parent;
      parent_ = look_for_parent(parent_path_);
      may_create_.reset();
    }
    if (parent_.refusal) return refused(*parent_.refusal);
    if (const auto trusted = check_parent(entry); !trusted) return refused(trusted.error());
    if (!parent_.dir) return missing(entry);
    const auto name = os::SafeName::make(name_part(entry.path));
    if (!name) return refused(name.error());
    const auto info = parent_.dir->info(*name);
    if (!info) return refused(info.error());
    if (!*info) return missing(entry);
    os::FileInfo shown = **info;
    const auto mode = os::shown_mode(*parent_.dir, *name, shown, entry.mode);
    if (!mode) return refused(mode.error());
    shown.mode = *mode;
    Finding finding = compare(entry, shown);
    const bool sets = purpose_ == Purpose::kApply && entry.pin && finding.found == Found::kDrift;
    if (sets && self_ != 0 && (*info)->uid != self_) {
      return refused(not_permitted(entry, "it belongs to user " + std::to_string((*info)->uid) +
                                              ", so only that one or root can pin it"));
    }
    if (sets && self_ != 0 && ((*info)->mode & kOwnerRead) == 0) {
      return refused(not_permitted(entry,
                                   "its owner may not read it, so it cannot be opened to be "
                                   "pinned"));
    }
    return sets ? checked_owner(entry, std::move(finding)) : finding;
  }

  // Whoever declares a directory with its owner and mode trusts whom they let in.
  [[nodiscard]] bool is_as_declared(const os::Dir& dir) const {
    const auto declared = std::ranges::find_if(entries_, [&](const ManifestEntry& entry) {
      return entry.type == PathType::kDirectory && entry.path == parent_path_;
    });
    const auto info = dir.info();
    if (declared == entries_.end() || declared->any_mode || !info) return false;
    const auto owner = owner_of(*declared);
    return info->mode == declared->mode && (owner ? owner->uid : self_) == info->uid;
  }

  [[nodiscard]] Result<> check_parent(const ManifestEntry& entry) const {
    if (parent_.dir && is_as_declared(*parent_.dir)) return {};
    return check_dir(parent_.dir ? *parent_.dir : *parent_.above, entry.path, trust_);
  }

  Finding missing(const ManifestEntry& entry) {
    Finding finding{.found = Found::kMissing};
    if (purpose_ == Purpose::kLook) return finding;
    for (const std::string& place : parent_.missing) {
      if (directories_.contains(place)) continue;
      return refused(
          {.code = ErrorCode::kNotFound,
           .op = "ensure",
           .subject = entry.path,
           .cause = "parent-missing",
           .detail = "there is no directory " + place + "; declare it, or set `parents = true`"});
    }
    if (!may_create_)
      may_create_ = os::check_may_create(parent_.dir ? *parent_.dir : *parent_.above);
    if (!*may_create_) return refused(may_create_->error());
    return checked_owner(entry, finding);
  }

  Finding checked_owner(const ManifestEntry& entry, Finding finding) const {
    const auto owner = owner_of(entry);
    if (!owner || self_ == 0 || owner->uid == self_) return finding;
    return refused(
        not_permitted(entry, "only root can give it to user " + std::to_string(owner->uid)));
  }

  // Where users have no numbers and files no mode bits.
  static std::optional<Error> not_offered(const ManifestEntry& entry) {
    if (os::has_owner_and_mode() || (!entry.owner && !entry.readable_by)) return std::nullopt;
    return Error{.code = ErrorCode::kRefused,
                 .op = "ensure",
                 .subject = entry.path,
                 .cause = "unsupported",
                 .detail = "`owner` and `readable_by` are not offered on Windows"};
  }

  static Error not_permitted(const ManifestEntry& entry, std::string detail) {
    return {.code = ErrorCode::kOsRefused,
            .op = "ensure",
            .subject = entry.path,
            .cause = cause::kEperm,
            .detail = std::move(detail)};
  }

  void prove_readable(EnsurePlan& plan) const {
    const auto asks = [](const ManifestEntry& entry) { return entry.readable_by.has_value(); };
    if (std::none_of(entries_.begin(), entries_.end(), asks)) return;
    ReadableProof proof(planned_access(plan));
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      Finding& finding = plan.findings[i];
      const bool is_there = finding.found == Found::kPresent || finding.found == Found::kDrift;
      const bool will_be = purpose_ == Purpose::kApply && finding.found == Found::kMissing;
      if (!asks(entries_[i]) || !(is_there || will_be)) continue;
      const Followed* followed = followed_.empty() ? nullptr : &followed_[i];
      if (auto proven = proof.prove(entries_[i], followed); !proven) {
        finding = refused(proven.error());
      }
    }
  }

  // What apply would leave, as far as it differs from what is there.
  [[nodiscard]] AccessTable planned_access(const EnsurePlan& plan) const {
    AccessTable planned;
    if (purpose_ == Purpose::kLook) return planned;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const ManifestEntry& entry = entries_[i];
      const Finding& finding = plan.findings[i];
      const auto owner = owner_of(entry);
      if (finding.found == Found::kMissing) {
        planned.emplace(entry.path,
                        AccessFacts{.mode = entry.mode,
                                    .uid = owner ? owner->uid : self_,
                                    .gid = owner ? std::optional(owner->gid) : std::nullopt});
      } else if (finding.found == Found::kDrift && entry.pin) {
        const Ids ids = owner.value_or(finding.owner);
        planned.emplace(entry.path,
                        AccessFacts{.mode = entry.mode, .uid = ids.uid, .gid = ids.gid});
      }
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (plan.findings[i].found != Found::kMissing || !entries_[i].parents) continue;
      for (const std::string& place :
           look_for_parent(std::string(lexical_parent(entries_[i].path))).missing) {
        planned.emplace(place, AccessFacts{.mode = kEnsurePlanParentMode, .uid = self_});
      }
    }
    return planned;
  }

  const std::vector<ManifestEntry>& entries_;
  const std::vector<Followed>& followed_;  // or empty
  Purpose purpose_;
  TrustDir trust_;
  std::uint32_t self_;
  std::set<std::string_view> directories_;  // that are declared, or made for what is
  std::string parent_path_;
  ParentLook parent_;
  std::optional<Result<>> may_create_;
};

// Where each entry leads, and which of them cannot be followed: those get a refusal in `findings`.
std::vector<Followed> follow_all(const std::vector<ManifestEntry>& entries, TrustDir trust,
                                 std::vector<Finding>& findings) {
  std::vector<Followed> followed;
  followed.reserve(entries.size());
  std::map<std::string, const ManifestEntry*, std::less<>> seen;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ManifestEntry& entry = entries[i];
    auto way = follow_links(entry.path, trust);
    if (!way) {
      findings[i] = refused(way.error());
      way = Followed{.path = entry.path};
    }
    const auto [first, added] = seen.emplace(way->path, &entry);
    if (!added && !findings[i].refusal) {
      findings[i] = refused({.code = ErrorCode::kConfig,
                             .op = "ensure",
                             .subject = entry.path,
                             .cause = "duplicate-path",
                             .detail = "it leads to " + first->first + ", as does " +
                                       first->second->path + ", which is declared, too"});
    }
    followed.push_back(*std::move(way));
  }
  return followed;
}

}  // namespace

Result<> resolve_owners(std::vector<ManifestEntry>& entries) {
  std::map<std::string, Ids> known;
  for (ManifestEntry& entry : entries) {
    const UserName* user = entry.owner ? std::get_if<UserName>(&*entry.owner) : nullptr;
    if (user == nullptr) continue;
    const auto seen = known.find(user->name);
    const Ids ids = seen == known.end() ? HF_TRY(resolve_owner(*user)) : seen->second;
    known.emplace(user->name, ids);
    entry.owner = ids;
  }
  return {};
}

EnsurePlan plan_ensure(const std::vector<ManifestEntry>& entries, Purpose purpose, TrustDir trust,
                       Links links) {
  if (links != Links::kFollow) return EnsurePlanPlanner(entries, {}, purpose, trust).plan();
  std::vector<Finding> not_followed(entries.size());
  std::vector<Followed> followed = follow_all(entries, trust, not_followed);
  const std::vector<ManifestEntry> placed = where_they_lie(entries, followed);
  EnsurePlan plan = EnsurePlanPlanner(placed, followed, purpose, trust).plan();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (not_followed[i].refusal) plan.findings[i] = std::move(not_followed[i]);
  }
  plan.followed = std::move(followed);
  return plan;
}

const Error* EnsurePlan::refusal() const {
  const Error* first = nullptr;
  for (const Finding& finding : findings) {
    if (!finding.refusal) continue;
    if (finding.refusal->code == ErrorCode::kRefused) return &*finding.refusal;
    if (first == nullptr) first = &*finding.refusal;
  }
  return first;
}

}  // namespace holdfast::file
