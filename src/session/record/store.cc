// SPDX-License-Identifier: Apache-2.0
#include "session/record/store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/cause.h"
#include "format/text/name_escape.h"
#include "os/dir/dir_names.h"
#include "os/machine/random.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"

namespace holdfast::session {
namespace {

Result<std::optional<SessionRecord>> read_listed(const SessionStore& store,
                                                 const std::string& name) {
  const auto dir = HF_TRY(store.find(name));
  if (!dir) return std::nullopt;  // it went since it was listed
  return dir->read();
}

}  // namespace

Result<std::optional<SessionRecord>> read_record(const os::Dir& dir, std::string_view name) {
  auto file = HF_TRY(open_own_file(dir, record_name()));
  if (!file) return std::nullopt;
  // One byte more than any record has: what is longer is damaged, as decoding it will say.
  const std::string bytes = HF_TRY(file->read_at(0, kMaxSessionRecordBytes + 1));
  SessionRecord record = HF_TRY(decode_session_record(bytes, file->path()));
  if (record.name == name) return record;
  return fail(other_session(file->path(), record.name));
}

Result<> write_record(const os::Dir& dir, const SessionRecord& record, os::Durability durability) {
  const std::string bytes = encode_session_record(record);
  if (bytes.size() > kMaxSessionRecordBytes) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "write the session's record",
                 .subject = dir.path_of(record_name()),
                 .cause = cause::kTooLarge,
                 .detail = "with its command and environment it is longer than 4 MiB; nothing has "
                           "changed"});
  }
  return replace_own_file(dir, record_name(), bytes, durability);
}

Result<std::optional<SessionRecord>> SessionDir::read() const { return read_record(dir_, name_); }

Result<> SessionDir::write(const SessionRecord& record, os::Durability durability) const {
  return write_record(dir_, record, durability);
}

Result<std::optional<SessionDir>> SessionStore::find(std::string_view name) const {
  auto dir = HF_TRY(open_own_dir(sessions_, HF_TRY(file_name_of(name))));
  if (!dir) return std::nullopt;
  return SessionDir(std::move(*dir), std::string(name));
}

Result<SessionDir> SessionStore::find_or_make(std::string_view name) const {
  return SessionDir(HF_TRY(open_or_make_own_dir(sessions_, HF_TRY(file_name_of(name)))),
                    std::string(name));
}

Result<std::vector<std::string>> SessionStore::names() const {
  std::vector<std::string> names;
  HF_TRY(sessions_.each_entry([&](std::string_view entry, os::FileType) {
    auto name = unescape_name(entry, platform_name_rules());
    if (name) names.push_back(std::move(*name));
    return os::Visit::kContinue;
  }));
  std::ranges::sort(names);
  return names;
}

Result<std::vector<SessionStore::Listed>> SessionStore::list() const {
  std::vector<Listed> sessions;
  for (std::string& name : HF_TRY(names())) {
    auto record = read_listed(*this, name);
    sessions.push_back({.name = std::move(name), .record = std::move(record)});
  }
  return sessions;
}

namespace {

// What goes where when a new run of a name begins. We may die between any two steps, and a reader
// may look between them, so the order is the argument:
//
//   1. runs/<n>/ is made. An empty one says nothing.
//   2. session.json is copied there, staged, so that a copy is whole or not there. The one in place
//      stays: it is still what is known of the session.
//   3. out.log.1 and then out.log are moved there, each by one rename that never replaces.
//   4. The oldest of runs/ go.
//   5. (By the caller) session.json is replaced by the record of run n+1; then its log is made.
//
// Death before 5 leaves a session whose record has number n, and the next caller does 1 to 4 again:
// what is done is found done. Whoever wants the log of run n meanwhile finds each part in one of
// the two places. After 5 nothing in the directory is of run n.
//
// The indexes of the logs go with them. Each says itself of which log it is, so that one in a wrong
// place misleads nobody, and none is worth an error.
constexpr std::array kLogs{old_log_name(), log_name()};
constexpr std::array kIndexes{old_index_name(), index_name()};

os::SafeName name_of(std::uint64_t number) { return *os::SafeName::make(std::to_string(number)); }

// Exactly as std::to_string spells it; anything else in runs/ is not ours.
std::optional<std::uint64_t> number_of(std::string_view entry) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
  if (error != std::errc() || end != entry.data() + entry.size()) return std::nullopt;
  if (number == 0 || std::to_string(number) != entry) return std::nullopt;
  return number;
}

std::unexpected<Error> number_taken(const os::Dir& run, const os::SafeName& name) {
  return fail({.code = ErrorCode::kRefused,
               .op = "keep the last run",
               .subject = run.path_of(name),
               .cause = "run-number-taken",
               .detail = "there is something of another run already; move it away. Nothing was "
                         "replaced"});
}

Result<std::vector<std::uint64_t>> numbers_in(const os::Dir& runs) {
  std::vector<std::uint64_t> numbers;
  HF_TRY(runs.each_entry([&](std::string_view entry, os::FileType) {
    if (const auto number = number_of(entry)) numbers.push_back(*number);
    return os::Visit::kContinue;
  }));
  std::ranges::sort(numbers);
  return numbers;
}

// The copy may be older: the record was changed after an archiving that was cut short. It is the
// same run as long as its id is.
Result<> copy_record(const os::Dir& run, const SessionRecord& record) {
  const auto kept = HF_TRY(read_record(run, record.name));
  if (kept && kept->run != record.run) return number_taken(run, record_name());
  if (kept == record) return {};
  return write_record(run, record, os::Durability::kFull);
}

Result<> move_log(const os::Dir& from, const os::Dir& to, const os::SafeName& name) {
  const auto moved = os::move_new(from, name, to, name);
  if (!moved && moved.error().code == ErrorCode::kNotFound) return {};
  if (!moved) return fail(moved.error());
  if (*moved == os::Placed::kPlaced) return {};
  // A log that is empty here, though the run's own was moved: somebody made the next one too early.
  const auto here = HF_TRY(from.info(name));
  if (!here || here->type != os::FileType::kRegular || here->size != 0) {
    return number_taken(to, name);
  }
  HF_TRY(from.remove_file(name));
  return {};
}

void move_indexes(const os::Dir& from, const os::Dir& to) {
  for (const os::NameLiteral index : kIndexes) {
    const auto moved = os::move_new(from, index, to, index);
    if (moved && *moved == os::Placed::kNameTaken) static_cast<void>(from.remove_file(index));
  }
}

// Whatever else lies in it keeps it.
Result<> remove_run(const os::Dir& runs, std::uint64_t number) {
  auto run = HF_TRY(open_own_dir(runs, name_of(number)));
  if (!run) return {};
  for (const os::NameLiteral log : kLogs) HF_TRY(run->remove_file(log));
  for (const os::NameLiteral index : kIndexes) HF_TRY(run->remove_file(index));
  HF_TRY(run->remove_file(record_name()));
  HF_TRY(os::remove_open(runs, name_of(number), *run));
  return {};
}

Result<std::optional<SessionRecord>> run_record(const os::Dir& runs, std::uint64_t number,
                                                const std::string& name) {
  const auto run = HF_TRY(open_own_dir(runs, name_of(number)));
  if (!run) return std::nullopt;
  return read_record(*run, name);
}

// Somebody has removed the record. The last such log is kept, as that of run 0, which is nobody's.
Result<> keep_strays(const os::Dir& dir) {
  for (const os::NameLiteral log : kLogs) {
    if (!HF_TRY(dir.info(log))) continue;
    const os::Dir runs = HF_TRY(open_or_make_own_dir(dir, runs_name()));
    const os::Dir strays = HF_TRY(open_or_make_own_dir(runs, name_of(0)));
    HF_TRY(strays.remove_file(log));
    HF_TRY(os::move_new(dir, log, strays, log));
    for (const os::NameLiteral index : kIndexes) HF_TRY(strays.remove_file(index));
    move_indexes(dir, strays);
  }
  return {};
}

}  // namespace

Result<> SessionDir::archive(std::uint64_t number) const {
  const auto record = HF_TRY(read());
  if (!record && number == 0) return keep_strays(dir_);
  if (!record || record->number != number) {
    return fail({.code = ErrorCode::kInternal,
                 .op = "keep the last run",
                 .subject = dir_.path(),
                 .cause = "other-run",
                 .detail = "the record is not of run " + std::to_string(number)});
  }
  const os::Dir runs = HF_TRY(open_or_make_own_dir(dir_, runs_name()));
  const os::Dir run = HF_TRY(open_or_make_own_dir(runs, name_of(number)));
  HF_TRY(copy_record(run, *record));
  for (const os::NameLiteral log : kLogs) HF_TRY(move_log(dir_, run, log));
  move_indexes(dir_, run);
  HF_TRY(runs.sync());
  HF_TRY(run.sync());
  HF_TRY(dir_.sync());

  const std::vector<std::uint64_t> numbers = HF_TRY(numbers_in(runs));
  const std::size_t kept = std::min(numbers.size(), kKeptRuns);
  const std::span all(numbers);
  const auto old = all.first(numbers.size() - kept);
  const auto is_counted = [&](std::uint64_t one) {
    const auto run_of_it = run_record(runs, one, record->name);
    return run_of_it && *run_of_it && (*run_of_it)->counted;
  };
  bool stayed = false;
  for (std::size_t i = old.size(); i-- > 0;) {
    const bool stays =
        !stayed && is_counted(old[i]) && std::ranges::none_of(all.last(kept), is_counted);
    stayed = stayed || stays;
    // One that cannot be removed keeps no new run from starting; the next archiving tries again.
    if (!stays) static_cast<void>(remove_run(runs, old[i]));
  }
  return {};
}

Result<std::string> SessionDir::put_damaged_aside() const {
  const auto aside =
      HF_TRY(os::SafeName::make(std::string(kDamagedRecord) + to_hex(HF_TRY(os::random_id()))));
  if (HF_TRY(os::move_new(dir_, record_name(), dir_, aside)) == os::Placed::kNameTaken) {
    return number_taken(dir_, aside);
  }
  HF_TRY(dir_.sync());
  HF_TRY(archive(0));
  return std::string(aside.str());
}

Result<bool> SessionDir::had_damaged() const {
  bool found = false;
  HF_TRY(dir_.each_entry([&](std::string_view entry, os::FileType) {
    found = entry.starts_with(kDamagedRecord);
    return found ? os::Visit::kStop : os::Visit::kContinue;
  }));
  return found;
}

Result<std::vector<std::uint64_t>> SessionDir::earlier_runs() const {
  const auto runs = HF_TRY(open_own_dir(dir_, runs_name()));
  if (!runs) return std::vector<std::uint64_t>();
  return numbers_in(*runs);
}

Result<std::uint64_t> SessionDir::next_number() const {
  const auto record = HF_TRY(read());
  const auto runs = HF_TRY(earlier_runs());
  const std::uint64_t newest = runs.empty() ? 0 : runs.back();
  return std::max(newest, record ? record->number : 0) + 1;
}

Result<std::optional<os::Dir>> SessionDir::run_dir(std::uint64_t number) const {
  if (number == 0) return std::nullopt;
  const auto runs = HF_TRY(open_own_dir(dir_, runs_name()));
  if (!runs) return std::nullopt;
  return open_own_dir(*runs, name_of(number));
}

Result<std::optional<SessionRecord>> SessionDir::read_run(std::uint64_t number) const {
  auto newest = HF_TRY(read());
  if (newest && newest->number == number) return newest;
  const auto run = HF_TRY(run_dir(number));
  if (!run) return std::nullopt;
  return read_record(*run, name_);
}

}  // namespace holdfast::session
