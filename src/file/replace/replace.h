// SPDX-License-Identifier: Apache-2.0
//
// Replacement: a file gets new content, whole or not at all.
//
//   auto job = HF_TRY(Replacement::begin(path, options));     // early refusals
//   HF_TRY(job.write(bytes)) …                                // to an unnamed file beside it
//   Replaced done = HF_TRY(job.commit());                     // checks, and the one step
//
// Guarantee: whoever opens the path at any moment finds the whole old or the whole new file, with
// its mode. An Error of any call, or the death of the process at any instruction, leaves the old
// file byte for byte; trouble after the one step is not an Error but part of the answer
// (Replaced::trouble). Nothing else stays in the directory, but a crash inside commit may leave one
// `.hf-stage-…` (commit_lock.h), and it, or a lock call that fails, the empty file of the lock.
//
// Durability:
//   none   safe against the death of processes; a power cut may lose or empty the file
//   data   the content is on stable storage before it gets the name: after a power cut the file is
//          the old one or the new one, whole
//   full   and so is the name when commit() returns: it is the new one
//
// What is refused (kRefused, 77, unless the options ask for it): `untrusted-dir`, `is-link`,
// `not-a-regular-file`, `hard-linked`, `foreign-owner`, `is-mount-point` (a single-file bind mount:
// only kInPlace can), `immutable`, `append-only`, `meta-not-kept` (an attribute that cannot be
// given to the new file). The content is refused (kCorrupt, 65) for `empty` and `too-small`
// (min_bytes), `shrunk` (max_shrink) and whatever a check says. Somebody else's change in between
// is kBusy (75): `changed-meanwhile` where the base counts, `if-hash` where an expectation is not
// met. The directory's lock not got in `wait`: kBusy `directory-busy`, naming the holder.
//
// Interleavings with another holdfast: commits in one directory exclude each other by the
// lock (commit_lock.h, rule F1), held around {look again, compare, swap}; with Locking::kFromBegin
// it is held from begin() on, for edits that are computed in memory (blocks, ledgers): they cannot
// lose each other's changes. Above it is the lock of the file itself (`edit_lock`), if the file has
// one: it is taken after the content is there, and with kFromBegin at the beginning; if it appears
// only while the file is changed, the change is undone and made again under it, or, with kAsRead,
// refused as `locked-meanwhile`, for the caller to begin again (with_new_lock). Written in place,
// or where names cannot be exchanged, or for a new file, that is looked for just before the step,
// and a gap of two system calls is left. With one that does not cooperate (an editor): the swap is
// an exchange of the two names, so what was displaced can be looked at; if it is not what was
// compared, the two are exchanged back and the answer is `changed-meanwhile`. Where the file system
// cannot exchange there is a moment between the comparison and the rename in which such a change is
// lost; so it is for a program that writes into the old file in place.
//
// In place (kInPlace): for a file whose name cannot be moved. The old bytes go to `.NAME.hf-undo`
// beside it first, durably; readers may see a mixture meanwhile; a crash leaves the undo file, and
// the next job of any kind on this path puts the old content and mode back first (that is the one
// case in which a job that fails has changed the file). Owner and attributes stay as they are: to
// ask for others is kUsage. Never chosen silently. Two who reach one file through two directories
// (a host and a container) share neither undo file nor lock.
//
// Fenced (`gate`): for a caller that runs under locks. begin() asks whether they are still his, and
// the one step is done inside a passage of the gate (base/commit_gate.h), behind the directory's
// lock: a holder that was stopped past its lease changes nothing. That the content was there
// already is asked as well. A write in place holds the passage while the bytes are copied; putting
// an unfinished one back is done behind a question, because whoever comes next would do the same.
//
// Windows: names are not exchanged but one replaces the other (POSIX semantics of renaming, where
// the system has them; else whoever has the old file open is waited for, two seconds, then kBusy
// `ebusy`). Kept are access list, owner, bits and streams; an owner is kRefused `unsupported`, a
// file with its read-only bit `immutable`. An undo file does not put an access list back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/commit_gate.h"
#include "base/digest.h"
#include "base/result.h"
#include "file/replace/edit_lock.h"
#include "file/replace/target.h"
#include "os/file/file.h"

namespace holdfast::file {

enum class Durability : std::uint8_t { kNone, kData, kFull };

enum class Meta : std::uint8_t {
  kKeep,  // owner, mode, ACL and extended attributes of the old file, compared afterwards
  kPin,   // exactly the asked mode and owner (else the caller's), no ACL, no attributes
};
enum class HardLinks : std::uint8_t { kRefuse, kBreak };
enum class ForeignOwner : std::uint8_t { kRefuse, kAccept };  // kAccept: kept where meta says keep
enum class How : std::uint8_t { kRename, kInPlace };
enum class Locking : std::uint8_t { kAtCommit, kFromBegin };
enum class Base : std::uint8_t {
  kAny,     // the last writer wins
  kAsRead,  // the new content was made from the old one: it must still be there at commit
};

struct Owner {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;

  bool operator==(const Owner&) const = default;
};

// What the caller knows about the file: `--if-hash`.
struct Expectation {
  std::optional<Digest> digest;  // none: the file must not be there
};

struct MaxShrink {
  std::uint64_t amount = 0;
  bool percent = false;  // of the old size; else bytes
};

// Something that must hold of the new content. It reads the staged file (at any offset) and answers
// with an Error, usually kCorrupt, where the content may not be used. `changes_possible`: it gives
// the file to somebody else, so the content is hashed again afterwards.
struct Check {
  std::string name;
  std::function<Result<>(const os::File& staged, std::uint64_t size)> examine;
  bool changes_possible = false;
};

struct ReplaceOptions {
  Links links = Links::kRefuse;
  TrustDir trust = TrustDir::kOnlyOwn;
  Durability durability = Durability::kFull;
  Meta meta = Meta::kKeep;
  std::optional<std::uint32_t> mode{};  // 07777; without it that of the old file, else by umask
  std::optional<Owner> owner{};         // without it as `meta` says
  HardLinks hard_links = HardLinks::kRefuse;
  ForeignOwner foreign_owner = ForeignOwner::kRefuse;
  How how = How::kRename;
  Locking locking = Locking::kAtCommit;
  Base base = Base::kAny;
  std::optional<Expectation> expect{};
  bool backup_first = false;    // the backup is a copy, durable before anything changes
  std::uint32_t backups = 0;    // how many old versions are kept beside it (backup.h)
  std::uint64_t min_bytes = 1;  // 0 allows an empty file
  std::optional<MaxShrink> max_shrink{};
  std::vector<Check> checks{};
  Duration wait = std::chrono::seconds(10);  // for the directory's lock
  std::shared_ptr<CommitGate> gate{};        // the locks that the caller runs under
  std::shared_ptr<EditLock> edit_lock{};     // none: the caller has it, or wants none
};

struct Replaced {
  bool changed = false;    // false: the same content and mode were there already
  bool committed = false;  // the path has the new content (also where it had it before)
  bool durable = false;    // and a power cut cannot take it: full, and the directory was synced
  std::optional<Digest> old_digest;
  Digest new_digest;
  std::uint64_t bytes = 0;
  std::optional<std::string> backup{};  // the name of the old version, where one was kept
  std::size_t fences = 0;               // so many locks were seen to be the caller's in that step
  // The new content is in place, but something after that failed: a sync (kNotDurable), or keeping
  // the backup.
  std::optional<Error> trouble{};
};

class Replacement {
 public:
  static Result<Replacement> begin(const std::string& path, ReplaceOptions options);

  Replacement(Replacement&&) noexcept;
  Replacement& operator=(Replacement&&) = delete;
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();  // drops what was not committed

  // Is there a file now? (With kFromBegin nobody who cooperates changes it from here on.)
  [[nodiscard]] bool exists() const;
  // All of the old content; kRefused `too-large` beyond `max`, kNotFound where there is no file.
  [[nodiscard]] Result<std::string> read_old(std::size_t max) const;
  // The old file, open for reading at its beginning; null where there is none.
  [[nodiscard]] const os::File* old_file() const;

  // Adds to the new content.
  [[nodiscard]] Result<> write(std::string_view bytes);
  // At most once; afterwards the job is over.
  [[nodiscard]] Result<Replaced> commit();

  // The mode of the new file, for a caller that decides by what it has found.
  void use_mode(std::uint32_t mode);

  [[nodiscard]] const std::string& path() const;
  // Where it happens, for what belongs beside the file.
  [[nodiscard]] const Target& target() const;
  // A write in place was cut short earlier, and begin() has put the old content back.
  [[nodiscard]] bool restored_old_content() const;

 private:
  class Job;
  explicit Replacement(std::unique_ptr<Job> job);

  std::unique_ptr<Job> job_;
};

// The whole sequence for content that is in memory.
Result<Replaced> replace(const std::string& path, std::string_view content, ReplaceOptions options);

}  // namespace holdfast::file
