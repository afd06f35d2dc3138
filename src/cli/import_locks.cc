// SPDX-License-Identifier: Apache-2.0
#include "cli/import_locks.h"

#include <algorithm>
#include <optional>

#include "base/path_text.h"
#include "format/foreign_lock.h"
#include "lock/foreign.h"
#include "os/dir_lock.h"
#include "os/sha256.h"

namespace holdfast::cli {
namespace {

using ImportLocksVerdict = ImportVerdict;

constexpr std::string_view kEnding = ".lock";

void import_locks_judged(ImportRecord& record, ImportLocksVerdict verdict, std::string_view reason,
                         std::string detail = {}) {
  record.verdict = verdict;
  record.reason = reason;
  record.detail = std::move(detail);
}

// NAME of `.NAME.lock` or `NAME.lock`; nullopt: it is no lock file of this kind.
std::optional<std::string> name_in(std::string_view entry, LockFileKind kind) {
  const bool hidden = entry.starts_with('.');
  if (hidden != (kind == LockFileKind::kSidecar) || !entry.ends_with(kEnding)) return std::nullopt;
  entry.remove_suffix(kEnding.size());
  if (hidden) entry.remove_prefix(1);
  if (entry.empty()) return std::nullopt;
  return std::string(entry);
}

bool is_blank(std::string_view bytes) {
  return bytes.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// The kernel names who took it. Where that one is gone, whoever it left it to has it.
std::string taken_by(const lock::HolderView& holder) {
  if (!holder.pid) return "by a process that has no number here";
  const std::string number = "process " + std::to_string(*holder.pid);
  if (!holder.command.empty()) return "by " + number + ", " + holder.command;
  return "taken by " + number + ", which may have passed it on";
}

// nullopt: nobody has it.
Result<std::optional<lock::HolderView>> flock_holder_of(const os::File& file) {
  lock::HolderView seen = lock::foreign_holder(file);
  if (seen.pid || seen.evidence != "flock") return std::optional(std::move(seen));
  // The kernel names nobody, which on some file systems says nothing.
  if (!HF_TRY(os::try_lock_file(file))) return std::optional(lock::foreign_holder(file));
  os::unlock_file(file);
  return std::nullopt;
}

class LockFiles {
 public:
  LockFiles(const os::Dir& dir, const std::string& directory, LockFileKind kind, const Clock& clock)
      : dir_(dir), directory_(directory), kind_(kind), clock_(clock) {}

  ImportRecord judge(const std::string& entry, std::string name) {
    ImportRecord record{.name = std::move(name), .source = join_path(directory_, entry)};
    if (const auto looked = look(entry, record); !looked) {
      const Error& error = looked.error();
      const bool unsafe = error.code == ErrorCode::kRefused;
      import_locks_judged(record,
                          unsafe ? ImportLocksVerdict::kRefused : ImportLocksVerdict::kUnknown,
                          error.cause, error.detail);
    }
    return record;
  }

 private:
  Result<> look(const std::string& entry, ImportRecord& record) {
    const auto file = HF_TRY(dir_.open_file(HF_TRY(os::SafeName::make(entry)), os::Access::kRead));
    if (!file) {
      import_locks_judged(record, ImportLocksVerdict::kUnknown, "gone", "it was removed meanwhile");
      return {};
    }
    const std::string bytes = HF_TRY(file->read_at(0, kMaxForeignLock + 1));
    record.digest = to_hex(os::sha256(bytes));
    if (const auto holder = HF_TRY(flock_holder_of(*file))) {
      record.pid = holder->pid;
      import_locks_judged(record, ImportLocksVerdict::kHeld, "flocked", taken_by(*holder));
      return {};
    }
    if (!is_blank(bytes)) return judge_named_process(record, *file, bytes, clock_);
    if (kind_ == LockFileKind::kSidecar) {
      import_locks_judged(record, ImportLocksVerdict::kImportable, "free");
    } else {
      import_locks_judged(record, ImportLocksVerdict::kUnknown, "empty",
                          "whose it is may not have been written yet");
    }
    return {};
  }

  const os::Dir& dir_;
  const std::string& directory_;
  LockFileKind kind_;
  const Clock& clock_;
};

}  // namespace

Result<> judge_named_process(ImportRecord& record, const os::File& file, std::string_view bytes,
                             const Clock& clock) {
  const ForeignLock text = read_foreign_lock(bytes);
  if (text.kind == ForeignLock::Kind::kUnrecognised || text.kind == ForeignLock::Kind::kNone) {
    import_locks_judged(record, ImportLocksVerdict::kCorrupt, "not-a-record",
                        "it names no process");
    return {};
  }
  if (text.kind == ForeignLock::Kind::kUnusable) {
    import_locks_judged(record, ImportLocksVerdict::kCorrupt, "no-pid",
                        "it is cut off, or its number is none");
    return {};
  }
  record.pid = text.pid;
  const lock::ForeignClaim claim = HF_TRY(lock::judge_foreign_claim(file, clock));
  using Kind = lock::ForeignClaim::Kind;
  switch (claim.kind) {
    case Kind::kDead:
      import_locks_judged(record, ImportLocksVerdict::kImportable, claim.holder.evidence);
      return {};
    case Kind::kLive:
      import_locks_judged(
          record, ImportLocksVerdict::kUnknown, "pid-in-use",
          "process " + std::to_string(text.pid) + " lives (" + claim.holder.command +
              "), and a number alone does not say whether it is the one that is meant");
      return {};
    case Kind::kUnknown:
      import_locks_judged(record, ImportLocksVerdict::kUnknown, claim.holder.evidence);
      return {};
    case Kind::kNone:
      break;
  }
  import_locks_judged(record, ImportLocksVerdict::kUnknown, "changed-meanwhile");
  return {};
}

Result<std::vector<ImportRecord>> judge_lock_files(const std::string& directory, LockFileKind kind,
                                                   const Clock& clock) {
  const os::Dir dir = HF_TRY(os::Dir::open(directory));
  std::vector<std::string> entries;
  HF_TRY(dir.each_entry([&](std::string_view entry, os::FileType) {
    if (name_in(entry, kind)) entries.emplace_back(entry);
    return os::Visit::kContinue;
  }));
  std::ranges::sort(entries);
  LockFiles files(dir, directory, kind, clock);
  std::vector<ImportRecord> records;
  records.reserve(entries.size());
  for (const std::string& entry : entries) {
    records.push_back(files.judge(entry, *name_in(entry, kind)));
  }
  return records;
}

}  // namespace holdfast::cli
