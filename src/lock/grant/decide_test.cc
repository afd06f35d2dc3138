// SPDX-License-Identifier: Apache-2.0
//
// decide() against a slow model over all short sequences of events.
//
// The model knows the truth that contenders do not: which processes live, who was granted what and
// how each grant ended. It shows decide() only what a contender can see, carries out what decide()
// says, and complains where that breaks a promise: two valid holders, a fence that does not rise, a
// token that is accepted after its lock went to another, force without consent, a dead holder that
// blocks. States that were reached before are not walked again, so every sequence up to the depth
// is covered.
//
// The model must be able to fail: wrong deciders are run through it too, and have to be found out.
#include "lock/grant/decide.h"

#include <gtest/gtest.h>

#include <array>
#include <compare>
#include <set>
#include <string>
#include <vector>

namespace holdfast::lock {
namespace {

constexpr int kDepth = 7;
using Decider = Decision (*)(const Seen&);

// What stays the same through one run.
struct Setting {
  LockBinding binding = LockBinding::kLib;
  LockYields yields = LockYields::kWait;
  bool lease = false;
  OnExpired wish = OnExpired::kWait;
  bool sidecar = false;
  bool work_has_life = false;  // the command inherited the descriptor
  bool judgeable = true;       // the life of the work can be told
};

// One contender and its last grant. `open`: nothing that the promises allow has ended that grant.
struct Contender {
  int fence = 0;  // 0: never granted; it is the token too
  bool open = false;
  bool keeper = false;  // alive, with the life descriptor
  bool work = false;    // alive
  int epoch = 0;        // of the life byte that it has
  auto operator<=>(const Contender&) const = default;
};

struct World {
  bool held = false;
  int holder = 0;  // of the record
  int token = 0;
  int epoch = 0;
  int fence = 0;
  bool expired = false;
  std::array<Contender, 2> who{};
  auto operator<=>(const World&) const = default;
};

class Model {
 public:
  Model(const Setting& setting, Decider decider) : setting_(setting), decide_(decider) {}

  std::set<std::string> run() {
    std::set<World> known{World{}};
    std::set<World> edge = known;
    for (int depth = 0; depth < kDepth; ++depth) {
      std::set<World> next;
      for (const World& world : edge) {
        for (int event = 0; event < kEvents; ++event) {
          World after = world;
          happen(after, event);
          if (known.insert(after).second) next.insert(after);
        }
      }
      edge = std::move(next);
    }
    return std::move(complaints_);
  }

 private:
  static constexpr int kEvents = 14;

  void happen(World& world, int event) {
    if (event < 12) {
      const int self = event % 2;
      Contender& who = world.who[static_cast<std::size_t>(self)];
      switch (event / 2) {
        case 0:
          return acquire(world, self);
        case 1:
          return release(world, who);
        case 2:  // the keeper (or the process itself) crashes
          who.keeper = false;
          if (setting_.binding == LockBinding::kLib) who.work = false;
          return;
        case 3:  // the work dies; a keeper of a shell ends with it
          who.work = false;
          if (setting_.binding != LockBinding::kExec) who.keeper = false;
          return;
        case 4:
          if (world.held && world.token == who.fence) world.expired = false;
          return;
        default:
          return commit(world, who);
      }
    }
    if (event == 12) {
      if (setting_.lease && world.held) world.expired = true;
      return;
    }
    if (!world.held) return;  // a person breaks the lock
    world.who[static_cast<std::size_t>(world.holder)].open = false;
    world.held = false;
    ++world.epoch;
  }

  static void release(World& world, Contender& who) {
    if (!world.held || who.fence == 0 || world.token != who.fence) return;
    world.held = false;
    who = {.fence = who.fence};
  }

  void commit(const World& world, const Contender& who) {
    const bool accepted = world.held && who.fence != 0 && world.token == who.fence;
    check(!accepted || who.fence == world.fence, "a commit with an old fence was accepted");
    check(!accepted || who.open, "a commit was accepted after the lock went to another");
  }

  // --- what is true

  [[nodiscard]] bool has_life(const World& world, const Contender& who) const {
    if (!setting_.sidecar && who.epoch != world.epoch) return false;
    return who.keeper || (setting_.work_has_life && who.work);
  }
  [[nodiscard]] bool life_is_free(const World& world, int self) const {
    return !has_life(world, world.who[static_cast<std::size_t>(1 - self)]);
  }
  [[nodiscard]] bool is_alive(const Contender& who) const {
    return who.work || (who.keeper && setting_.binding == LockBinding::kExec);
  }
  // Holds rightly, whatever any record says.
  [[nodiscard]] bool is_valid(const World& world, const Contender& who) const {
    if (!who.open) return false;
    return setting_.binding == LockBinding::kTtl ? !world.expired : is_alive(who);
  }
  // Both sides' words, as a table: rows yields (wait, take, kill), columns wish.
  [[nodiscard]] OnExpired consent() const {
    using enum OnExpired;
    constexpr std::array<std::array<OnExpired, 4>, 3> kTable{{{kWait, kWait, kWait, kWait},
                                                              {kWait, kTake, kTake, kReplace},
                                                              {kWait, kTake, kKill, kReplace}}};
    return kTable[static_cast<std::size_t>(setting_.yields)]
                 [static_cast<std::size_t>(setting_.wish)];
  }

  // --- what a contender sees and does

  [[nodiscard]] Seen look(const World& world, int self) const {
    Seen seen;
    seen.state = world.held ? LockState::kHeld : LockState::kFree;
    seen.binding = setting_.binding;
    seen.yields = setting_.yields;
    if (world.held && setting_.lease)
      seen.lease = world.expired ? Lease::kExpired : Lease::kCurrent;
    seen.life_is_ours = life_is_free(world, self);
    seen.sidecar = setting_.sidecar;
    seen.wish = setting_.wish;
    if (seen.life_is_ours && world.held && setting_.judgeable) {
      const bool lives = world.who[static_cast<std::size_t>(world.holder)].work;
      seen.work = lives ? proc::Life::kLive : proc::Life::kDead;
    }
    return seen;
  }

  void acquire(World& world, int self) {
    const Contender& own = world.who[static_cast<std::size_t>(self)];
    if (own.keeper || own.work) return;  // the same contender comes again only as a new process
    for (int round = 0; round < 3; ++round) {
      const Decision decision = decide_(look(world, self));
      const bool by_force = decision.step == Step::kTake || decision.step == Step::kKill ||
                            decision.step == Step::kReplace;
      if (by_force) {
        check_force(world, decision.step);
        if (use_force(world, self, decision)) return;
        continue;
      }
      if (decision.step == Step::kGrant) {
        check(life_is_free(world, self), "granted without life");
        check(world.held || decision.cause == LockCause::kFresh, "a free lock is granted as fresh");
        return grant(world, self);
      }
      return check_refusal(world, self, decision.step);
    }
    check(false, "force that leads nowhere");
  }

  void check_force(const World& world, Step step) {
    check(world.held && setting_.lease && world.expired, "force before the lease has run out");
    check(consent() != OnExpired::kWait, "force that the holder or the contender did not allow");
    if (step == Step::kKill) {
      check(consent() == OnExpired::kKill, "a kill that was not allowed");
      check(setting_.binding == LockBinding::kExec, "a kill of what is no command");
    }
    if (step == Step::kReplace) check(consent() == OnExpired::kReplace, "a replace unasked for");
  }

  // True: it led to a grant, or to an end without one.
  bool use_force(World& world, int self, const Decision& decision) {
    Contender& other = world.who[static_cast<std::size_t>(world.holder)];
    const bool free = life_is_free(world, self);
    if (decision.step == Step::kKill) {
      if (!setting_.judgeable) return true;  // nobody is signalled: survivors, no grant
      other.keeper = other.work = false;
      return false;
    }
    if (decision.step == Step::kTake && setting_.sidecar && !free) {
      check(setting_.binding == LockBinding::kOwner, "a flock was taken from whoever holds it");
      other.keeper = false;  // ended; the next round finds life free
      return false;
    }
    if (decision.step == Step::kReplace) {
      check(setting_.sidecar && !free, "something else than a held sidecar was replaced");
      other.keeper = other.work = false;  // they have the old inode; for the new one they are gone
    }
    other.open = false;
    if (!setting_.sidecar && !free) ++world.epoch;
    grant(world, self);
    return true;
  }

  void grant(World& world, int self) {
    for (const Contender& who : world.who) check(!is_valid(world, who), "two valid holders");
    const int before = world.fence;
    ++world.fence;
    check(world.fence > before && world.fence > world.token, "a fence that does not rise");
    for (Contender& who : world.who) who.open = false;
    const bool has_process = setting_.binding != LockBinding::kTtl;
    world.held = true;
    world.holder = self;
    world.token = world.fence;
    world.expired = false;
    world.who[static_cast<std::size_t>(self)] = {.fence = world.fence,
                                                 .open = true,
                                                 .keeper = has_process,
                                                 .work = has_process,
                                                 .epoch = world.epoch};
  }

  // A refusal has to have a reason that lives.
  void check_refusal(const World& world, int self, Step step) {
    const bool free = life_is_free(world, self);
    const Contender& holder = world.who[static_cast<std::size_t>(world.holder)];
    check(world.held || !free, "a free lock was refused");
    if (step == Step::kKillRefused) {
      const bool may_kill = world.held && world.expired && consent() == OnExpired::kKill;
      const bool no_command =
          setting_.binding == LockBinding::kOwner || setting_.binding == LockBinding::kLib;
      return check(may_kill && no_command, "a kill was refused that can be done");
    }
    if (!world.held || !free) {
      check(step == Step::kWaitLife || step == Step::kTakeRefused, "waits for life that is held");
    } else if (setting_.binding == LockBinding::kTtl) {
      check(!world.expired && step == Step::kWaitDeadline, "a lease that has run out blocks");
    } else if (setting_.judgeable) {
      check(holder.work && step == Step::kWaitWork, "a dead holder blocks");
    } else {
      check(step == Step::kCannotTell, "what cannot be told is said to be so");
    }
    const bool may_take = world.held && world.expired && consent() != OnExpired::kWait;
    const bool flock_stays = setting_.sidecar && !free && setting_.binding != LockBinding::kOwner;
    check(!may_take || (flock_stays && step == Step::kTakeRefused),
          "an expired lease is kept although both sides yield");
  }

  void check(bool well, const char* complaint) {
    if (!well) complaints_.insert(complaint);
  }

  Setting setting_;
  Decider decide_;
  std::set<std::string> complaints_;
};

// Over all settings, or until `enough` is among them.
std::set<std::string> complaints_about(Decider decider, const std::string& enough = "") {
  std::set<std::string> all;
  for (int number = 0; number < 4 * 3 * 4 * 16; ++number) {
    int rest = number;
    const auto next = [&rest](int choices) {
      const int value = rest % choices;
      rest /= choices;
      return value;
    };
    Setting setting;
    setting.binding = static_cast<LockBinding>(next(4));
    setting.yields = static_cast<LockYields>(next(3));
    setting.wish = static_cast<OnExpired>(next(4));
    setting.lease = next(2) == 1 || setting.binding == LockBinding::kTtl;
    setting.sidecar = next(2) == 1;
    setting.work_has_life = next(2) == 1 && setting.binding == LockBinding::kExec;
    setting.judgeable = next(2) == 1;
    all.merge(Model(setting, decider).run());
    if (all.contains(enough)) break;
  }
  return all;
}

TEST(DecideModel, NoShortSequenceOfEventsBreaksAPromise) {
  for (const std::string& complaint : complaints_about(decide)) ADD_FAILURE() << complaint;
}

// What each of these gets wrong, and the complaint that has to be among those made.
TEST(DecideModel, WrongDecidersAreFoundOut) {
  const auto expect = [](Decider wrong, const std::string& complaint) {
    const auto made = complaints_about(wrong, complaint);
    EXPECT_TRUE(made.contains(complaint)) << complaint;
  };
  expect(
      [](const Seen& seen) {  // life free is taken for a proof of death
        Seen blind = seen;
        if (seen.life_is_ours) blind.work = proc::Life::kDead;
        return decide(blind);
      },
      "two valid holders");
  expect(
      [](const Seen& seen) {  // what the holder yields is not asked
        Seen greedy = seen;
        greedy.yields = LockYields::kKill;
        return decide(greedy);
      },
      "force that the holder or the contender did not allow");
  expect(
      [](const Seen& seen) {  // every lease has run out
        Seen hasty = seen;
        if (seen.lease == Lease::kCurrent) hasty.lease = Lease::kExpired;
        return decide(hasty);
      },
      "two valid holders");
  expect(
      [](const Seen& seen) {  // a dead holder is waited for
        Seen timid = seen;
        if (seen.work == proc::Life::kDead) timid.work = proc::Life::kLive;
        return decide(timid);
      },
      "a dead holder blocks");
  expect(
      [](const Seen& seen) {  // a flock is no obstacle
        Seen rash = seen;
        rash.sidecar = false;
        return decide(rash);
      },
      "a flock was taken from whoever holds it");
}

// Every combination that can be put into words, also those that no sequence leads to.
template <typename Check>
void for_all_seen(const Check& check) {
  for (int number = 0; number < 3 * 4 * 3 * 4 * 3 * 4 * 16; ++number) {
    int rest = number;
    const auto next = [&rest](int choices) {
      const int value = rest % choices;
      rest /= choices;
      return value;
    };
    Seen seen;
    seen.state = static_cast<LockState>(next(3));
    seen.binding = static_cast<LockBinding>(next(4));
    seen.yields = static_cast<LockYields>(next(3));
    seen.lease = static_cast<Lease>(next(4));
    seen.work = static_cast<proc::Life>(next(3));
    seen.wish = static_cast<OnExpired>(next(4));
    seen.watched_silence = next(2) == 1;
    seen.life_is_ours = next(2) == 1;
    seen.sidecar = next(2) == 1;
    seen.rebooted = next(2) == 1;
    check(seen, decide(seen), number);
  }
}

TEST(Decide, NothingIsGrantedWithoutLifeOrWithoutProof) {
  for_all_seen([](const Seen& seen, const Decision& decision, int number) {
    if (decision.step != Step::kGrant) return;
    EXPECT_TRUE(seen.life_is_ours) << number;
    EXPECT_NE(seen.state, LockState::kRetired) << number;
    if (seen.state != LockState::kHeld || seen.rebooted) return;
    if (seen.binding == LockBinding::kTtl) {
      EXPECT_TRUE(seen.lease == Lease::kExpired ||
                  (seen.lease == Lease::kOtherClock && seen.watched_silence))
          << number;
    } else {
      EXPECT_EQ(seen.work, proc::Life::kDead) << number;
    }
  });
}

// Who asks for a kill, and may, is granted nothing beside a holder that cannot be killed.
TEST(Decide, KillIsForCommandsOnly) {
  for_all_seen([](const Seen& seen, const Decision& decision, int number) {
    const bool command = seen.binding == LockBinding::kExec;
    if (decision.step == Step::kKill) {
      EXPECT_TRUE(command) << number;
    }
    if (decision.step == Step::kKillRefused) {
      EXPECT_FALSE(command) << number;
    }
    const bool kill = seen.wish == OnExpired::kKill && seen.yields == LockYields::kKill;
    if (!kill || command || seen.binding == LockBinding::kTtl) return;
    if (decision.step == Step::kTake) {
      EXPECT_EQ(decision.cause, LockCause::kDead) << number;
    }
  });
}

TEST(Decide, AnotherClockIsBelievedOnlyAfterSilenceThatWasWatched) {
  for_all_seen([](const Seen& seen, const Decision& decision, int number) {
    if (seen.lease != Lease::kOtherClock || seen.watched_silence) return;
    EXPECT_NE(decision.step, Step::kTake) << number;
    EXPECT_NE(decision.step, Step::kKill) << number;
    EXPECT_NE(decision.step, Step::kReplace) << number;
  });
}

TEST(Decide, WhoeverIsWokenByTheDeadlineGetsAnotherAnswerThen) {
  for_all_seen([](const Seen& seen, const Decision& before, int number) {
    if (seen.state != LockState::kHeld || seen.lease != Lease::kCurrent) return;
    Seen later = seen;
    later.lease = Lease::kExpired;
    if (decide(later) == before) return;
    EXPECT_TRUE(deadline_matters(seen)) << number;
  });
}

}  // namespace
}  // namespace holdfast::lock
