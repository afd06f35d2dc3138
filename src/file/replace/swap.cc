// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: an editor that knows nothing of our lock.
//
//   we       look at NAME, compare: it is the file that our content was made from
//   editor   writes its own new file and renames it over NAME
//   we       rename our file over NAME: the editor's work is gone, and nobody was told
//
// No check before the rename closes that gap, because the check and the rename are two steps. So
// the rename is an exchange: our file gets NAME, and what had NAME gets our stage name, in one step
// of the kernel. Now what was displaced can be looked at at leisure. If it is the file that was
// compared, all is well. If not, the two are exchanged back, and the editor's file is where the
// editor put it; for some microseconds readers saw our file, whole.
//
// While we exchange back, yet another may replace NAME: then what we get back is not our file but
// that newest one, and the editor's older one is at NAME. A third exchange puts the newest back in
// its place. Our own file is gone then (the newest replaced it), and the answer is "busy". If
// that other one exchanged names as we do, our file was not replaced but moved, and nothing stands
// for the editor's: it is kept, under a name that the answer tells.
//
// Where the file system cannot exchange (EINVAL), the comparison is made immediately before a plain
// rename. The gap is then as long as two system calls, and stated as a limit in replace.h.
#include "file/replace/swap.h"

#include <string>

#include "base/cause.h"
#include "file/replace/backup.h"
#include "os/file/metadata.h"
#include "os/machine/real_clock.h"

namespace holdfast::file {
namespace {

Error interfered(const Target& target) {
  return {.code = ErrorCode::kBusy,
          .op = "replace",
          .subject = target.path,
          .cause = cause::kChangedMeanwhile,
          .detail = "others replaced it at the same time; theirs stands"};
}

Error explain(const Target& target, Error error) {
  if (error.cause != cause::kEbusy || os::open_files_hold_names()) return error;
  error.code = ErrorCode::kRefused;
  error.cause = "is-mount-point";
  error.detail =
      "something is mounted on it, so its name cannot be given to another file; --in-place writes "
      "into it, with an undo copy; nothing was changed";
  error.subject = target.path;
  return error;
}

// What has the stage name may be somebody else's: it is not ours to remove, and gets a name that
// people know.
Error keep_stage_name(const Target& target, os::StagedFile& stage, const os::SafeName& stage_name,
                      Error error, std::string_view state) {
  stage.forget_name();
  const auto kept = keep_displaced(target.dir, stage_name, target.name, os::RealClock().wall());
  error.detail += "; " + std::string(state) + " " + target.dir.path_of(kept ? *kept : stage_name);
  return error;
}

bool exchange(const Target& target, const os::SafeName& stage_name) {
  const auto exchanged = target.dir.exchange(stage_name, target.name);
  return exchanged && *exchanged == os::Exchanged::kExchanged;
}

// Whatever goes wrong here, both files are kept.
Result<Swapped> put_back(const Target& target, os::StagedFile& stage,
                         const os::SafeName& stage_name) {
  const auto ours = stage.file().info();
  if (!exchange(target, stage_name)) {
    const auto there = target.dir.info(target.name);
    // What cannot be looked at is, in all likelihood, where we have just put it.
    const bool elsewhere = ours && there && (!*there || (*there)->id != ours->id);
    if (elsewhere) {  // somebody removed it, or put yet another in its place
      return fail(keep_stage_name(target, stage, stage_name, interfered(target),
                                  "what was there before is"));
    }
    Error error = not_durable(interfered(target));
    error.cause = "displaced-unknown";
    return Swapped{.answer = SwapAnswer::kDone,
                   .displaced = std::nullopt,
                   .trouble = keep_stage_name(target, stage, stage_name, std::move(error),
                                              "the new content is in place, and what it displaced, "
                                              "perhaps somebody's change of this moment, is")};
  }
  const auto now = target.dir.info(stage_name);
  if (!ours || !now || !*now) {
    return fail(
        keep_stage_name(target, stage, stage_name, interfered(target),
                        "what was there is in place again, and the new content is, most likely,"));
  }
  if ((*now)->id == ours->id) return Swapped{.answer = SwapAnswer::kChanged};
  const bool restored = exchange(target, stage_name);
  // Where ours is gone, the newest has replaced it, and with it what it stood for. Where ours still
  // has a name, it was moved away: then what we hold has no name but this one.
  const auto left = stage.file().info();
  if (restored && left && left->links == 0) return fail(interfered(target));
  return fail(keep_stage_name(
      target, stage, stage_name, interfered(target),
      restored ? "what was there before is" : "the newest change of somebody else is"));
}

Result<Swapped> rename_plainly(const Target& target, os::StagedFile& stage,
                               const os::SafeName& stage_name, OldFile& old,
                               const SwapTerms& terms) {
  HF_TRY(terms.before_plain_rename());
  const Passage passage = HF_TRY(enter_gate(terms.gate));
  if (terms.is_locked_by_now()) return Swapped{.answer = SwapAnswer::kChanged};
  const auto now = HF_TRY(target.dir.info(target.name));
  if (!now || !same_file(old.info, *now)) {
    return Swapped{.answer = SwapAnswer::kChanged};
  }
  if (os::open_files_hold_names()) old.file.reset();
  const auto renamed = target.dir.rename_over(stage_name, target.name);
  if (!renamed) return fail(explain(target, renamed.error()));
  stage.forget_name();
  return Swapped{};
}

}  // namespace

Result<Swapped> swap_in(const Target& target, os::StagedFile& stage, OldFile* old,
                        const SwapTerms& terms) {
  if (old == nullptr) {
    const Passage passage = HF_TRY(enter_gate(terms.gate));
    if (terms.is_locked_by_now()) return Swapped{.answer = SwapAnswer::kChanged};
    const auto placed = HF_TRY(stage.give_name(target.name));
    if (placed == os::Placed::kPlaced) return Swapped{};
    return Swapped{.answer = SwapAnswer::kChanged};
  }
  const os::SafeName stage_name = HF_TRY(stage.take_stage_name());
  Passage passage = HF_TRY(enter_gate(terms.gate));
  const auto exchanged = target.dir.exchange(stage_name, target.name);
  if (!exchanged) {
    if (exchanged.error().code == ErrorCode::kNotFound) {  // the old file was removed
      return Swapped{.answer = SwapAnswer::kChanged};
    }
    return fail(explain(target, exchanged.error()));
  }
  if (*exchanged == os::Exchanged::kUnsupported) {
    passage.reset();
    return rename_plainly(target, stage, stage_name, *old, terms);
  }
  const auto displaced = target.dir.info(stage_name);
  // What cannot be looked at was not seen to be the old file.
  const bool was_old = displaced && *displaced && same_displaced(old->info, **displaced);
  if (was_old && !terms.is_locked_by_now()) {
    return Swapped{.displaced = stage_name};
  }
  return put_back(target, stage, stage_name);
}

}  // namespace holdfast::file
