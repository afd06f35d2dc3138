// SPDX-License-Identifier: Apache-2.0
//
// Waits that are no waits for one known life byte: they, too, sleep until the kernel wakes them.
// That they do is seen in the kernel's own lists, not by a clock.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "lock/grant/fork_fixture.h"
#include "lock/ledger/layout.h"
#include "lock/ledger/status.h"
#include "proc/identity/process_fixture.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class Waking : public LockFixture {
 protected:
  // A line as `1: -> OFDLCK ADVISORY WRITE -1 fe:00:1234 2199023255551 2199023255551`.
  static bool somebody_sleeps_before(const os::FileId& file, std::uint64_t byte) {
    const std::string wanted = ":" + std::to_string(file.inode) + " " + std::to_string(byte) + " ";
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
      if (line.contains("->") && line.contains(wanted)) return true;
    }
    return false;
  }

  static bool somebody_watches_a_file() {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      if (std::filesystem::read_symlink(entry, gone) == "anon_inode:inotify") return true;
    }
    return false;
  }

  void write_sidecar(const std::string& text) const {
    std::ofstream(tmp_.path(".config.lock"), std::ios::trunc) << text;
  }

  // A tool's record of a live process is beside the file; what wakes whoever waits for it?
  template <typename Change>
  void expect_woken_by(const Change& change) {
    std::ofstream(tmp_.path("config")) << "x";
    const proc::WaitingChild tool;
    write_sidecar(std::to_string(os::number(tool.pid())) + "\n");
    ::chmod(tmp_.path(".config.lock").c_str(), 0600);
    const auto lock = seat_of_file(tmp_.path("config"));
    Result<AcquireOutcome> outcome;
    std::thread waiter([&] { outcome = lock->acquire({.wait = 600s}); });
    while (!somebody_watches_a_file()) std::this_thread::yield();
    change();
    waiter.join();
    EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  }
};

TEST_F(Waking, ForGuardIsASleepInTheKernel) {
  ASSERT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
  const auto stopped = std::move(*Ledger::open(place()).value());
  const auto other = std::move(*Ledger::open(place()).value());
  ASSERT_TRUE(os::try_lock_byte(stopped.file(), kGuardByte, os::Share::kExclusive).value());
  bool got = false;
  std::thread waiter([&] { got = other.guard(600s).has_value(); });
  while (!somebody_sleeps_before(other.id(), kGuardByte)) std::this_thread::yield();
  ASSERT_TRUE(os::unlock_byte(stopped.file(), kGuardByte));
  waiter.join();
  EXPECT_TRUE(got);
  EXPECT_FALSE(os::is_byte_taken(stopped.file(), kGuardByte, os::Share::kExclusive).value());
}

TEST_F(Waking, ForTheHolderOfADamagedRecordIsASleepInTheKernel) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  {
    auto ledger = std::move(*Ledger::open(place()).value());
    ASSERT_TRUE(ledger.file().write_at(kRecordOffset, std::string(2 * kRecordBytes, 'x')));
  }
  const os::FileId id = Ledger::open(place()).value()->id();
  const auto other = seat();
  Result<AcquireOutcome> outcome;
  std::thread waiter([&] { outcome = other->acquire({.wait = 600s}); });
  while (!somebody_sleeps_before(id, kLifeFrom)) std::this_thread::yield();
  EXPECT_FALSE(holder->release());  // it cannot tell whether it still held it
  waiter.join();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().cause, "no-valid-record");
  EXPECT_FALSE(os::is_any_byte_taken(Ledger::open(place()).value()->file(), kLifeFrom).value())
      << "what it waited for was given back";
}

TEST_F(Waking, ATakenBackRecordOfAnotherToolWakes) {
  expect_woken_by([&] { write_sidecar(""); });
}

TEST_F(Waking, ARemovedRecordOfAnotherToolWakes) {
  expect_woken_by([&] { ASSERT_EQ(::unlink(tmp_.path(".config.lock").c_str()), 0); });
}

TEST_F(Waking, AReplacedRecordOfAnotherToolWakes) {
  expect_woken_by([&] {
    std::ofstream(tmp_.path("new")) << "";
    ::chmod(tmp_.path("new").c_str(), 0600);
    ASSERT_EQ(::rename(tmp_.path("new").c_str(), tmp_.path(".config.lock").c_str()), 0);
  });
}

}  // namespace
}  // namespace holdfast::lock
