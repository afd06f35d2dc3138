// SPDX-License-Identifier: Apache-2.0
#include "file/ledger/ledger.h"

#include <utility>

#include "file/ledger/ledger_copy.h"
#include "file/replace/read_whole.h"
#include "format/file/ledger_text.h"

namespace holdfast::file {
namespace {

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
        ledger_refused(ErrorCode::kRefused, path, "is-link",
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
