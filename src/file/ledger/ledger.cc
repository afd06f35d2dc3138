// SPDX-License-Identifier: Apache-2.0
#include "file/ledger/ledger.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cause.h"
#include "base/clock.h"
#include "base/result.h"
#include "file/replace/metadata.h"
#include "file/replace/read_whole.h"
#include "file/replace/target.h"
#include "format/file/ledger_text.h"
#include "format/text/rfc3339.h"
#include "os/file/file.h"
#include "os/file/staged_file.h"

namespace holdfast::file {
namespace {

// The copy of a damaged ledger, `NAME.corrupt-20261115T140253.123Z`, kept beside it for a person to
// look at. It has the same bytes, owner and mode, and is on stable storage before the call returns.
//
// A copy with the same bytes that is there already (of a repair that was cut short) is used again.
// None is ever removed or overwritten. The caller holds the directory's lock.
//
// Errors: kRefused `too-many-copies` where kMostDamagedCopies are there; `unsafe-name` where NAME
// is too long for the ending; kIo where the copy is not on stable storage for certain. Never
// kNotDurable: that is said of a ledger that was mended.

Result<std::vector<os::SafeName>> copies_of(const Target& target, const std::string& prefix) {
  std::vector<std::string> names;
  HF_TRY(target.dir.each_entry([&](std::string_view name, os::FileType) {
    if (name.starts_with(prefix)) names.emplace_back(name);
    return os::Visit::kContinue;
  }));
  std::vector<os::SafeName> copies;
  for (const std::string& name : names) copies.push_back(HF_TRY(os::SafeName::make(name)));
  return copies;
}

// A thing that cannot be read is not the same: then a new copy is made.
bool has_bytes(const os::Dir& dir, const os::SafeName& name, std::string_view bytes) {
  const auto info = dir.info(name);
  if (!info || !*info || (*info)->type != os::FileType::kRegular || (*info)->size != bytes.size()) {
    return false;
  }
  auto file = dir.open_file(name, os::Access::kRead);
  if (!file || !*file) return false;
  const auto content = (*file)->read_all(bytes.size());
  return content && *content == bytes && (*file)->sync();
}

// "Not durable" would say that the ledger is mended; it was not touched yet. A copy that is there
// but may not stay is found again by the next repair.
Error ledger_copy_not_kept(Error error) {
  if (error.code != ErrorCode::kNotDurable) return error;
  error.code = ErrorCode::kIo;
  error.detail += "; the ledger itself was not changed";
  return error;
}

// `bytes` are the content of `damaged`. Returns the copy's name.
Result<std::string> keep_damaged_copy(const Target& target, const os::File& damaged,
                                      std::string_view bytes, WallTime now) {
  const std::string prefix = target.name.str() + ".corrupt-";
  const std::vector<os::SafeName> copies = HF_TRY(copies_of(target, prefix));
  for (const os::SafeName& name : copies) {
    if (!has_bytes(target.dir, name, bytes)) continue;
    HF_TRY(target.dir.sync());
    return name.str();
  }
  if (copies.size() >= kMostDamagedCopies) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "keep a copy of the damaged ledger",
                 .subject = target.path,
                 .cause = "too-many-copies",
                 .detail = "there are " + std::to_string(copies.size()) + " of them already (" +
                           prefix +
                           "…); look at them and remove what is not needed. Nothing was "
                           "changed"});
  }
  const os::FileInfo info = HF_TRY(damaged.info());
  os::StagedFile copy = HF_TRY(os::StagedFile::create(target.dir, 0600));
  HF_TRY(copy.write_all(bytes));
  HF_TRY(give_metadata(copy.file(), {.mode = info.mode,
                                     .owner = Owner{.uid = info.uid, .gid = info.gid},
                                     .attributes = std::nullopt,
                                     .mode_is_asked = false}));
  // Another name of this millisecond is passed by.
  for (;; now += std::chrono::milliseconds(1)) {
    const os::SafeName name = HF_TRY(os::SafeName::make(prefix + compact_rfc3339(now)));
    const auto placed = copy.publish_new(name);
    if (!placed) return fail(ledger_copy_not_kept(placed.error()));
    if (*placed == os::Placed::kPlaced) return name.str();
  }
}

Error ledger_refused(ErrorCode code, const std::string& path, std::string_view cause,
                     std::string detail) {
  return {.code = code,
          .op = "use the ledger",
          .subject = path,
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

// The job of an edit: under the lock, on what is read now.
Result<Replacement> begin_ledger_edit(const std::string& path, ReplaceOptions options) {
  options.locking = Locking::kFromBegin;
  options.base = Base::kAsRead;
  options.min_bytes = 0;  // an empty ledger of lines has none
  const ForeignOwner policy = options.foreign_owner;
  Replacement job = HF_TRY(Replacement::begin(path, std::move(options)));
  if (!job.exists()) return job;
  if (job.old_file() == nullptr) {
    return fail(
        ledger_refused(ErrorCode::kRefused, path, cause::kIsLink,
                       "it is a symbolic link, and its entries are elsewhere (--links follow goes "
                       "there); nothing was changed"));
  }
  const os::FileInfo info = HF_TRY(job.old_file()->info());
  HF_TRY(check_owner(path, *job.old_file(), info, policy));  // also for a write in place
  return job;
}

Error with_subject(Error error, const std::string& path) {
  if (error.subject.empty()) error.subject = path;
  return error;
}

// One line alone in a file called `.json` would no longer read as a ledger (format/file/ledger_text.h),
// so it becomes a list of one.
struct Written {
  std::string bytes;
  LedgerFormat format;
};
Result<Written> readable_again(std::string bytes, LedgerFormat format, LedgerNaming naming) {
  if (read_ledger(bytes, naming).whole()) return Written{std::move(bytes), format};
  const LedgerText lines = read_ledger(bytes, LedgerNaming::kLines);
  if (!lines.whole() || lines.entries.size() != 1) {
    return fail({.code = ErrorCode::kInternal,
                 .op = "write the ledger",
                 .cause = "own-fault",
                 .detail = "what would be written does not read as a ledger; nothing was changed"});
  }
  return Written{"[\n  " + std::string(lines.entries.front().text) + "\n]\n", LedgerFormat::kArray};
}

Result<LedgerAppended> append_once(const std::string& path, const std::string& entry,
                                   const LedgerAppend& how, const Clock& clock) {
  Replacement job = HF_TRY(begin_ledger_edit(path, how.replace));
  const LedgerNaming naming = ledger_naming(path);
  std::string bytes(empty_ledger(new_ledger_format(naming)));
  if (job.exists()) {
    bytes = HF_TRY(job.read_old(kMaxLedgerBytes));
  } else if (!how.replace.mode) {
    job.use_mode(kNewLedgerMode);
  }
  const LedgerText ledger = read_ledger(bytes, naming);
  if (!ledger.whole()) return fail(ledger_error(ledger, path));

  const std::string stamped =
      HF_TRY(stamped_ledger_entry(entry, how.time_field, clock.wall(), how.times));
  auto edit = append_to_ledger(ledger, stamped, how.caps);
  if (!edit) return fail(with_subject(edit.error(), path));
  const Written written = HF_TRY(readable_again(std::move(edit->bytes), ledger.format, naming));
  HF_TRY(job.write(written.bytes));
  const bool restored = job.restored_old_content();
  LedgerAppended done{.file = HF_TRY(job.commit()), .entry = {}, .restored = restored};
  done.format = written.format;
  done.entry = std::move(edit->entry);
  done.entries = edit->entries;
  done.dropped = edit->dropped;
  return done;
}

Result<LedgerRepaired> repair_once(const std::string& path, const ReplaceOptions& options,
                                   const Clock& clock) {
  Replacement job = HF_TRY(begin_ledger_edit(path, options));
  const std::string bytes = HF_TRY(job.read_old(kMaxLedgerBytes));
  const LedgerText ledger = read_ledger(bytes, ledger_naming(path));
  LedgerRepaired done{.format = ledger.format,
                      .kept = ledger.entries.size(),
                      .restored = job.restored_old_content()};
  if (ledger.whole()) return done;
  if (!ledger.is_ledger()) return fail(ledger_error(ledger, path));

  const Written whole =
      HF_TRY(readable_again(HF_TRY(rebuilt_ledger(ledger)), ledger.format, ledger_naming(path)));
  done.format = whole.format;
  done.needed = true;
  done.damages = ledger.damages;
  done.lost_bytes = ledger.lost_bytes;
  done.copy = HF_TRY(keep_damaged_copy(job.target(), *job.old_file(), bytes, clock.wall()));
  HF_TRY(job.write(whole.bytes));
  done.file = HF_TRY(job.commit());
  return done;
}

}  // namespace

Result<LedgerAppended> append_ledger(const std::string& path, std::string_view entry_json,
                                     const LedgerAppend& how, const Clock& clock) {
  // What is wrong with the entry is said before anything is waited for.
  const std::string entry = HF_TRY(checked_ledger_entry(entry_json));
  HF_TRY(stamped_ledger_entry(entry, how.time_field, clock.wall(), how.times));
  return with_new_lock([&] { return append_once(path, entry, how, clock); });
}

Result<std::string> load_ledger(const std::string& path, Links links, ForeignOwner foreign_owner,
                                TrustDir trust) {
  return read_whole(
      path,
      {.links = links, .trust = trust, .foreign_owner = foreign_owner, .max = kMaxLedgerBytes});
}

Result<LedgerRepaired> repair_ledger(const std::string& path, const ReplaceOptions& options,
                                     const Clock& clock) {
  return with_new_lock([&] { return repair_once(path, options, clock); });
}

}  // namespace holdfast::file
