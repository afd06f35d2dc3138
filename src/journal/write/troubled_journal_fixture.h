// SPDX-License-Identifier: Apache-2.0
//
// What tests of a journal in trouble share: calls that fail, a lock that is busy, a disk that is
// full.
#pragma once

#include <sys/wait.h>  // lint: os_only only tests include this
#include <unistd.h>    // lint: os_only only tests include this

#include <cerrno>  // lint: os_only only tests include this
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/journal/journal_payload.h"
#include "journal/store/journal_fixture.h"
#include "os/lock/dir_lock.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::journal {

using testing::CallSite;
using testing::Fate;

inline constexpr auto kDecision = EventClass::kDecision;

class Hook final : public testing::CallHook {
 public:
  explicit Hook(std::function<Fate(const CallSite&)> before) : before_(std::move(before)) {}
  Fate before(const CallSite& call) override { return before_(call); }

 private:
  std::function<Fate(const CallSite&)> before_;
};

inline Fate failing(int os_code) { return {.kind = Fate::Kind::kFail, .os_code = os_code}; }

class TroubledJournal : public JournalFixture {
 protected:
  // The journal's lock, in another's hands.
  class Busy {
   public:
    explicit Busy(const std::string& path)
        : dir_(*os::Dir::open(path)), lock_(*os::DirLock::open(dir_)) {
      EXPECT_EQ(lock_.lock(Duration::zero()), true);
    }
    ~Busy() { lock_.unlock(); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    os::Dir dir_;
    os::DirLock lock_;
  };

  std::unique_ptr<Journal> impatient() { return open({.lock_wait = Duration::zero()}); }
  static void expect_spilled(const Result<EventReceipt>& receipt) {
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
    EXPECT_EQ(receipt->kept, Kept::kSpilled);
  }
  static Event trace(std::string_view lock) {
    return {.type = "lock.acquired", .data = EventData().text("lock", lock)};
  }
  static Event large() {
    return {.type = "x.big", .data = EventData().text("t", std::string(100'000, 'y'))};
  }
  std::vector<std::string> traces() {
    std::vector<std::string> all;
    for (const Seen& seen : records("lock.acquired")) all.push_back(seen.data);
    return all;
  }
  static std::string trace_data(std::string_view lock) {
    return R"({"lock":")" + std::string(lock) + R"("})";
  }

  // The disk is full for one event, and there is no reserve.
  void drop_one() {
    std::filesystem::remove(tmp_.path("reserve"));
    Hook hook([](const CallSite& call) {
      return call.name == "write" || call.name == "fallocate" ? failing(ENOSPC) : Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    const auto receipt = open()->record(numbered(-1));
    ASSERT_FALSE(receipt);
    EXPECT_EQ(receipt.error().cause, "dropped");
  }
  // Over all that the journal says.
  std::uint64_t dropped_events_said() {
    std::uint64_t sum = 0;
    for (const Seen& seen : records("journal.full")) {
      const auto full = decode_journal_full(seen.data, "test");
      if (!full) return ADD_FAILURE() << to_sentence(full.error()), sum;
      EXPECT_EQ(full->dropped_trace, 0U);
      if (full->ended) sum += full->dropped_event;
    }
    return sum;
  }
  // Runs `act` in a child; true where it lived to the end.
  static bool lives(const std::function<void()>& act) {
    const pid_t child = fork();
    if (child == 0) {
      act();
      _exit(0);  // lint: no_output only tests include this
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status);
  }
};

}  // namespace holdfast::journal
