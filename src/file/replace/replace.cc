// SPDX-License-Identifier: Apache-2.0
//
// The order of things, and why.
//
//   content → checks → look at the old file → metadata → sync → the file's lock → the directory's
//   → look again → gate → swap → gate left → unlock → sync of the directory
//
// Everything slow is done before the lock; under it are one look, one comparison and the swap. What
// is looked at before the lock may have changed until it is held: then either that counts (the new
// content was made from it: `changed-meanwhile`) or it does not, and the turn is taken again with
// what is there now, because owner, mode and the size to compare with come from it; from then on
// under the lock, so that it ends. In place the lock comes first of all: another one who writes in
// place changes the very bytes that are looked at.
//
// The content is synced before it gets the name, and with it the metadata: a power cut in between
// would otherwise leave the name with zeros, or with the wrong mode.
#include "file/replace/replace.h"

#include <utility>

#include "base/cause.h"
#include "file/replace/backup.h"
#include "file/replace/commit_lock.h"
#include "file/replace/copy.h"
#include "file/replace/in_place.h"
#include "file/replace/metadata.h"
#include "file/replace/old_file.h"
#include "file/replace/swap.h"
#include "os/dir/dir.h"
#include "os/file/metadata.h"
#include "os/file/staged_file.h"
#include "os/machine/real_clock.h"
#include "os/machine/sha256.h"
#include "os/signal/signals.h"

namespace holdfast::file {
namespace {

constexpr int kMostTurns = 64;  // somebody may change the file again and again

Error changed_meanwhile(const Target& target) {
  return {.code = ErrorCode::kBusy,
          .op = "replace",
          .subject = target.path,
          .cause = cause::kChangedMeanwhile,
          .detail = "somebody else changed it in between; nothing was changed"};
}

Error locked_meanwhile(const Target& target) {
  return {.code = ErrorCode::kBusy,
          .op = "replace",
          .subject = target.path,
          .cause = cause::kLockedMeanwhile,
          .detail = "somebody took its lock in between; nothing was changed"};
}

}  // namespace

class Replacement::Job {
 public:
  static Result<std::unique_ptr<Job>> begin(const std::string& path, ReplaceOptions options) {
    Target target = HF_TRY(locate(path, options.links, options.trust));
    auto job = std::unique_ptr<Job>(new Job(path, std::move(target), std::move(options)));
    HF_TRY(job->prepare());
    return job;
  }

  Result<> write(std::string_view bytes) {
    if (options_.base == Base::kAny && !lock_) let_go_of_old();  // that may take long
    if (auto written = stage_->write_all(bytes); !written) {
      Error error = about_target(std::move(written).error());
      error.op = "write the new content of";
      error.detail += "; nothing was changed";
      return fail(std::move(error));
    }
    hash_.update(bytes);
    bytes_ += bytes.size();
    return {};
  }

  Result<Replaced> commit();

  void use_mode(std::uint32_t mode) { options_.mode = mode; }
  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] const std::optional<OldFile>& old() const { return old_; }
  [[nodiscard]] bool restored() const { return restored_; }

 private:
  Job(std::string path, Target target, ReplaceOptions options)
      : path_(std::move(path)),
        target_(std::move(target)),
        options_(std::move(options)),
        gate_(options_.gate) {}

  Result<> prepare();
  Result<> take_lock();
  // Somebody may hold the file's lock by now, and we looked when there was none.
  [[nodiscard]] bool got_a_lock() const {
    return options_.edit_lock && !edit_hold_ && options_.edit_lock->exists(target_);
  }
  [[nodiscard]] CommitGate* gate() const { return gate_.get(); }
  void let_go_of_locks();
  Result<> look();
  void let_go_of_old();
  Result<bool> take_old_again();
  Result<> run_checks();
  Result<std::optional<Replaced>> take_turn();
  Result<> examine_expected();
  Result<> examine_old();
  Result<bool> is_there_already(const WantedMeta& wanted);
  Result<> dress_stage(const WantedMeta& wanted);
  Result<> restage();
  Result<bool> is_as_looked_at();
  Result<SwapAnswer> put_in_place();
  Result<SwapAnswer> write_into_it();
  Result<> keep_copy_first();
  void keep_displaced_file(const os::SafeName& displaced);
  Result<> sync_name(bool changed);
  Result<> sync_after(bool changed);
  Replaced finish(bool changed);
  // The stage is nothing that the caller knows.
  [[nodiscard]] Error about_target(Error error) const {
    if (error.subject == stage_->file().path()) error.subject = target_.path;
    return error;
  }
  [[nodiscard]] OldFile* old_ptr() { return old_ ? &*old_ : nullptr; }

  std::string path_;  // as it was typed
  Target target_;
  ReplaceOptions options_;
  std::shared_ptr<CommitGate> gate_;  // that of the options, and the file's lock once it is held
  bool restored_ = false;
  std::unique_ptr<EditLock::Hold> edit_hold_;
  std::optional<CommitLock> lock_;  // goes before the file's
  std::optional<OldFile> old_;
  bool let_go_ = false;               // old_ was a file, and is closed for now
  std::optional<Digest> old_digest_;  // of old_, once it was needed
  std::optional<os::StagedFile> stage_;
  os::Sha256 hash_;
  std::uint64_t bytes_ = 0;
  Digest new_digest_;
  std::optional<WantedMeta> dressed_;  // what the stage has, synced
  std::optional<std::string> backup_;
  std::optional<Error> trouble_;
};

Result<> Replacement::Job::prepare() {
  if (options_.how == How::kInPlace && (options_.owner || options_.meta == Meta::kPin)) {
    return fail(
        {.code = ErrorCode::kUsage,
         .op = "write in place",
         .subject = target_.path,
         .cause = "in-place-metadata",
         .detail = "owner and attributes of a file that is written in place stay as they are"});
  }
  if (options_.locking == Locking::kFromBegin) HF_TRY(take_lock());
  HF_TRY(check_gate(gate()));  // before somebody works for an hour
  if (HF_TRY(has_leftover(target_))) {
    const bool had_lock = lock_.has_value();
    HF_TRY(take_lock());
    restored_ = HF_TRY(restore_leftover(target_));
    if (!had_lock) let_go_of_locks();
  }
  HF_TRY(look());
  if (options_.expect) HF_TRY(examine_expected());  // likewise
  if (options_.backups > 0) HF_TRY(backup_name(target_.name, os::RealClock().wall()));
  auto stage = os::StagedFile::create(target_.dir, kPrivateFile);
  if (!stage) return fail(explain_directory(target_, stage.error()));
  stage_.emplace(std::move(*stage));
  return {};
}

// The file's lock, if it has one, then the directory's.
Result<> Replacement::Job::take_lock() {
  if (lock_) return {};
  if (options_.edit_lock && !edit_hold_) {
    HF_TRY(check_gate(gate()));  // whose locks are lost would wait in vain
    edit_hold_ = HF_TRY(options_.edit_lock->take(target_));
    if (edit_hold_) gate_ = edit_hold_->gate();
  }
  lock_.emplace(HF_TRY(CommitLock::take(target_.dir, options_.wait)));
  return {};
}

void Replacement::Job::let_go_of_locks() {
  lock_.reset();
  gate_ = options_.gate;
  edit_hold_.reset();
}

// Where a file that is open cannot be replaced, two jobs that wait for each other's end with the
// same old file open would hold each other up. So it is closed before every wait, and opened again
// afterwards; that it is still the one that was looked at is seen as everywhere else.
void Replacement::Job::let_go_of_old() {
  if (!os::open_files_hold_names() || !old_ || !old_->file) return;
  old_->file.reset();
  let_go_ = true;
}

// False: it is another one now.
Result<bool> Replacement::Job::take_old_again() {
  if (!let_go_) return true;
  let_go_ = false;
  auto again = HF_TRY(look_at(target_, options_.links));
  if (!again || !again->file || !same_file(old_->info, again->info)) return false;
  old_->file = std::move(again->file);
  return true;
}

Result<> Replacement::Job::look() {
  old_digest_.reset();
  let_go_ = false;
  old_ = HF_TRY(look_at(target_, options_.links));
  if (old_) return check_old(target_, *old_, options_);
  if (options_.how != How::kInPlace) return {};
  return fail({.code = ErrorCode::kNotFound,
               .op = "write in place",
               .subject = target_.path,
               .cause = "enoent",
               .detail = "there is no such file"});
}

Result<> Replacement::Job::run_checks() {
  bool shown_to_others = false;
  const std::uint64_t names = HF_TRY(stage_->file().info()).links;
  for (const Check& check : options_.checks) {
    auto passed = check.examine(stage_->file(), bytes_);
    if (!passed) {
      return fail(about_target(std::move(passed).error()));
    }
    shown_to_others = shown_to_others || check.changes_possible;
  }
  if (!shown_to_others) return {};
  const os::FileInfo now = HF_TRY(stage_->file().info());
  const bool same = now.size == bytes_ && now.links == names &&
                    HF_TRY(digest_of(stage_->file(), bytes_)) == new_digest_;
  if (same) return {};
  return fail(
      {.code = ErrorCode::kCorrupt,
       .op = "check the new content of",
       .subject = target_.path,
       .cause = "check-changed-it",
       .detail = "a check changed the content that it was to look at; nothing was changed"});
}

Result<Replaced> Replacement::Job::commit() {
  new_digest_ = hash_.finish();
  if (HF_TRY(stage_->file().info()).size != bytes_) {
    return fail({.code = ErrorCode::kIo,
                 .op = "write the new content of",
                 .subject = target_.path,
                 .cause = "short-write",
                 .detail = "the file system kept fewer bytes than it took; nothing was changed"});
  }
  HF_TRY(check_size(target_, bytes_, std::nullopt, options_));
  HF_TRY(run_checks());
  if (options_.how == How::kInPlace) HF_TRY(take_lock());
  for (int turn = 0; turn < kMostTurns; ++turn) {
    auto done = HF_TRY(take_turn());
    if (done) return *done;
    const bool locked = got_a_lock();
    if (options_.base == Base::kAsRead) {
      return fail(locked ? locked_meanwhile(target_) : changed_meanwhile(target_));
    }
    // From now on under the lock: nobody who cooperates comes in between again.
    if (locked) let_go_of_locks();
    HF_TRY(take_lock());
    HF_TRY(look());
  }
  return fail(changed_meanwhile(target_));
}

Result<> Replacement::Job::examine_expected() {
  if (old_ && old_->file && !old_digest_) {
    old_digest_ = HF_TRY(digest_of(*old_->file, old_->info.size));
  }
  return check_expectation(target_, old_ptr(), old_digest_, options_);
}

// The old file against the options, as far as it can be judged by looking.
Result<> Replacement::Job::examine_old() {
  HF_TRY(examine_expected());
  const bool has_size = old_ && old_->file;
  return check_size(target_, bytes_, has_size ? std::optional(old_->info.size) : std::nullopt,
                    options_);
}

Result<bool> Replacement::Job::is_there_already(const WantedMeta& wanted) {
  if (!old_ || !old_->file || old_digest_ != new_digest_) return false;
  return has_metadata(*old_, wanted);
}

Result<> Replacement::Job::dress_stage(const WantedMeta& wanted) {
  if (dressed_ == wanted || options_.how == How::kInPlace) return {};
  if (dressed_) HF_TRY(restage());
  HF_TRY(give_metadata(stage_->file(), wanted));
  if (options_.durability != Durability::kNone) HF_TRY(stage_->file().sync());
  dressed_ = wanted;
  return {};
}

// A fresh one with the same content: the first wears what an old file had that is no longer there.
Result<> Replacement::Job::restage() {
  os::StagedFile fresh = HF_TRY(os::StagedFile::create(target_.dir, kPrivateFile));
  HF_TRY(copy_content(stage_->file(), 0, bytes_, fresh.file()));
  stage_.reset();
  stage_.emplace(std::move(fresh));
  return {};
}

// Under the lock: is it what was looked at? A write in place that was cut short since then is put
// back, and that is a change.
Result<bool> Replacement::Job::is_as_looked_at() {
  if (HF_TRY(has_leftover(target_))) {
    HF_TRY(check_gate(gate()));
    if (HF_TRY(restore_leftover(target_))) {
      restored_ = true;
      return false;
    }
  }
  // Does the path still lead here? Somebody may have moved the directory away.
  const auto again = locate(path_, options_.links, options_.trust);
  if (!again || HF_TRY(again->dir.info()).id != HF_TRY(target_.dir.info()).id) {
    return fail(changed_meanwhile(target_));
  }
  const auto now = HF_TRY(target_.dir.info(target_.name));
  return now ? old_ && same_file(old_->info, *now) : !old_;
}

// nullopt: something else is there than was looked at; nothing was changed.
Result<std::optional<Replaced>> Replacement::Job::take_turn() {
  if (!HF_TRY(take_old_again())) return std::nullopt;
  if (const auto seen = examine_old(); !seen) {
    if (seen.error().cause == cause::kChangedMeanwhile) return std::nullopt;
    return fail(seen.error());
  }
  const WantedMeta wanted = HF_TRY(wanted_meta(options_, old_ptr()));
  const bool changes = !HF_TRY(is_there_already(wanted));
  if (changes) HF_TRY(dress_stage(wanted));
  if (!lock_) let_go_of_old();
  HF_TRY(take_lock());
  const os::SignalHold hold;  // nobody dies of a Ctrl-C in the few moments that matter
  if (!HF_TRY(is_as_looked_at()) || !HF_TRY(take_old_again())) return std::nullopt;
  if (!changes) {
    HF_TRY(check_gate(gate()));
  } else if (HF_TRY(put_in_place()) == SwapAnswer::kChanged) {
    return std::nullopt;
  }
  return finish(changes);
}

Result<SwapAnswer> Replacement::Job::put_in_place() {
  const bool in_place = options_.how == How::kInPlace;
  if (in_place || options_.backup_first) HF_TRY(keep_copy_first());
  if (in_place) return write_into_it();
  const Swapped swapped = HF_TRY(swap_in(target_, *stage_, old_ptr(),
                                         {.gate = gate(),
                                          .before_plain_rename = [&] { return keep_copy_first(); },
                                          .is_locked_by_now = [&] { return got_a_lock(); }}));
  if (swapped.answer == SwapAnswer::kChanged) return SwapAnswer::kChanged;
  trouble_ = swapped.trouble;
  if (swapped.displaced && options_.backups > 0 && !backup_)
    keep_displaced_file(*swapped.displaced);
  return SwapAnswer::kDone;
}

Result<> Replacement::Job::keep_copy_first() {
  if (options_.backups == 0 || backup_ || !old_ || !old_->file) return {};
  const os::SafeName kept =
      HF_TRY(keep_copy(target_.dir, *old_->file, target_.name, os::RealClock().wall()));
  backup_ = kept.str();
  return {};
}

Result<SwapAnswer> Replacement::Job::write_into_it() {
  if (got_a_lock()) return SwapAnswer::kChanged;
  const auto written = write_in_place(target_, {.old = *old_,
                                                .old_digest = *old_digest_,
                                                .staged = stage_->file(),
                                                .size = bytes_,
                                                .mode = options_.mode,
                                                .gate = gate()});
  if (!written && written.error().code != ErrorCode::kNotDurable) return fail(written.error());
  if (!written) trouble_ = written.error();
  return SwapAnswer::kDone;
}

// The displaced file itself becomes the backup. If that fails it keeps its stage name: it is not
// removed.
void Replacement::Job::keep_displaced_file(const os::SafeName& displaced) {
  stage_->forget_name();
  const auto kept = keep_displaced(target_.dir, displaced, target_.name, os::RealClock().wall());
  if (kept) {
    backup_ = kept->str();
    return;
  }
  trouble_ =
      Error{.code = ErrorCode::kNotDurable,
            .op = "keep the old version of",
            .subject = target_.path,
            .cause = "backup-not-kept",
            .detail = kept.error().detail + "; the new content is in place, and the old is " +
                      target_.dir.path_of(displaced)};
}

Result<> Replacement::Job::sync_after(bool changed) {
  if (options_.durability == Durability::kNone) return {};
  // What was there already may never have been synced by whoever wrote it.
  if (!changed) HF_TRY(old_->file->sync());
  if (options_.durability == Durability::kFull) HF_TRY(target_.dir.sync());
  return {};
}

// As long as the new file is open. What was written into the old one is synced already.
Result<> Replacement::Job::sync_name(bool changed) {
  const bool renamed = changed && options_.how != How::kInPlace;
  if (!renamed || options_.durability != Durability::kFull) return {};
  return stage_->file().sync_name();
}

// The new content is in place. What fails from here on is said, and undoes nothing.
Replaced Replacement::Job::finish(bool changed) {
  if (options_.backups > 0) {
    prune_backups(target_.dir, target_.name, options_.backups, os::RealClock().wall());
  }
  const auto named = sync_name(changed);
  const std::size_t fences = gate_ ? gate_->locks() : 0;
  stage_.reset();  // the displaced file goes under the lock, so that nobody meets its name
  let_go_of_locks();
  const auto synced = named ? sync_after(changed) : named;
  if (!synced && !trouble_) trouble_ = not_durable(synced.error());
  return {.changed = changed,
          .committed = true,
          .durable = options_.durability == Durability::kFull && synced.has_value() && !trouble_,
          .old_digest = old_digest_,
          .new_digest = new_digest_,
          .bytes = bytes_,
          .backup = backup_,
          .fences = fences,
          .trouble = trouble_};
}

Replacement::Replacement(std::unique_ptr<Job> job) : job_(std::move(job)) {}
Replacement::Replacement(Replacement&&) noexcept = default;
Replacement::~Replacement() = default;

Result<Replacement> Replacement::begin(const std::string& path, ReplaceOptions options) {
  return Replacement(HF_TRY(Job::begin(path, std::move(options))));
}

bool Replacement::exists() const { return job_->old().has_value(); }

Result<std::string> Replacement::read_old(std::size_t max) const {
  const auto& old = job_->old();
  if (!old || !old->file) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "read",
                 .subject = path(),
                 .cause = "enoent",
                 .detail = "there is no such file"});
  }
  if (old->info.size > max) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "read",
                 .subject = path(),
                 .cause = cause::kTooLarge,
                 .detail = "it has more than " + std::to_string(max) + " bytes"});
  }
  return old->file->read_at(0, static_cast<std::size_t>(old->info.size));
}

const os::File* Replacement::old_file() const {
  const auto& old = job_->old();
  return old && old->file ? &*old->file : nullptr;
}

Result<> Replacement::write(std::string_view bytes) { return job_->write(bytes); }
Result<Replaced> Replacement::commit() { return job_->commit(); }
const std::string& Replacement::path() const { return job_->target().path; }
const Target& Replacement::target() const { return job_->target(); }
void Replacement::use_mode(std::uint32_t mode) { job_->use_mode(mode); }
bool Replacement::restored_old_content() const { return job_->restored(); }

Result<Replaced> replace(const std::string& path, std::string_view content,
                         ReplaceOptions options) {
  Replacement job = HF_TRY(Replacement::begin(path, std::move(options)));
  HF_TRY(job.write(content));
  return job.commit();
}

}  // namespace holdfast::file
