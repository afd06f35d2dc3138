// SPDX-License-Identifier: Apache-2.0
//
// Death at each step of write_in_place:
//   before the undo file has its name   the target was not touched
//   while the target is written          the undo file is whole and durable: it was synced before
//   its
//                                        name appeared, and the directory after
//   after the target's sync              the undo file is still there: the next job puts the *old*
//                                        content back although the new one was whole. The caller
//                                        was not told that it succeeded, so that is right.
//   after the undo file is removed       done
//
// The new bytes are written before the file is cut to their length: no block of the old content is
// given back before the new content is whole, so that putting the old back cannot run out of space.
#include "file/replace/in_place.h"

#include "base/cause.h"
#include "file/replace/backup.h"
#include "file/replace/copy.h"
#include "format/file/undo_header.h"
#include "os/dir/dir.h"
#include "os/file/metadata.h"
#include "os/file/staged_file.h"
#include "os/machine/machine_id.h"
#include "os/machine/real_clock.h"

namespace holdfast::file {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(5);
constexpr int kMostLooks = 400;

Error in_place_refused(const std::string& subject, std::string cause, std::string detail) {
  return {.code = ErrorCode::kRefused,
          .op = "put the old content back from",
          .subject = subject,
          .cause = std::move(cause),
          .detail = std::move(detail)};
}

Error in_place_with_state(Error error, std::string_view state) {
  error.detail += "; " + std::string(state);
  return error;
}

Result<os::File> open_target(const Target& target, const os::FileId& id) {
  auto file = HF_TRY(target.dir.open_file(target.name, os::Access::kReadWrite));
  if (file && HF_TRY(file->info()).id == id) return std::move(*file);
  return fail({.code = ErrorCode::kBusy,
               .op = "write in place",
               .subject = target.path,
               .cause = cause::kChangedMeanwhile,
               .detail = "somebody put another file there"});
}

Result<> make_undo(const Target& target, const InPlace& what) {
  const os::SafeName name = HF_TRY(undo_name(target.name));
  const std::uint64_t size = what.old.info.size;
  os::StagedFile undo = HF_TRY(os::StagedFile::create(target.dir, kPrivateFile));
  UndoHeader header{.boot = {},
                    .device = what.old.info.id.device,
                    .inode = what.old.info.id.inode,
                    .mode = what.old.info.mode,
                    .size = size,
                    .sha256 = what.old_digest};
  header.boot = HF_TRY(os::boot_id());
  HF_TRY(undo.write_all(encode_undo_header(header)));
  HF_TRY(copy_content(*what.old.file, 0, size, undo.file()));
  const auto placed = undo.publish_new(name);
  if (!placed) {
    Error error = placed.error();
    if (error.code == ErrorCode::kNotDurable) {
      // It is there, but that is not enough to begin.
      static_cast<void>(target.dir.remove_file(name));
      error.code = ErrorCode::kIo;
    }
    return fail(in_place_with_state(std::move(error), "nothing was changed"));
  }
  if (*placed == os::Placed::kPlaced) return {};
  return fail(
      in_place_refused(target.dir.path_of(name), cause::kNameTaken, "it appeared just now"));
}

struct Filling {
  const os::File& from;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::optional<std::uint32_t> mode{};
};

// The mode before the sync, so that it is durable with the content. The gate is left before it.
Result<> fill(os::File& file, const Filling& what, Passage passage) {
  HF_TRY(copy_over(what.from, what.offset, what.size, file));
  HF_TRY(file.truncate(what.size));
  if (what.mode && HF_TRY(file.info()).mode != *what.mode) HF_TRY(file.set_mode(*what.mode));
  passage.reset();
  return file.sync();
}

// Device numbers may be given anew at a boot; the inode stays.
Result<bool> belongs_to(const UndoHeader& undo, const os::FileInfo& file) {
  if (file.type != os::FileType::kRegular || undo.inode != file.id.inode) return false;
  return undo.device == file.id.device || undo.boot != HF_TRY(os::boot_id());
}

// Where a file that is open keeps its name until the last reader closes it, that is waited for: the
// next job would find the undo file, and take what was written back.
Result<> drop_undo(const Target& target) {
  const os::SafeName name = HF_TRY(undo_name(target.name));
  HF_TRY(target.dir.remove_file(name));
  for (int i = 0; i < kMostLooks && os::open_files_hold_names(); ++i) {
    const auto there = target.dir.info(name);  // an error: on its way out
    if (there && !*there) break;
    os::pause(kBetweenLooks);
  }
  const auto synced = target.dir.sync();
  if (!synced) return fail(not_durable(synced.error()));
  return {};
}

Result<> keep_present(const Target& target, const os::File& file, const UndoHeader& undo) {
  const std::uint64_t size = HF_TRY(file.info()).size;
  if (size == undo.size && HF_TRY(digest_of(file, size)) == undo.sha256) return {};
  return keep_cut_short(target.dir, file, target.name, os::RealClock().wall());
}

// The bytes that are there may be half of a write, or what somebody has made of them since.
enum class Present : std::uint8_t { kDrop, kKeep };

Result<bool> restore(const Target& target, Present present) {
  const os::SafeName name = HF_TRY(undo_name(target.name));
  auto undo = HF_TRY(target.dir.open_file(name, os::Access::kRead));
  if (!undo) return false;
  const std::string subject = target.dir.path_of(name);
  const os::Exposure exposed = HF_TRY(undo->exposure());
  if (exposed.owner != os::Exposure::Owner::kSelf ||
      exposed.others == os::Exposure::Others::kWrite || HF_TRY(undo->info()).links != 1) {
    return fail(
        in_place_refused(subject, "undo-not-ours",
                         "it belongs to another user, others may write it, or it has other names"));
  }
  const std::string start = HF_TRY(undo->read_at(0, kMaxUndoHeaderBytes));
  const DecodedUndoHeader decoded = HF_TRY(decode_undo_header(start, subject));
  const UndoHeader& header = decoded.header;
  const std::uint64_t file_size = HF_TRY(undo->info()).size;
  if (file_size != decoded.bytes + header.size ||
      HF_TRY(digest_of(*undo, header.size, decoded.bytes)) != header.sha256) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "read the undo file",
                 .subject = subject,
                 .cause = "undo-damaged",
                 .detail = "its content is not what it says; it was left as it is"});
  }
  const auto seen = HF_TRY(target.dir.info(target.name));
  if (!seen || !HF_TRY(belongs_to(header, *seen))) {
    return fail(in_place_refused(
        subject, "undo-of-another-file",
        "it holds the content that " + target.path +
            " had before a write in place was cut short, and another file is there "
            "now; remove the undo file if that one is good"));
  }
  os::File file = HF_TRY(open_target(target, seen->id));
  if (present == Present::kKeep) HF_TRY(keep_present(target, file, header));
  const auto restored =
      fill(file, {.from = *undo, .offset = decoded.bytes, .size = header.size, .mode = header.mode},
           Passage());
  if (!restored)
    return fail(in_place_with_state(restored.error(), "the undo file has the old content"));
  const auto dropped = drop_undo(target);
  // Should a power cut bring it back, it puts the same content back once more.
  if (!dropped && dropped.error().code != ErrorCode::kNotDurable) return fail(dropped.error());
  return true;
}

}  // namespace

Result<bool> restore_leftover(const Target& target) { return restore(target, Present::kKeep); }

Result<os::SafeName> undo_name(const os::SafeName& name) {
  return os::SafeName::make("." + name.str() + ".hf-undo");
}

Result<bool> has_leftover(const Target& target) {
  const auto name = undo_name(target.name);
  if (!name) return false;  // too long a name never got one
  return HF_TRY(target.dir.info(*name)).has_value();
}

Result<> write_in_place(const Target& target, const InPlace& what) {
  os::File file = HF_TRY(open_target(target, what.old.info.id));
  HF_TRY(make_undo(target, what));
  auto passage = enter_gate(what.gate);
  if (!passage) {
    const auto dropped = drop_undo(target);  // else the next job puts the same content back
    static_cast<void>(dropped);
    return fail(passage.error());
  }
  auto written =
      fill(file, {.from = what.staged, .offset = 0, .size = what.size, .mode = what.mode},
           std::move(*passage));
  if (written) {
    written = drop_undo(target);
    if (written || written.error().code == ErrorCode::kNotDurable) return written;
    // An undo file that stays would take the new content back later, behind the caller's back.
  }
  const auto restored = restore(target, Present::kDrop);
  if (restored) return fail(in_place_with_state(written.error(), "the old content was put back"));
  return fail(in_place_with_state(written.error(),
                                  "the old content is in " +
                                      target.dir.path_of(HF_TRY(undo_name(target.name))) +
                                      ", and the next change of this file puts it back first"));
}

}  // namespace holdfast::file
