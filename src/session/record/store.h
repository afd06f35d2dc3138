// SPDX-License-Identifier: Apache-2.0
//
// SessionStore and SessionDir: `HOME/sessions/`, and the directory of one session in it.
//
//   sessions/<escaped name>/      0700
//     session.json                0600  the record of the newest run (format/session/session_record.h)
//     out.log, out.log.1          0600  what it printed; .1 is the older part
//     out.index, out.index.1      0600  who printed what of it, and when; a hint
//     control                     0600  a FIFO that its supervisor reads (session/record/control.h)
//     session.spare               0600  while it runs: room on the disk for its final record
//     runs/<n>/                   what earlier runs left: session.json, logs, indexes
//     …                           the harness's own files, which nobody here touches
//
// Guarantees: the record is replaced whole, so a reader finds the old or the new one. What lies at
// a name of ours and is not a plain file of the caller's own (a link, a FIFO, another owner, a
// second name, writable by others) is kRefused and is not read. A record that cannot be read is an
// Error (kCorrupt, kCannotTell, kIo), never "no session"; so is one that names another session.
//
// Limits: nothing here locks; whoever writes holds the session's lock (run/lock/name_lock.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/session/session_record.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"
#include "os/path/safe_name.h"

namespace holdfast::session {

inline constexpr std::size_t kKeptRuns = 10;

class SessionDir {
 public:
  SessionDir(os::Dir dir, std::string name) : dir_(std::move(dir)), name_(std::move(name)) {}

  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  [[nodiscard]] os::Dir& dir_to_move() { return dir_; }  // for os/dir/dir_names.h
  [[nodiscard]] const std::string& name() const { return name_; }

  // nullopt: there is no record: nothing was ever run here, or a harness made the directory.
  [[nodiscard]] Result<std::optional<SessionRecord>> read() const;
  // Whatever `durability`: after a power cut the whole old or the whole new record (own_file.h).
  // kRefused `too-large` where nobody could read it again; kNotDurable where only the last sync
  // failed.
  Result<> write(const SessionRecord& record, os::Durability durability) const;

  // Before a new run: a copy of the record, and the log itself, go to runs/<number>/, of which the
  // newest kKeptRuns stay (what a person put into an old one keeps it), and the newest that somebody
  // accounts for (SessionRecord::counted): runs that came after it do not make its end unknown.
  // Called again after a crash it goes on where it was. `number` is of the record that goes.
  //
  // The record stays in its place until write() replaces it, so that there is no moment at which
  // the session is not known; the log must be made after that write. Errors: kRefused
  // `run-number-taken`: there is another run under that number already. With 0, and no record: a
  // log that lies there all the same goes to runs/0/, where the one before makes room for it.
  Result<> archive(std::uint64_t number) const;
  // The record, which cannot be read, gets a name of its own as evidence, durably, and its log goes
  // to runs/0/; there is no record then. The new name.
  Result<std::string> put_damaged_aside() const;
  // Was that ever done here? Then a run without a trace may have run.
  [[nodiscard]] Result<bool> had_damaged() const;
  // The number for a new run: above the record's and above every number of runs/.
  [[nodiscard]] Result<std::uint64_t> next_number() const;

  // Of an earlier run, or of the newest one under its number. nullopt: there is no such run.
  [[nodiscard]] Result<std::optional<SessionRecord>> read_run(std::uint64_t number) const;
  // runs/<number>/; nullopt where there is none. The log of the newest run lies in dir(), and where
  // its archiving was cut short, parts of it lie here (session/record/log_files.h).
  [[nodiscard]] Result<std::optional<os::Dir>> run_dir(std::uint64_t number) const;
  // That have a directory in runs/, rising.
  [[nodiscard]] Result<std::vector<std::uint64_t>> earlier_runs() const;

 private:
  os::Dir dir_;
  std::string name_;
};

class SessionStore {
 public:
  explicit SessionStore(os::Dir sessions) : sessions_(std::move(sessions)) {}

  // nullopt: there is no such directory. kUsage for what is no name.
  [[nodiscard]] Result<std::optional<SessionDir>> find(std::string_view name) const;
  [[nodiscard]] Result<SessionDir> find_or_make(std::string_view name) const;

  // In their order. What has not the name of a session is left out.
  [[nodiscard]] Result<std::vector<std::string>> names() const;

  struct Listed {
    std::string name;
    Result<std::optional<SessionRecord>> record;
  };
  // The record of each; what cannot be read is in the list with its error.
  [[nodiscard]] Result<std::vector<Listed>> list() const;

  [[nodiscard]] const os::Dir& dir() const { return sessions_; }

 private:
  os::Dir sessions_;
};

}  // namespace holdfast::session
