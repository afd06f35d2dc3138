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

#include "format/journal/journal_payload.h"
#include "journal/store/blob_store.h"
#include "journal/write/troubled_journal.h"

namespace holdfast::journal {
namespace {

class JournalDropped : public TroubledJournal {};

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
