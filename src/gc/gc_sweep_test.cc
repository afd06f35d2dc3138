// SPDX-License-Identifier: Apache-2.0
//
// A clean-up under every failing call and every death: what lives is never touched, what is dead is
// in its place, in the trash or gone, each whole, and the next clean-up ends it.
#include "gc/gc_fixture.h"
#include "gc/purge.h"
#include "gc/restore.h"
#include "session/record/session_dead_fixture.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::gc {
namespace {

class GcSweep : public GcFixture {
 protected:
  void SetUp() override {
    dead_ = session::identity_of_the_dead();
    own_ = session::own_identity();
  }

  void prepare(bool only_outside = false) {
    fresh();
    stop_is_down();
    if (!only_outside) {
      publish(ended("over"));
      put("sessions/over/file");
    }
    WorkspaceRecord away = ended("away");
    outside(away, "place");
    publish(away);
    away_id_ = away.id;
    WorkspaceRecord vouched = record("vouched");
    vouched.authority = Authority{.kind = AuthorityKind::kProcess, .id = "1"};
    vouched.authority->process = dead_;
    if (!only_outside) publish(vouched);
    WorkspaceRecord live = ended("live");
    live.attached.push_back({.process = own_});
    outside(live, "living");
    publish(live);
    put("sessions/live/file");
  }
  void stop_is_down() const { ASSERT_FALSE(stop_.raised()); }

  [[nodiscard]] bool in_trash(const std::string& name) const {
    if (!there("sessions/.holdfast-trash")) return false;
    for (const auto& entry : std::filesystem::directory_iterator(at("sessions/.holdfast-trash"))) {
      const auto parsed = parse_trash_name(entry.path().filename().string());
      if (parsed && parsed->file_name == name) return true;
    }
    return false;
  }
  void expect_the_live_untouched() const {
    EXPECT_TRUE(there("sessions/live/harness.json"));
    EXPECT_TRUE(there("sessions/live/file"));
    EXPECT_TRUE(there("living/file"));
  }
  // Whoever is not in the trash is whole; and while something is outside, a record says so.
  void expect_whole() const {
    expect_the_live_untouched();
    if (there("sessions/over")) {
      EXPECT_TRUE(there("sessions/over/harness.json"));
      EXPECT_TRUE(there("sessions/over/file"));
    }
    const std::string trashed = ".holdfast-trash/" + trash_name("place", away_id_)->str();
    if (there("place")) {
      EXPECT_TRUE(there("place/file"));
    }
    if (there("place") || there(trashed)) {
      EXPECT_TRUE(there("sessions/away/harness.json") || in_trash("away") ||
                  there("sessions/first/harness.json"));
    }
  }
  void expect_the_next_one_ends_it() {
    Options options;
    options.trash_for = Duration::zero();
    ASSERT_TRUE(clean(options));
    purge_all();  // what the other one put there for a day
    for (const char* name : {"over", "away", "vouched"}) {
      EXPECT_FALSE(there("sessions/" + std::string(name))) << name;
      EXPECT_FALSE(in_trash(name)) << name;
    }
    EXPECT_FALSE(there("place"));
    EXPECT_FALSE(there(".holdfast-trash/" + trash_name("place", away_id_)->str()));
    const auto listed = session::find_outside(store(), away_id_);
    EXPECT_TRUE(listed && !*listed);
    expect_the_live_untouched();
  }

  void purge_all() {
    const session::SessionStore sessions = store();
    const auto trash = find_trash(sessions.dir());
    ASSERT_TRUE(trash);
    if (!*trash) return;
    const auto entries = list_trash(sessions, *session::boot_moment_now(), clock_.wall());
    ASSERT_TRUE(entries);
    for (const TrashEntry& entry : *entries) {
      const Purge purged = purge(sessions, **trash, entry);
      EXPECT_TRUE(purged.gone) << entry.file << ": " << purged.reason;
    }
  }

  ProcessIdentity dead_;
  ProcessIdentity own_;
  Id128 away_id_;
};

TEST_F(GcSweep, EveryDeathInACleanUp) {
  for (const Duration trash_for : {Duration::zero(), Duration(kTrashFor)}) {
    const std::size_t mutations = testing::crash_sweep({
        .prepare = [&] { prepare(); },
        .body =
            [&] {
              Options options;
              options.trash_for = trash_for;
              EXPECT_TRUE(clean(options));
            },
        .recover =
            [&](std::size_t) {
              expect_whole();
              expect_the_next_one_ends_it();
            },
    });
    EXPECT_GT(mutations, 10U);
  }
}

TEST_F(GcSweep, EveryFailingCallOfACleanUp) {
  for (const Duration trash_for : {Duration::zero(), Duration(kTrashFor)}) {
    // What is kept for a day goes the same way; only the note differs.
    const bool all = trash_for == Duration::zero();
    const std::size_t runs = testing::fault_sweep({
        .prepare = [&] { prepare(!all); },
        .body =
            [&] {
              Options options;
              options.trash_for = trash_for;
              return clean(options) && report_.removed.size() == (all ? 3U : 1U);
            },
        .check =
            [&](const testing::SweepCase& fault, bool) {
              // The kernel's word that nobody has the number is the proof of a death.
              if (fault.call == "pidfd_open" && fault.os_code == ESRCH && fault.for_good) return;
              expect_whole();
              expect_the_next_one_ends_it();
            },
    });
    EXPECT_GT(runs, 100U);
  }
}

TEST_F(GcSweep, EveryDeathInAPurgeIsGoneOnWithAndNeverBroughtBack) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare =
          [&] {
            prepare();
            ASSERT_TRUE(clean());
          },
      .body = [&] { purge_all(); },
      .recover =
          [&](std::size_t) {
            expect_whole();
            const session::SessionStore sessions = store();
            const auto entries = list_trash(sessions, *session::boot_moment_now(), clock_.wall());
            ASSERT_TRUE(entries);
            for (const TrashEntry& entry : *entries) {
              if (entry.purging) {
                EXPECT_EQ(restore(sessions, entry, entry.name).error().cause, "partly-purged");
              } else {
                ASSERT_TRUE(there("sessions/.holdfast-trash/" + entry.file + "/harness.json"));
              }
            }
            expect_the_next_one_ends_it();
          },
  });
  EXPECT_GT(mutations, 10U);
}

TEST_F(GcSweep, EveryFailingCallWhileOneIsBroughtBack) {
  const auto bring_back = [&](const std::string& as) {
    const session::SessionStore sessions = store();
    const auto entries = list_trash(sessions, *session::boot_moment_now(), clock_.wall());
    if (!entries || entries->empty()) return false;
    return restore(sessions, entries->front(), as).has_value();
  };
  const std::size_t runs = testing::fault_sweep({
      .prepare =
          [&] {
            fresh();
            WorkspaceRecord away = ended("away");
            outside(away, "place");
            publish(away);
            ASSERT_TRUE(clean());
          },
      .body = [&] { return bring_back("first"); },
      .check =
          [&](const testing::SweepCase& fault, bool) {
            if (!there("sessions/first")) {
              // What was done was undone, unless the way back failed as well.
              EXPECT_TRUE(fault.for_good || !there("place"));
              EXPECT_TRUE(bring_back("second"));
            }
            const std::string name = there("sessions/first") ? "first" : "second";
            EXPECT_TRUE(there("place/file"));
            const auto record = session::read_workspace(store(), name);
            ASSERT_TRUE(record && *record);
            const auto listed = session::confirmed_outside(store(), **record);
            EXPECT_TRUE(listed && *listed);
          },
  });
  EXPECT_GT(runs, 50U);
}

TEST_F(GcSweep, EveryDeathWhileOneIsBroughtBackUnderAnotherName) {
  const auto bring_back = [&](const std::string& as) {
    if (there("sessions/first/harness.json")) return;  // the death came after it
    const session::SessionStore sessions = store();
    const auto entries = list_trash(sessions, *session::boot_moment_now(), clock_.wall());
    ASSERT_TRUE(entries);
    for (const TrashEntry& entry : *entries) {
      if (entry.name != "away") continue;
      EXPECT_TRUE(restore(sessions, entry, as));
    }
  };
  const std::size_t mutations = testing::crash_sweep({
      .prepare =
          [&] {
            prepare();
            ASSERT_TRUE(clean());
          },
      .body = [&] { bring_back("first"); },
      .recover =
          [&](std::size_t) {
            expect_whole();
            bring_back("second");
            const std::string name = there("sessions/first") ? "first" : "second";
            EXPECT_TRUE(there("sessions/" + name + "/harness.json"));
            EXPECT_TRUE(there("place/file"));
            const auto record = session::read_workspace(store(), name);
            ASSERT_TRUE(record && *record);
            EXPECT_EQ((*record)->state, WorkspaceState::kReady);
            const auto listed = session::confirmed_outside(store(), **record);
            EXPECT_TRUE(listed && *listed);
          },
  });
  EXPECT_GT(mutations, 3U);
}

}  // namespace
}  // namespace holdfast::gc
