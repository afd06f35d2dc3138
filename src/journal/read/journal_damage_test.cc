// SPDX-License-Identifier: Apache-2.0
//
// What the next writer does about an end that is not as the last one left it.
#include <cstdio>
#include <map>

#include "format/journal/journal_payload.h"
#include "format/text/crc32c.h"
#include "journal/read/bad_input_cases.h"
#include "journal/store/blob_store.h"
#include "journal/store/journal_fixture.h"
#include "journal/write/repair.h"

namespace holdfast::journal {
namespace {

class JournalDamage : public JournalFixture {
 protected:
  void SetUp() override {
    journal_ = open();
    for (int i = 0; i < 5; ++i) {
      clock_.advance(std::chrono::milliseconds(1));  // each leaves a note
      ASSERT_TRUE(journal_->record(numbered(i)));
    }
    whole_ = read(newest());
  }
  // Both kinds of writer meet the damage: the one that was running, and a fresh one.
  void expect_mended(const Result<EventReceipt>& receipt) {
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
    EXPECT_EQ(numbers().back(), 99);
    expect_sound();
  }
  // The journal goes on, and the loss is an alarm until a person has seen it.
  void expect_missed() {
    EXPECT_TRUE(any_unexplained(verified().damaged));
    const auto repaired = repair(tmp_.dir(), *open());
    ASSERT_TRUE(repaired) << to_sentence(repaired.error());
    expect_sound();
  }
  Error refusal(Journal& journal) {
    const std::string before = read(newest());
    auto receipt = journal.record(numbered(99));
    EXPECT_FALSE(receipt);
    EXPECT_TRUE(read(newest()) == before) << "a refused append changed something";
    return receipt ? Error{} : receipt.error();
  }
  std::string last_line() const { return whole_.substr(whole_.rfind('\n', whole_.size() - 2) + 1); }

  std::unique_ptr<Journal> journal_;
  std::string whole_;
};

class TornEnd : public JournalDamage, public ::testing::WithParamInterface<const char*> {};

TEST_P(TornEnd, IsCutOffKeptAndSaid) {
  using namespace std::string_literals;
  const std::string kind = GetParam();
  const std::string torn = kind == "half"            ? last_line().substr(0, 40)
                           : kind == "nul"           ? std::string(5000, '\0')
                           : kind == "garbage-lines" ? "garbage\nmore\n"s
                           : kind == "fused"         ? last_line().substr(0, 30) + last_line()
                                             : last_line().substr(0, last_line().size() - 1);
  for (const bool running : {true, false}) {
    write(newest(), read(newest()) + torn);
    expect_mended(running ? journal_->record(numbered(99)) : open()->record(numbered(99)));
    const auto repaired = records("journal.repaired").back();
    EXPECT_NE(repaired.data.find(R"("kind":"torn")"), std::string::npos) << repaired.data;
    const auto parsed = decode_journal_repaired(repaired.data, "test");
    ASSERT_TRUE(parsed);
    const auto kept = get_blob(tmp_.dir(), {.digest = *parsed->blob, .segment = parsed->segment});
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ(**kept, torn);
    EXPECT_EQ(read(newest()).find('\0'), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TornEnd,
                         ::testing::Values("half", "nul", "garbage-lines", "fused", "no-newline"));

TEST_F(JournalDamage, EveryCutOfTheLastRecordIsMended) {
  for (std::size_t cut = 1; cut < last_line().size(); ++cut) {
    const std::string kept = whole_.substr(0, whole_.size() - cut);
    write(newest(), kept);
    std::filesystem::remove(tmp_.path("state"));  // nobody remembers: a torn write, no loss
    ASSERT_TRUE(open()->record(numbered(99))) << cut;
    expect_sound();
    const auto all = numbers();
    EXPECT_EQ(all.back(), 99);
    EXPECT_EQ(all.size(), 5U) << "4 kept, the torn one in a blob, and the new one";
    write(newest(), whole_);
  }
}

TEST_F(JournalDamage, RecordsCutOffByAnOutsiderAreMissedAndTheirNumbersNotReused) {
  for (const bool running : {true, false}) {
    clock_.advance(std::chrono::milliseconds(1));
    ASSERT_TRUE(journal_->record(numbered(7)));
    const auto before = records();
    const std::string bytes = read(newest());
    const std::string two_less =
        bytes.substr(0, bytes.rfind('\n', bytes.rfind('\n', bytes.size() - 2) - 1) + 1);
    write(newest(), two_less);
    EXPECT_TRUE(any_unexplained(verified().damaged));
    ASSERT_TRUE(running ? journal_->record(numbered(99)) : open()->record(numbered(99)));
    EXPECT_EQ(numbers().back(), 99);
    const auto repaired = records("journal.repaired").back();
    const auto parsed = decode_journal_repaired(repaired.data, "test");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->kind, JournalRepaired::Kind::kLost);
    EXPECT_TRUE(parsed->same_boot);
    ASSERT_TRUE(parsed->lost);
    EXPECT_EQ(parsed->lost->last, before.back().seq);
    EXPECT_EQ(parsed->lost->first, before[before.size() - 3].seq + 1);
    EXPECT_EQ(repaired.seq, before.back().seq + 1);
    expect_missed();
  }
}

TEST_F(JournalDamage, CopytruncateIsNoticed) {
  write(newest(), "");
  EXPECT_EQ(refusal(*journal_).code, ErrorCode::kCorrupt);
  EXPECT_EQ(refusal(*open()).cause, "bad-header");
  ASSERT_TRUE(open()->acknowledge({}));
  ASSERT_TRUE(journal_->record(numbered(99)));
  EXPECT_EQ(numbers(), std::vector{99});
  EXPECT_GT(records("x.test").back().seq, 6U) << "numbers were used again";
}

TEST_F(JournalDamage, AWriterThatNotesEachRecordLeavesNoneThatCanBeCutOffUnseen) {
  journal_ = open({.limits = {.note_every_us = 0}});
  for (int i = 0; i < 5; ++i) {
    // At the same moment of the clock: a shared note would be of the first one.
    const std::string before = read(newest());
    ASSERT_TRUE(journal_->record(numbered(i)));
    const std::string after = read(newest());
    write(newest(), before);
    EXPECT_TRUE(any_unexplained(verified().damaged)) << i;
    write(newest(), after);
    EXPECT_FALSE(any_unexplained(verified().damaged)) << i;
  }
}

TEST_F(JournalDamage, ASegmentMovedAwayIsMissed) {
  ASSERT_EQ(journal_->rotate(), true);
  ASSERT_TRUE(journal_->record(numbered(5)));
  const std::uint64_t last = records().back().seq;
  std::filesystem::rename(newest(), tmp_.path("elsewhere"));
  ASSERT_TRUE(journal_->record(numbered(99, EventClass::kDecision)));
  EXPECT_EQ(numbers(), (std::vector{0, 1, 2, 3, 4, 99}));
  EXPECT_GT(records("x.test").back().seq, last);
  expect_missed();
}

TEST_F(JournalDamage, EverySegmentGoneIsMissedAndNumbersGoOn) {
  std::filesystem::remove(newest());
  ASSERT_TRUE(open()->record(numbered(99)));
  EXPECT_EQ(numbers(), std::vector{99});
  EXPECT_GT(records("x.test").back().seq, 6U);
  EXPECT_EQ(records("journal.repaired").size(), 1U);
  expect_missed();
}

TEST_F(JournalDamage, ARewrittenPastIsRefused) {
  // The same length, another last record.
  auto other = whole_;
  other.replace(other.rfind(R"("h":")") + 5, 4, "AAAA");
  write(newest(), other);
  const Error refused = refusal(*open());
  EXPECT_EQ(refused.code, ErrorCode::kCorrupt);
}

TEST_F(JournalDamage, ANewerVersionIsNotTouched) {
  auto newer = last_line();
  newer.replace(0, 6, R"({"v":2)");
  const std::size_t sum = newer.rfind(R"(,"c":")");
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", crc32c(std::string_view(newer).substr(0, sum)));
  newer.replace(sum + 6, 8, digits);
  write(newest(), whole_ + newer);
  const Error refused = refusal(*open());
  EXPECT_EQ(refused.code, ErrorCode::kCannotTell);
  EXPECT_EQ(refused.cause, "newer-version");
}

TEST_F(JournalDamage, MegabytesOfDamageAreForAPerson) {
  write(newest(), whole_ + std::string(5'000'000, 'x'));
  const Error refused = refusal(*open());
  EXPECT_EQ(refused.code, ErrorCode::kCorrupt);
  EXPECT_EQ(refused.cause, "no-good-end");
}

TEST_F(JournalDamage, AByteOrderMarkOrCarriageReturnsAreForAPerson) {
  write(newest(), "\xEF\xBB\xBF" + whole_);
  EXPECT_EQ(refusal(*open()).cause, "bad-header");
  std::string crlf;
  for (const char c : whole_) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  write(newest(), crlf);
  EXPECT_EQ(refusal(*open()).code, ErrorCode::kCorrupt);
}

TEST_F(JournalDamage, DamageInTheMiddleIsSaidWhenTheSegmentIsClosed) {
  auto bytes = whole_;
  bytes[bytes.find(R"("i":1)") + 4] = '7';
  write(newest(), bytes);
  ASSERT_TRUE(open()->record(numbered(5))) << "the end is good";
  ASSERT_EQ(open()->rotate(), true);
  ASSERT_TRUE(open()->record(numbered(99)));
  EXPECT_TRUE(records("journal.sealed").empty());
  EXPECT_EQ(records("journal.repaired").size(), 1U);
  expect_sound();
}

TEST_F(JournalDamage, BytesBehindASealAreSaid) {
  ASSERT_EQ(journal_->rotate(), true);
  const std::string first = tmp_.path(files("seg-").front());
  std::filesystem::permissions(first, std::filesystem::perms(0600));
  const std::string second = newest();
  write(first, read(first) + "late");
  std::filesystem::remove(second);
  std::filesystem::remove(tmp_.path("state"));
  ASSERT_TRUE(open()->record(numbered(99)));
  expect_sound();
}

// What a writer answers to each of the bad inputs, and that `repair` makes every one of them a
// journal that is written to and verified again, without touching the damaged bytes.
namespace fs = std::filesystem;

class BadInputWriter : public JournalFixture {
 protected:
  void copy(std::string_view name) {
    tmp_.clear();
    for (const auto& file : fs::directory_iterator(fs::path(HF_GOLDEN_JOURNALS) / name)) {
      fs::copy_file(file.path(), tmp_.path(file.path().filename().string()));
    }
  }
  std::map<std::string, std::string> segments() {
    std::map<std::string, std::string> all;
    for (const std::string& name : files("seg-")) all[name] = read(tmp_.path(name));
    return all;
  }
  // "written", "mended", or the cause of the refusal.
  std::string append() {
    const auto before = segments();
    const auto receipt = open()->record(numbered(99));
    if (!receipt) {
      EXPECT_TRUE(segments() == before) << "a refused append changed something";
      return receipt.error().cause;
    }
    return records("journal.repaired").empty() ? "written" : "mended";
  }
};

TEST_F(BadInputWriter, EachHasADefinedAnswer) {
  const std::map<std::string_view, std::string> expected{
      {"sound", "written"},
      {"torn", "mended"},
      {"no-final-newline", "mended"},
      {"nul-padded", "mended"},
      {"nul-inside", "chain-broken"},  // the NULs stand in the last line but one
      {"fused", "chain-broken"},
      {"bom", "bad-header"},
      {"crlf", "bad-header"},
      {"wrong-checksum", "written"},  // the end is good; verify and the seal report the middle
      {"forked-chain", "written"},
      {"rewritten", "written"},
      {"newer-version", "newer-version"},
      {"zero-length", "bad-header"},
      {"zero-length-newest", "bad-header"},
  };
  for (const BadInput& input : bad_inputs()) {
    SCOPED_TRACE(input.name);
    copy(input.name);
    ASSERT_TRUE(expected.contains(input.name));
    EXPECT_EQ(append(), expected.at(input.name));
  }
}

TEST_F(BadInputWriter, RepairMakesEachUsableAndRemovesNothing) {
  for (const BadInput& input : bad_inputs()) {
    if (input.newer) continue;  // not ours to repair
    SCOPED_TRACE(input.name);
    copy(input.name);
    const auto before = segments();
    const auto report = repair(tmp_.dir(), *open());
    ASSERT_TRUE(report) << to_sentence(report.error());
    EXPECT_TRUE(report->left.empty()) << report->left.front().kind << report->left.front().says;
    expect_sound();
    if (!input.unfinished) {  // a torn end is cut off, and in a blob
      for (const auto& [name, bytes] : before) {
        EXPECT_TRUE(segments().at(name).starts_with(bytes)) << name << " lost bytes";
      }
    }
    ASSERT_TRUE(open()->record(numbered(99)));
    EXPECT_EQ(numbers().back(), 99);
    expect_sound();
    const auto again = repair(tmp_.dir(), *open());
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->nothing_to_do());
  }
}

}  // namespace
}  // namespace holdfast::journal
