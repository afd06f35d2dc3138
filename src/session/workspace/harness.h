// SPDX-License-Identifier: Apache-2.0
//
// Sessions of a harness: the directory, its record, and who may change it.
//
//   sessions/<escaped name>/
//     harness.json    0600  the record (format/session/harness_record.h)
//     harness.lock    0600  locked by whoever changes the record, or removes the session
//     …                     what store.h names, and the harness's own files
//
// Guarantees: the record is replaced whole. A change happens under the lock of a session that is
// still the one with that name: whoever waited for the lock of one that went to the trash meanwhile
// gets kNotFound. What lies at a name of ours and is not a plain file of the caller's own is
// kRefused and is not read. A record that cannot be read is an Error, never "no session".
//
// The lock is the kernel's (flock): it ends with its holder, so there is none that is stale. It is
// never held while anybody is asked to do something but in `gc`, around `--rescue` and the last
// probe.
//
// Errors: kBusy `session-busy` where the lock was not had in time; those of store.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/harness_record.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"
#include "session/record/store.h"
#include "session/workspace/harness_lock.h"

namespace holdfast::session {

inline constexpr Duration kHarnessLockWait = std::chrono::seconds(5);

// nullopt: there is no such session, or it is not one of a harness.
Result<std::optional<HarnessRecord>> read_harness(const SessionStore& store, std::string_view name);
// The same in an open directory, whose name must be the record's.
Result<std::optional<HarnessRecord>> read_harness(const os::Dir& dir, std::string_view name);

// A session whose record nobody else changes as long as this object is there.
class HarnessHold {
 public:
  // nullopt: as read_harness. A `wait` of 0 tries once.
  static Result<std::optional<HarnessHold>> take(const SessionStore& store, std::string_view name,
                                                 Duration wait);

  [[nodiscard]] const HarnessRecord& record() const { return record_; }
  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  // For a child that is to hold it too; nothing where no child can.
  [[nodiscard]] os::NativeHandle lock_handle() const { return handle_of(lock_); }
  [[nodiscard]] os::Dir& dir_to_move() { return dir_; }  // for os/dir/dir_hold.h
  [[nodiscard]] const os::SafeName& file_name() const { return file_name_; }  // in sessions/
  // `record` becomes the record, with `change` one above. kRefused `too-large`. The first durable
  // change makes the session's name durable as well (harness_new.h). Not after its store is gone.
  Result<> write(HarnessRecord record, os::Durability durability);

 private:
  HarnessHold(const os::Dir& sessions, os::Dir dir, os::SafeName file_name, HarnessLock lock,
              HarnessRecord record)
      : sessions_(&sessions),
        dir_(std::move(dir)),
        file_name_(std::move(file_name)),
        lock_(std::move(lock)),
        record_(std::move(record)) {}

  const os::Dir* sessions_;
  os::Dir dir_;
  os::SafeName file_name_;
  HarnessLock lock_;
  HarnessRecord record_;
};

// How long ago on the boot clock; of an earlier boot, how long this boot has lasted. Of another
// time namespace, whose clock may be shifted by years: 0.
Duration age_of(const BootMoment& moment, const BootMoment& now);
Result<BootMoment> boot_moment_now();

// Is anybody attached? Judged by the kernel (proc/identity/verdict.h): the dead are told from the live, and
// whom nobody can judge counts as there.
struct AttachedNow {
  std::vector<Attachment> there{};      // live, or not to be judged, or without a process
  std::vector<std::string> evidence{};  // for each of them: "running", "other-pid-namespace", …
  // Of `there`; nullopt: nobody owns it.
  [[nodiscard]] const Attachment* owner() const;
};
AttachedNow attached_now(const HarnessRecord& record);

}  // namespace holdfast::session
