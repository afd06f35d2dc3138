// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the plan saw nothing under the name, and before we make it somebody
// puts a link, a file or a directory there. Nothing here asks "is it free?" and then acts: a file
// is linked and a directory renamed into place by calls that never replace, and whoever lost the
// race looks at the winner through the open parent. What exists is changed only through a handle
// that was opened without following a link, and only after its type was read from that handle.
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "base/cause.h"
#include "file/ensure/ensure.h"
#include "file/ensure/ensure_look.h"
#include "file/replace/commit_lock.h"
#include "format/text/expand.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "os/file/metadata.h"
#include "os/file/staged_file.h"

namespace holdfast::file {
namespace {

constexpr std::uint32_t kEnsureApplyParentMode = 0755;

class Worker {
 public:
  Worker(const std::vector<ManifestEntry>& entries, const EnsureOptions& options, EnsureDone& done)
      : options_(options), done_(done), implied_(implied_parents(entries)) {}

  // `entry` where it lies, `declared` as its path was declared; `followed`: links led there.
  Result<> work(const ManifestEntry& entry, const std::string& declared, const Followed* followed,
                const Finding& planned) {
    hold_.reset();
    declared_ = &declared;
    followed_ = followed;
    switch (planned.found) {
      case Found::kMissing:
        return create(entry);
      case Found::kDrift:
        return meet(entry, planned);
      case Found::kPresent:
        ++done_.present;
        return {};
      case Found::kRefused:
        return fail(*planned.refusal);
    }
    return {};
  }

 private:
  Result<> create(const ManifestEntry& entry) {
    HF_TRY(open_parent(entry));
    const os::SafeName name = HF_TRY(os::SafeName::make(name_part(entry.path)));
    const os::Placed placed =
        HF_TRY(entry.type == PathType::kFile ? make_file(entry, name) : make_dir(entry, name));
    if (placed == os::Placed::kPlaced) return {};
    // Somebody was faster.
    auto info = HF_TRY(parent_->info(name));
    if (!info) return fail(gone(entry));
    info->mode = HF_TRY(os::shown_mode(*parent_, name, *info, entry.mode));
    return meet(entry, compare(entry, *info));
  }

  // A thing that is there.
  Result<> meet(const ManifestEntry& entry, const Finding& finding) {
    if (finding.refusal) return fail(*finding.refusal);
    if (finding.found == Found::kPresent) {
      ++done_.present;
    } else if (!entry.pin) {
      done_.drift.push_back({*declared_, finding.differences});
    } else {
      HF_TRY(pin(entry));
    }
    return {};
  }

  Result<> open_parent(const ManifestEntry& entry) {
    const std::string path(lexical_parent(entry.path));
    if (parent_ && parent_path_ == path) return {};
    parent_.reset();
    ParentLook look = look_for_parent(path);
    if (look.refusal) return fail(*look.refusal);
    if (!look.dir) look.dir = HF_TRY(make_parents(entry, *std::move(look.above), look.missing));
    parent_.emplace(*std::move(look.dir));
    parent_path_ = path;
    return {};
  }

  Result<os::Dir> make_parents(const ManifestEntry& entry, os::Dir above,
                               const std::vector<std::string>& missing) {
    for (const std::string& place : missing) {
      if (!implied_.contains(place)) return fail(gone(entry));
      const os::SafeName name = HF_TRY(os::SafeName::make(name_part(place)));
      HF_TRY(
          place_dir(above, name,
                    {.path = place, .type = PathType::kDirectory, .mode = kEnsureApplyParentMode},
                    std::nullopt));
      above = HF_TRY(above.open_dir(name));  // ours or a faster one's, but a directory
    }
    return above;
  }

  Result<os::Placed> make_dir(const ManifestEntry& entry, const os::SafeName& name) {
    const auto owner = owner_of(entry);
    return place_dir(*parent_, name, {.path = *declared_, .type = entry.type, .mode = entry.mode},
                     owner ? std::optional(os::DirOwner{owner->uid, owner->gid}) : std::nullopt);
  }

  Result<os::Placed> place_dir(const os::Dir& parent, const os::SafeName& name,
                               EnsureDone::Made made, std::optional<os::DirOwner> owner) {
    os::StagedDir staged = HF_TRY(os::StagedDir::create(parent, made.mode, owner));
    return publish(parent, staged, name, std::move(made));
  }

  Result<os::Placed> make_file(const ManifestEntry& entry, const os::SafeName& name) {
    os::StagedFile staged = HF_TRY(os::StagedFile::create(*parent_, entry.mode));
    HF_TRY(staged.write_all(entry.initial));
    if (const auto owner = owner_of(entry)) {
      HF_TRY(os::set_owner(staged.file(), owner->uid, owner->gid));
      HF_TRY(staged.file().set_mode(entry.mode));
    }
    const os::FileInfo info = HF_TRY(staged.file().info());
    if (HF_TRY(os::shown_mode(staged.file(), info, entry.mode)) != entry.mode) {
      return fail({.code = ErrorCode::kRefused,
                   .op = "make",
                   .subject = entry.path,
                   .cause = "mode-not-set",
                   .detail = "the system set another mode than is declared"});
    }
    HF_TRY(staged.file().sync());
    HF_TRY(lock_file(entry));
    return publish(*parent_, staged, name,
                   {.path = *declared_, .type = entry.type, .mode = entry.mode});
  }

  // The file's lock, if it has one, until the next entry; where a link led to it, that of the link's
  // name as well.
  Result<> lock_file(const ManifestEntry& entry) {
    if (!options_.edit_lock || hold_) return {};
    Target target = HF_TRY(locate(entry.path, Links::kRefuse));
    target.path = *declared_;
    hold_ = HF_TRY(options_.edit_lock->take(target));
    return {};
  }

  // Right before the act, under the locks.
  [[nodiscard]] Result<> check_way() const {
    if (followed_ == nullptr) return {};
    return check_leads_to(*declared_, *followed_);
  }

  [[nodiscard]] std::shared_ptr<CommitGate> gate() const {
    return hold_ ? hold_->gate() : options_.gate;
  }

  // The name inside the gate, its sync behind it. What is there counts as made also where its
  // durability is unknown.
  template <typename Staged>
  Result<os::Placed> publish(const os::Dir& parent, Staged& staged, const os::SafeName& name,
                             EnsureDone::Made made) {
    const CommitLock lock = HF_TRY(CommitLock::take(parent, options_.wait));
    HF_TRY(check_way());
    const auto locks = gate();
    Passage passage = HF_TRY(enter_gate(locks.get()));
    const os::Placed placed = HF_TRY(staged.give_name(name));
    passage.reset();
    if (placed == os::Placed::kNameTaken) return placed;
    done_.created.push_back(std::move(made));
    HF_TRY(durable(parent.sync()));
    return placed;
  }

  Result<> pin(const ManifestEntry& entry) {
    HF_TRY(open_parent(entry));
    const os::SafeName name = HF_TRY(os::SafeName::make(name_part(entry.path)));
    if (entry.type == PathType::kDirectory) {
      const os::Dir dir = HF_TRY(parent_->open_dir(name));
      const Finding finding = HF_TRY(compared(entry, dir));
      HF_TRY(
          dress(entry, dir, finding, [&](std::uint32_t mode) { return os::set_mode(dir, mode); }));
      return durable(dir.sync());
    }
    HF_TRY(lock_file(entry));
    auto file = HF_TRY(parent_->open_file(name, os::Access::kRead));
    if (!file) return fail(gone(entry));
    const Finding finding = HF_TRY(compared(entry, *file));
    HF_TRY(dress(entry, *file, finding, [&](std::uint32_t mode) { return file->set_mode(mode); }));
    return durable(file->sync());
  }

  // After the change: it stands, whatever the sync says.
  static Result<> durable(const Result<>& synced) {
    return synced ? Result<>() : fail(not_durable(synced.error()));
  }

  template <typename Thing>
  static Result<Finding> compared(const ManifestEntry& entry, const Thing& thing) {
    os::FileInfo info = HF_TRY(thing.info());
    info.mode = HF_TRY(os::shown_mode(thing, info, entry.mode));
    Finding finding = compare(entry, info);
    if (finding.refusal) return fail(*finding.refusal);
    return finding;
  }

  // The owner first: giving a thing away may clear bits of its mode.
  template <typename Thing, typename SetMode>
  Result<> dress(const ManifestEntry& entry, const Thing& thing, const Finding& finding,
                 const SetMode& set_mode) {
    if (finding.differences.empty()) {
      ++done_.present;
      return {};
    }
    const auto owner = owner_of(entry);
    const os::FileInfo info = HF_TRY(thing.info());
    HF_TRY(check_way());
    const auto locks = gate();
    const Passage passage = HF_TRY(enter_gate(locks.get()));
    if (owner && *owner != Ids{info.uid, info.gid}) {
      HF_TRY(os::set_owner(thing, owner->uid, owner->gid));
      done_.pinned.push_back({*declared_, finding.differences});
      return set_mode(entry.any_mode ? info.mode : entry.mode);
    }
    HF_TRY(set_mode(entry.any_mode ? info.mode : entry.mode));
    done_.pinned.push_back({*declared_, finding.differences});
    return {};
  }

  static Error gone(const ManifestEntry& entry) {
    return {.code = ErrorCode::kBusy,
            .op = "ensure",
            .subject = entry.path,
            .cause = cause::kChangedMeanwhile,
            .detail = "somebody removed it, or the directory above it, while ensure worked"};
  }

  const EnsureOptions& options_;
  EnsureDone& done_;
  std::set<std::string_view> implied_;
  std::string parent_path_;
  std::optional<os::Dir> parent_;
  std::unique_ptr<EditLock::Hold> hold_;
  const std::string* declared_ = nullptr;  // of the entry that is worked on
  const Followed* followed_ = nullptr;
};

// The same error, and what state is left.
Error ensure_apply_with_state(Error error, const EnsureDone& done) {
  const std::size_t count = done.created.size() + done.pinned.size();
  error.detail += count == 0 ? "; nothing was changed"
                             : "; before that " + std::to_string(count) +
                                   " declared things were made or pinned, and stay";
  return error;
}

}  // namespace

Result<> apply_ensure(const std::vector<ManifestEntry>& entries, const EnsurePlan& plan,
                      const EnsureOptions& options, EnsureDone& done) {
  if (const auto ours = check_gate(options.gate.get()); !ours) {
    return fail(ensure_apply_with_state(ours.error(), done));
  }
  std::vector<ManifestEntry> placed;
  if (!plan.followed.empty()) placed = where_they_lie(entries, plan.followed);
  const std::vector<ManifestEntry>& lying = placed.empty() ? entries : placed;
  const auto followed = [&](std::size_t index) {
    return plan.followed.empty() ? nullptr : &plan.followed[index];
  };
  Worker worker(lying, options, done);
  for (const std::size_t index : work_order(lying)) {
    const auto worked =
        worker.work(lying[index], entries[index].path, followed(index), plan.findings[index]);
    if (!worked) return fail(ensure_apply_with_state(worked.error(), done));
  }
  ReadableProof proof({});
  for (std::size_t i = 0; i < lying.size(); ++i) {
    if (const Followed* way = followed(i)) {
      const auto leads = check_leads_to(entries[i].path, *way);
      if (!leads) return fail(ensure_apply_with_state(leads.error(), done));
    }
    if (!lying[i].readable_by) continue;
    if (const auto proven = proof.prove(lying[i], followed(i)); !proven) {
      return fail(ensure_apply_with_state(proven.error(), done));
    }
  }
  return {};
}

}  // namespace holdfast::file
