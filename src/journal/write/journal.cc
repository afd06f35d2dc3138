// SPDX-License-Identifier: Apache-2.0
#include "journal/write/journal.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/cause.h"
#include "format/journal/event_type.h"
#include "format/journal/journal_record.h"
#include "journal/store/blob_store.h"
#include "journal/write/commit.h"
#include "journal/write/spill.h"
#include "os/machine/machine_id.h"
#include "os/machine/real_clock.h"
#include "os/process/pid.h"

namespace holdfast::journal {
namespace {

constexpr std::size_t kMaxBuffered = 256;
constexpr std::int64_t kMaxBufferedUs = 1'000'000;
constexpr std::string_view kDroppedCause = "dropped";
// A journal that fails for long must not eat the memory: the oldest go.
constexpr std::size_t kMaxKept = 65'536;
// What a merged spill adds to a writer's name: '~' and an id.
constexpr std::size_t kMergeMark = 33;
// A failed sync is met by writing to a new segment; a device that fails this often is given up.
constexpr int kMaxSyncFailures = 3;

std::int64_t to_us(Duration since) {
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

bool is_disk_full(const Error& error) {
  return error.cause == cause::kEnospc || error.cause == cause::kEdquot ||
         error.cause == cause::kDiskFull;
}

Error busy(const os::Dir& dir, Duration waited) {
  return {.code = ErrorCode::kCannotTell,
          .op = "append to the journal",
          .subject = dir.path(),
          .cause = "journal-busy",
          .detail = "another process held its lock for " +
                    std::to_string(
                        std::chrono::duration_cast<std::chrono::milliseconds>(waited).count()) +
                    " ms; nothing was recorded"};
}

// The poison is noted, so nobody is misled; but whether the record is on stable storage is not
// known.
Error not_known_durable(Error error) {
  error.detail +=
      "; the event was written, but may not survive a power cut, and the journal could "
      "not be told";
  return error;
}

Duration time_until(MonoTime deadline) {
  return std::max(Duration::zero(), deadline - os::RealClock().mono());
}

// What the journal says of itself explains damage away; nobody else gets to say it.
Result<> check_not_ours(std::string_view type) {
  if (!type.starts_with("journal.") || type == kAnchoredType || type == kAnchorFailedType)
    return {};
  return fail({.code = ErrorCode::kUsage,
               .op = "record an event of type",
               .subject = std::string(type),
               .cause = "reserved-type",
               .detail = "only the journal itself writes these"});
}

}  // namespace

// The journal's lock, held for the life of the object.
class Journal::Locked {
 public:
  explicit Locked(os::DirLock& lock) : lock_(lock) {}
  ~Locked() { lock_.unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  os::DirLock& lock_;
};

Result<std::unique_ptr<Journal>> Journal::open(os::Dir dir, JournalOptions options) {
  if (!is_writer_spelling(options.writer) || options.writer.size() + kMergeMark > kMaxWriterBytes) {
    return fail({.code = ErrorCode::kInternal,
                 .op = "open the journal",
                 .subject = dir.path(),
                 .cause = "bad-writer",
                 .detail = "the writer's name is not one"});
  }
  const Id128 boot = HF_TRY(os::boot_id());
  os::DirLock lock = HF_TRY(os::DirLock::open(dir));
  auto journal = std::unique_ptr<Journal>(
      new Journal(std::move(dir), boot, std::move(lock), std::move(options)));
  return journal;
}

Journal::Journal(os::Dir dir, const Id128& boot, os::DirLock lock, JournalOptions options)
    : boot_(to_hex(boot).substr(0, 8)),
      options_(std::move(options)),
      writer_(
          std::move(dir), options_.limits, boot, os::host_name(), [this] { return stamp(); },
          [this] { return to_us(options_.clock->boot().time_since_epoch()); }),
      lock_(std::move(lock)),
      mark_(os::process_mark()) {}

// What cannot be written here is lost with the process; who needs to know calls flush().
Journal::~Journal() { static_cast<void>(flush()); }

Stamp Journal::stamp() const {
  return {.wall_us = to_us(options_.clock->wall().time_since_epoch()),
          .boot_us = to_us(options_.clock->boot().time_since_epoch()),
          .boot = boot_,
          .writer = options_.writer};
}

Result<Entry> Journal::to_entry(const Event& event, EventClass& strongest) {
  HF_TRY(check_not_ours(event.type));
  const EventClass registered = HF_TRY(check_event(event.type, event.data.keys()));
  const EventClass event_class = std::max(registered, event.at_least);
  strongest = std::max(strongest, event_class);
  Entry entry{.stamp = stamp(),
              .event_class = event_class,
              .type = std::string(event.type),
              .data = event.data.json(),
              .blob_segment = 0};
  // Data that only looks as if it were in a blob goes to one, too: the record then says what it
  // means.
  if (entry.data.size() + entry.type.size() + kMaxWriterBytes + kRecordFrameBytes >
          kMaxRecordBytes ||
      parse_blob_data(entry.data)) {
    const std::uint64_t newest = std::max<std::uint64_t>(1, HF_TRY(writer_.newest_segment()));
    const BlobRef blob = HF_TRY(put_blob(
        writer_.dir(), newest, entry.data,
        event_class == EventClass::kDecision ? os::Durability::kFull : os::Durability::kNone));
    entry.data = blob_data(blob, entry.data.size()).json();
    entry.blob_segment = newest;
  }
  return entry;
}

Result<EventReceipt> Journal::record(const Event& event) { return record_all({&event, 1}); }

Result<EventReceipt> Journal::record_all(std::span<const Event> events) {
  return append(events, EventClass::kTrace, nullptr);
}

Result<Head> Journal::record_head(const Event& event) {
  Head head;
  HF_TRY(append({&event, 1}, EventClass::kDecision, &head));
  return head;
}

// Buffered traces go in front, in the order of the calls; they stay buffered until they are
// written.
Result<EventReceipt> Journal::append(std::span<const Event> events, EventClass at_least,
                                     Head* head) {
  if (events.empty()) return EventReceipt{.kept = EventReceipt::Kept::kBuffered, .seq = 0};
  const MonoTime deadline = os::RealClock().mono() + options_.lock_wait;
  std::unique_lock held(mutex_, std::defer_lock);
  if (!held.try_lock_for(options_.lock_wait)) return fail(busy(writer_.dir(), options_.lock_wait));
  notice_fork();
  for (bool again = true;; again = false) {
    EventClass strongest = at_least;
    std::vector<Entry> entries;
    for (const Event& event : events) {
      entries.push_back(HF_TRY(to_entry_on_any_disk(event, strongest, deadline)));
    }
    if (strongest == EventClass::kTrace && options_.buffer_traces && !is_due(entries)) {
      std::ranges::move(entries, std::back_inserter(buffered_));
      return EventReceipt{.kept = EventReceipt::Kept::kBuffered, .seq = 0};
    }
    entries.insert(entries.begin(), buffered_.begin(), buffered_.end());
    const bool waits = patient_ || strongest == EventClass::kDecision;
    if (!HF_TRY(lock_.lock(waits ? time_until(deadline) : Duration::zero())))
      return spill(std::move(entries), strongest);
    patient_ = true;
    Result<Written> written = [&] {
      const Locked locked(lock_);
      Result<Written> result = append_locked(entries, strongest);
      if (result && head != nullptr) *head = this->head();
      return result;
    }();
    if (!written && written.error().cause == kRotatedMeanwhile && again) continue;
    if (!written) {
      // What was counted as dropped is done with; anything else is tried again with the next event.
      if (written.error().cause == kDroppedCause) buffered_.clear();
      keep_bounded();
      return fail(std::move(written).error());
    }
    buffered_.clear();
    if (strongest != EventClass::kDecision) {
      return EventReceipt{.kept = EventReceipt::Kept::kWritten, .seq = written->last_seq};
    }
    const std::uint64_t seq = HF_TRY(make_durable(*std::move(written), entries, held, head));
    return EventReceipt{.kept = EventReceipt::Kept::kDurable, .seq = seq};
  }
}

Head Journal::head() const {
  return {.journal = writer_.live()->journal,
          .seq = writer_.live()->end.seq,
          .hash = writer_.live()->end.hash};
}

// A child has its parent's handles and its parent's traces; it writes with and of its own.
void Journal::notice_fork() {
  const std::int64_t now = os::process_mark();
  if (now == mark_) return;
  mark_ = now;
  writer_.forget();
  buffered_.clear();
}

void Journal::keep_bounded() {
  if (buffered_.size() <= kMaxKept) return;
  buffered_.erase(buffered_.begin(), buffered_.end() - kMaxKept);
}

// Large data needs space before there is a record to write; on a full disk it is the reserve's.
Result<Entry> Journal::to_entry_on_any_disk(const Event& event, EventClass& strongest,
                                            MonoTime deadline) {
  Result<Entry> entry = to_entry(event, strongest);
  if (entry || !is_disk_full(entry.error())) return entry;
  if (!HF_TRY(lock_.lock(time_until(deadline)))) return entry;
  const Locked locked(lock_);
  if (HF_TRY(writer_.begin_full())) entry = to_entry(event, strongest);
  if (entry || strongest == EventClass::kDecision) return entry;
  HF_TRY(writer_.count_dropped(strongest));
  return fail(dropped("the disk is full"));
}

Result<Written> Journal::append_locked(std::span<const Entry> entries, EventClass strongest) {
  if (strongest == EventClass::kTrace && HF_TRY(writer_.refuses_traces())) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      HF_TRY(writer_.count_dropped(EventClass::kTrace));
    return fail(dropped("traces are not written while the disk is full"));
  }
  Result<Written> written = writer_.append(entries, strongest == EventClass::kDecision);
  if (written || !is_disk_full(written.error())) return written;

  // The reserve is given up once. What it held goes first of all to the record that says so.
  if (HF_TRY(writer_.begin_full())) {
    std::vector<Entry> with_notice;
    with_notice.push_back(
        {.stamp = stamp(),
         .event_class = EventClass::kEvent,
         .type = std::string(JournalFull::kType),
         .data = encode(JournalFull{.ended = false, .since_us = stamp().wall_us}).json()});
    with_notice.insert(with_notice.end(), entries.begin(), entries.end());
    written = writer_.append(with_notice, strongest == EventClass::kDecision);
    if (written || !is_disk_full(written.error())) return written;
  }
  if (strongest == EventClass::kDecision) return written;
  for (const Entry& entry : entries) HF_TRY(writer_.count_dropped(entry.event_class));
  return fail(dropped("the disk is full"));
}

Error Journal::dropped(std::string_view why) const {
  return {.code = ErrorCode::kIo,
          .op = "append to the journal",
          .subject = writer_.dir().path(),
          .cause = std::string(kDroppedCause),
          .detail = std::string(why) + "; the event was dropped and counted"};
}

// Rule J1. What must be durable before the act is refused; everything else waits beside the
// journal.
Result<EventReceipt> Journal::spill(std::vector<Entry> entries, EventClass strongest) {
  if (strongest == EventClass::kDecision) return fail(busy(writer_.dir(), options_.lock_wait));
  patient_ = false;
  HF_TRY(write_spill(writer_.dir(), entries));
  buffered_.clear();
  // The flag only makes the next writer look sooner; a listing finds the file anyway.
  if (Result<std::optional<StateFile>> state = StateFile::open_existing(writer_.dir());
      state && *state) {
    static_cast<void>((*state)->set_spilled(true));
  }
  return EventReceipt{.kept = EventReceipt::Kept::kSpilled, .seq = 0};
}

// Outside both locks, so that others append meanwhile and share the flush.
Result<std::uint64_t> Journal::make_durable(Written written, std::span<const Entry> own,
                                            std::unique_lock<std::timed_mutex>& held, Head* head) {
  for (int failures = 0;; ++failures) {
    const std::shared_ptr<StateFile> state = writer_.state();
    const Id128 boot = writer_.boot();
    held.unlock();
    const Result<> synced = sync_up_to(*state, boot, written);
    held.lock();
    if (synced) return written.last_seq;
    if (failures >= kMaxSyncFailures) return fail(synced.error());
    const Result<bool> locked_again = lock_.lock(options_.lock_wait);
    if (!locked_again || !*locked_again) return fail(not_known_durable(synced.error()));
    const Locked locked(lock_);
    const Writer::Replaced replaced =
        HF_TRY(writer_.replace_poisoned(written, synced.error(), own));
    written = replaced.written;
    if (head != nullptr) *head = this->head();
    if (!replaced.must_sync) return written.last_seq;
  }
}

bool Journal::is_due(std::span<const Entry> more) const {
  const Entry& oldest = buffered_.empty() ? more.front() : buffered_.front();
  return buffered_.size() + more.size() >= kMaxBuffered ||
         stamp().boot_us - oldest.stamp.boot_us >= kMaxBufferedUs;
}

Result<> Journal::flush() {
  const std::unique_lock held(mutex_);
  notice_fork();
  if (buffered_.empty()) return {};
  if (!HF_TRY(lock_.lock(patient_ ? options_.lock_wait : Duration::zero()))) {
    HF_TRY(spill(buffered_, EventClass::kTrace));
    return {};
  }
  const Locked locked(lock_);
  const Result<Written> written = append_locked(buffered_, EventClass::kTrace);
  if (written || written.error().cause == kDroppedCause) buffered_.clear();
  if (!written) return fail(written.error());
  return {};
}

template <typename Act>
auto Journal::under_lock(Act act) -> decltype(act()) {
  const std::unique_lock held(mutex_);
  notice_fork();
  if (!HF_TRY(lock_.lock(options_.lock_wait))) return fail(busy(writer_.dir(), options_.lock_wait));
  const Locked locked(lock_);
  return act();
}

Result<bool> Journal::rotate() {
  return under_lock([&] { return writer_.rotate(); });
}

Result<std::size_t> Journal::retain(std::uint64_t keep_bytes) {
  return under_lock([&] { return writer_.retain(keep_bytes); });
}

Result<> Journal::acknowledge(std::span<const JournalRepaired> found) {
  return under_lock([&] { return writer_.acknowledge(found); });
}

}  // namespace holdfast::journal
