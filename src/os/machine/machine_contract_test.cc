// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "os/machine/machine_id.h"
#include "os/machine/random.h"
#include "os/machine/real_clock.h"
#include "os/machine/sha256.h"

namespace holdfast::os {
namespace {

TEST(MachineIdContract, ItIsTheSameEachTimeAndIsNotTheBoot) {
  const auto id = machine_id();
  ASSERT_TRUE(id);
  EXPECT_EQ(machine_id().value(), *id);
  EXPECT_TRUE(*id == Id128{} || *id != boot_id().value());
}

TEST(BootIdContract, ItIsTheSameEachTime) {
  const auto first = boot_id();
  ASSERT_TRUE(first);
  EXPECT_EQ(boot_id().value(), *first);
}

TEST(BootIdContract, TheMachineHasANameWithoutStrangeBytes) {
  const std::string name = host_name();
  EXPECT_FALSE(name.empty());
  EXPECT_EQ(name.find('\0'), std::string::npos);
  EXPECT_EQ(host_name(), name);
}

TEST(ClockContract, TheWallClockTellsADateOfThisCentury) {
  using std::chrono::sys_days;
  using std::chrono::year;
  const WallTime now = RealClock().wall();
  EXPECT_GT(now, WallTime(sys_days(year(2024) / 1 / 1)));
  EXPECT_LT(now, WallTime(sys_days(year(2100) / 1 / 1)));
}

TEST(ClockContract, BootAndMonoNeverGoBackAndDoGoOn) {
  const RealClock clock;
  const BootTime boot_start = clock.boot();
  const MonoTime mono_start = clock.mono();
  BootTime boot = boot_start;
  MonoTime mono = mono_start;
  while (boot == boot_start || mono == mono_start) {
    const BootTime boot_now = clock.boot();
    const MonoTime mono_now = clock.mono();
    ASSERT_GE(boot_now, boot);
    ASSERT_GE(mono_now, mono);
    boot = boot_now;
    mono = mono_now;
  }
  EXPECT_GT(boot_start, BootTime{});
  EXPECT_GT(mono_start, MonoTime{});
}

// Deadlines are counted in nanoseconds of boot time; a clock in other units would still go on.
TEST(ClockContract, TheClocksAgreeOnHowLongAWhileIs) {
  using std::chrono::milliseconds;
  const RealClock clock;
  const BootTime boot_start = clock.boot();
  const MonoTime mono_start = clock.mono();
  while (clock.mono() - mono_start < milliseconds(50)) {
  }
  const Duration boot_took = clock.boot() - boot_start;
  EXPECT_GE(boot_took, milliseconds(25));
  EXPECT_LT(boot_took, milliseconds(50) * 100);
}

TEST(RandomContract, NoTwoOfAThousandIdsAreAlike) {
  std::set<Id128> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(random_id().value());
  EXPECT_EQ(ids.size(), 1000U);
}

// An id of which a part is always the same would still differ from others; no byte may stand still.
TEST(RandomContract, EveryByteOfAnIdVaries) {
  std::array<std::set<int>, 16> seen;
  for (int i = 0; i < 200; ++i) {
    const Id128 id = random_id().value();
    for (std::size_t at = 0; at < id.bytes.size(); ++at) seen[at].insert(id.bytes[at]);
  }
  for (const auto& values : seen) EXPECT_GT(values.size(), 50U);
}

// FIPS 180-4 and its published examples.
TEST(Sha256Contract, TheKnownVectorsComeOut) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Contract, ANulByteIsAByteLikeAnyOther) {
  EXPECT_EQ(to_hex(sha256(std::string_view("\0", 1))),
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
}

TEST(Sha256Contract, HowTheBytesAreCutDoesNotMatter) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * 7);
  const Digest whole = sha256(bytes);
  const std::string_view view = bytes;
  for (std::size_t cut = 0; cut <= view.size(); ++cut) {
    Sha256 hash;
    hash.update(view.substr(0, cut)).update("").update(view.substr(cut));
    EXPECT_EQ(hash.finish(), whole) << cut;
  }
}

TEST(Sha256Contract, AfterFinishItStartsAnew) {
  Sha256 hash;
  const Digest empty = hash.finish();
  EXPECT_EQ(empty, sha256(""));
  EXPECT_EQ(hash.update("abc").finish(), sha256("abc"));
  EXPECT_EQ(hash.update("ab").update("c").finish(), sha256("abc"));
  EXPECT_EQ(hash.finish(), empty);
}

TEST(Sha256Contract, ADigestIsAddedAsItsThirtyTwoBytes) {
  const Digest digest = sha256("abc");
  std::string bytes;
  for (const std::uint8_t byte : digest.bytes) bytes += static_cast<char>(byte);
  EXPECT_EQ(Sha256().update("x").update(digest).finish(), sha256("x" + bytes));
}

TEST(Sha256Contract, TwoAtOnceDoNotMix) {
  Sha256 one;
  Sha256 other;
  one.update("a");
  other.update("x");
  one.update("bc");
  other.update("yz");
  EXPECT_EQ(one.finish(), sha256("abc"));
  EXPECT_EQ(other.finish(), sha256("xyz"));
}

}  // namespace
}  // namespace holdfast::os
