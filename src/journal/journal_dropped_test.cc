// SPDX-License-Identifier: Apache-2.0
//
// What a full disk has cost is said exactly once, whatever happens to whoever says it.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "format/journal_payload.h"
#include "journal/blob_store.h"
#include "journal/journal_fixture.h"
#include "os/dir_lock.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::journal {
namespace {

using testing::CallSite;
using testing::Fate;

constexpr auto kDecision = EventClass::kDecision;

class Hook final : public testing::CallHook {
 public:
  explicit Hook(std::function<Fate(const CallSite&)> before) : before_(std::move(before)) {}
  Fate before(const CallSite& call) override { return before_(call); }

 private:
  std::function<Fate(const CallSite&)> before_;
};

Fate failing(int os_code) { return {.kind = Fate::Kind::kFail, .os_code = os_code}; }

class JournalDropped : public JournalFixture {
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
      _exit(0);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status);
  }
};

TEST_F(JournalDropped, DroppedEventsAreSaidOnceWhereverTheWriterDies) {
  for (const auto kind : {Fate::Kind::kDie, Fate::Kind::kTear}) {
    bool lived = false;
    for (int last = 1; !lived; ++last) {
      tmp_.clear();
      ASSERT_TRUE(open()->record(numbered(1)));
      ASSERT_NO_FATAL_FAILURE(drop_one());
      lived = lives([&] {
        int calls = 0;
        Hook hook([&](const CallSite& call) -> Fate {
          if (!call.mutates || ++calls != last) return {};
          return {.kind = call.transfer_bytes != 0 ? kind : Fate::Kind::kDie};
        });
        const testing::ScopedCallHook hooked(hook);
        static_cast<void>(open()->record(numbered(3)));
      });
      for (int i = 4; i < 6; ++i) ASSERT_TRUE(open()->record(numbered(i)));
      EXPECT_EQ(dropped_events_said(), 1U) << "died at change " << last << " kind " << int(kind);
      expect_sound();
      ASSERT_LT(last, 100);
    }
  }
}

TEST_F(JournalDropped, DroppedEventsAreSaidWhenSayingSoFailedFirst) {
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1)));
  drop_one();
  {
    Hook hook([](const CallSite& call) {
      return call.name == "write" || call.name == "fallocate" ? failing(ENOSPC) : Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    EXPECT_FALSE(journal->record(numbered(2)));  // would have said it; is dropped as well
  }
  for (int i = 3; i < 7; ++i) ASSERT_TRUE(journal->record(numbered(i)));
  EXPECT_EQ(dropped_events_said(), 2U);
  expect_sound();
}

TEST_F(JournalDropped, DroppedEventsAreSaidWhereTheSayerDiedAndTheNextOneRotates) {
  for (int last = 1; last < 12; ++last) {
    tmp_.clear();
    ASSERT_TRUE(open()->record(numbered(1)));
    ASSERT_NO_FATAL_FAILURE(drop_one());
    static_cast<void>(lives([&] {
      int calls = 0;
      Hook hook([&](const CallSite& call) -> Fate {
        if (!call.mutates || ++calls != last) return {};
        return {.kind = Fate::Kind::kDie};
      });
      const testing::ScopedCallHook hooked(hook);
      static_cast<void>(open()->record(numbered(3)));
    }));
    ASSERT_TRUE(open()->rotate());
    for (int i = 4; i < 6; ++i) ASSERT_TRUE(open()->record(numbered(i)));
    EXPECT_EQ(dropped_events_said(), 1U) << "died at change " << last;
  }
}

}  // namespace
}  // namespace holdfast::journal
