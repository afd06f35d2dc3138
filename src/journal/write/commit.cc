// SPDX-License-Identifier: Apache-2.0
#include "journal/write/commit.h"

#include <algorithm>

#include "os/lock/dir_lock.h"
#include "os/machine/real_clock.h"

namespace holdfast::journal {
namespace {

constexpr Duration kFirstPause = std::chrono::microseconds(50);
constexpr Duration kLongestPause = std::chrono::milliseconds(1);

Error failed_before(const SegmentHandle& handle) {
  return {.code = ErrorCode::kIo,
          .op = "sync",
          .subject = handle.file.path(),
          .cause = "eio",
          .detail = "an earlier sync of it failed, and what that lost is not known"};
}

// By number: a number is given once (Writer::add_lost_synced), a length may come again.
bool covers(const StateFile::Notes& notes, const Id128& boot, const Written& written) {
  return notes.sync && notes.sync->boot == boot && boot != Id128{} &&
         notes.sync->segment == written.segment && notes.sync->seq >= written.last_seq &&
         notes.poisoned != written.segment;
}

class Sync {
 public:
  Sync(StateFile& state, const Id128& boot, const Written& written)
      : state_(state), boot_(boot), written_(written), handle_(*written.handle) {}

  Result<> own() {
    const std::scoped_lock one_at_a_time(handle_.syncing);
    Result<> synced =
        handle_.failed ? Result<>(fail(failed_before(handle_))) : handle_.file.sync_data();
    if (!synced) poison_segment(handle_, &state_, boot_, written_.segment);
    return synced;
  }

  // Somebody's flush covers us; has a write-back failed since our handle was opened?
  Result<> by_another() {
    const std::scoped_lock one_at_a_time(handle_.syncing);
    Result<> good =
        handle_.failed ? Result<>(fail(failed_before(handle_))) : handle_.file.check_written_back();
    if (!good) poison_segment(handle_, &state_, boot_, written_.segment);
    return good;
  }

  // For everything that was appended before it began, by whomever.
  Result<> for_all() {
    SyncNote note{.boot = boot_, .segment = written_.segment, .size = 0, .seq = written_.last_seq};
    if (const Result<StateFile::Notes> notes = state_.read();
        notes && notes->head && notes->head->boot == boot_ &&
        notes->head->segment == written_.segment && notes->head->seq > written_.last_seq) {
      note.seq = notes->head->seq;
    }
    HF_TRY(own());
    // A note that cannot be left costs the others a flush of their own.
    if (const Result<StateFile::Notes> now = state_.read();
        now && now->poisoned != written_.segment) {
      static_cast<void>(state_.write(note));
    }
    return {};
  }

 private:
  StateFile& state_;
  const Id128& boot_;
  const Written& written_;
  SegmentHandle& handle_;
};

}  // namespace

void poison_segment(SegmentHandle& handle, StateFile* state, const Id128& boot,
                    std::uint64_t segment) {
  handle.failed = true;
  if (state != nullptr) {
    static_cast<void>(state->write(PoisonNote{.boot = boot, .segment = segment}));
  }
}

Result<> sync_up_to(StateFile& state, const Id128& boot, const Written& written) {
  Sync sync(state, boot, written);
  const os::RealClock clock;
  const MonoTime start = clock.mono();
  Duration pause = kFirstPause;
  for (;;) {
    const Result<StateFile::Notes> notes = state.read();
    if (notes && covers(*notes, boot, written)) return sync.by_another();
    const Result<bool> leader = os::try_lock_file(state.file());
    if (!leader) return sync.own();
    if (*leader) {
      // It may have been done while we came here.
      const Result<StateFile::Notes> again = state.read();
      const bool covered = again && covers(*again, boot, written);
      const Result<> synced = covered ? sync.by_another() : sync.for_all();
      os::unlock_file(state.file());
      return synced;
    }
    if (clock.mono() - start >= kWaitForLeader) return sync.own();
    os::pause(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
}

}  // namespace holdfast::journal
