// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include "format/lock/lock_ledger.h"
#include "format/session/session_test_values.h"
#include "lock/grant/local_lock.h"
#include "operation.h"
#include "os/dir/dir.h"
#include "testing/manual_clock.h"

namespace holdfast::bench {
namespace {

// The locks of the current directory.
class Locks {
 public:
  std::unique_ptr<lock::Lock> seat() {
    return must(backend_.open({.kind = lock::LockId::Kind::kNamed, .text = "deploy"}));
  }

 private:
  os::Dir dir_ = must(os::Dir::open("."));
  testing::ManualClock clock_;
  lock::LocalBackend backend_{dir_, clock_, nullptr};
};

void acquire_and_release(lock::Lock& lock) {
  must(must(lock.acquire({.wait = std::nullopt})).granted(), "acquire");
  must(must(lock.release()) == lock::Owned::kYes, "release");
}

// On a seat that is used again: a library's way.
void pair_cached(std::uint64_t times) {
  Locks locks;
  const auto seat = locks.seat();
  for (std::uint64_t i = 0; i < times; ++i) acquire_and_release(*seat);
}

// On a new seat: a command's way.
void pair_opened(std::uint64_t times) {
  Locks locks;
  for (std::uint64_t i = 0; i < times; ++i) acquire_and_release(*locks.seat());
}

// The record of a held lock, written and read.
void record_both_ways(std::uint64_t times) {
  const LockRecord record{.seq = 41,
                          .state = LockState::kHeld,
                          .binding = LockBinding::kExec,
                          .cause = LockCause::kFresh,
                          .epoch = 3,
                          .generation = 1025,
                          .token = session_test_id(0x80),
                          .work = session_test_identity(4711),
                          .keeper = session_test_identity(4712),
                          .ttl_ns = 30'000'000'000,
                          .deadline_ns = 86'430'000'000'001,
                          .beat_ns = 86'400'000'000'002,
                          .since_ns = 1'763'200'000'123'456'789,
                          .changed_ns = 1'763'200'000'223'456'789,
                          .host = "alpha",
                          .reason = "nightly build",
                          .command = "make -j8 all"};
  std::array<char, kRecordBytes> bytes{};
  for (std::uint64_t i = 0; i < times; ++i) {
    encode(record, bytes.data());
    look_at(bytes);
    const auto read = must(decode_lock_record({bytes.data(), bytes.size()}));
    must(read && *read == record, "the record came back as another");
  }
}

constexpr std::array kOperations{
    Operation{"lock-cached", pair_cached},
    Operation{"lock-opened", pair_opened},
    Operation{"lock-record", record_both_ways},
};

}  // namespace

std::span<const Operation> lock_operations() { return kOperations; }

}  // namespace holdfast::bench
