// SPDX-License-Identifier: Apache-2.0
//
// StepStore and StepHold: `HOME/once/`, where steps keep their records, and who may change one.
//
//   once/<escaped KIND:KEY>.json    0600  the record (format/loop/step_record.h), replaced whole
//   once/<escaped KIND:KEY>.text    0600  notify: what its command reads, while it runs
//   once/.lock-0 … .lock-f          0600  locked around a change; which one follows from the name
//
// Guarantees: a reader finds the old or the new record. A change is made under the lock, from a
// record that was read under it. What lies at a name of ours and is not a plain file of the
// caller's own is kRefused and not read. A record that cannot be read is an Error (kCorrupt,
// kCannotTell, kIo), never "not done yet", and is never written over.
//
// The lock is the kernel's (flock): it ends with its holder, so there is none that is stale. It is
// held for a reading and a writing, never while a command runs.
//
// Limits: whoever removes a lock file while it is held defeats it. Errors: kBusy `step-busy` where
// the lock was not had in time; kUsage for a key that is too long.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/loop/step_record.h"
#include "os/dir/dir.h"
#include "os/file/file.h"
#include "os/file/staged_file.h"
#include "os/path/safe_name.h"

namespace holdfast::loop {

inline constexpr Duration kStepLockWait = std::chrono::seconds(5);

struct StepName {
  StepKind kind = StepKind::kOnce;
  std::string key{};

  [[nodiscard]] std::string session() const { return step_session(kind, key); }
};

class StepStore {
 public:
  explicit StepStore(os::Dir once) : once_(std::move(once)) {}

  // nullopt: there is none.
  [[nodiscard]] Result<std::optional<StepRecord>> read(const StepName& name) const;

  struct Listed {
    std::string key;
    Result<StepRecord> record;
  };
  // Those of a kind, in the order of their keys; what cannot be read is in the list with its error.
  [[nodiscard]] Result<std::vector<Listed>> list(StepKind kind) const;

  // Where the message of `notify` lies while its command runs.
  [[nodiscard]] Result<std::string> text_path(const StepName& name) const;

  [[nodiscard]] const os::Dir& dir() const { return once_; }

 private:
  os::Dir once_;
};

// A step whose record nobody else changes as long as this object is there.
class StepHold {
 public:
  static Result<StepHold> take(const StepStore& store, const StepName& name,
                               Duration wait = kStepLockWait);

  // nullopt: there is none.
  [[nodiscard]] const std::optional<StepRecord>& record() const { return record_; }
  // Whatever `durability`: after a power cut the whole old or the whole new record (own_file.h).
  // kRefused `too-large`; kNotDurable where only the last sync failed.
  Result<> write(const StepRecord& record, os::Durability durability);
  Result<> remove();

  Result<> write_text(std::string_view message);
  Result<> remove_text();

  // Of a record that cannot be read (kCorrupt), which take() refuses: `judge` is asked with the
  // step held; then the record gets a name of its own as evidence, durably, and there is none.
  // False: it can be read, or there is none.
  static Result<bool> put_damaged_aside(const StepStore& store, const StepName& name,
                                        const std::function<Result<>()>& judge);

 private:
  StepHold(const StepStore& store, StepName name, os::File lock, std::optional<StepRecord> record)
      : store_(&store),
        name_(std::move(name)),
        lock_(std::move(lock)),
        record_(std::move(record)) {}

  const StepStore* store_;
  StepName name_;
  os::File lock_;
  std::optional<StepRecord> record_;
};

}  // namespace holdfast::loop
