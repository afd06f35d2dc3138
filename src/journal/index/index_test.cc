// SPDX-License-Identifier: Apache-2.0
//
// The one promise of the index: whatever happens to it, answers stay the same.
#include "journal/index/index.h"

#include <random>

#include "journal/index/index_store.h"
#include "journal/read/count.h"
#include "journal/read/reader_fixture.h"
#include "journal/store/blob_store.h"

namespace holdfast::journal {
namespace {

class IndexTest : public ReaderTest {
 protected:
  static constexpr std::uint64_t kAtOnce = 1;  // index the live segment as soon as a block is full

  static CountResult ask(const Snapshot& now, CountRequest request, bool use_index) {
    request.use_index = use_index;
    request.index_live_from = kAtOnce;
    auto result = count(now, request);
    EXPECT_TRUE(result) << to_sentence(result.error());
    return result ? *std::move(result) : CountResult{};
  }
  // The same answer without, with a new and with an old index; says whether the last one used it.
  static bool expect_same(const Snapshot& now, const CountRequest& request) {
    const CountResult plain = ask(now, request, false);
    bool used = false;
    for (int round = 0; round < 2; ++round) {
      const CountResult indexed = ask(now, request, true);
      EXPECT_EQ(indexed.count, plain.count);
      EXPECT_EQ(indexed.groups, plain.groups);
      EXPECT_EQ(indexed.damaged, plain.damaged);
      EXPECT_EQ(indexed.unfinished_bytes, plain.unfinished_bytes);
      EXPECT_EQ(indexed.index_note, "");
      used = indexed.index_used;
    }
    return used;
  }

  void random_journal(std::mt19937& random) {
    journal_ = JournalBuilder();
    const std::size_t segments = 1 + random() % 3;
    for (std::size_t i = 0; i < segments; ++i) {
      if (i > 0) journal_.next_segment();
      journal_.step_us(static_cast<std::int64_t>(random() % 5'000'000));
      for (std::size_t left = random() % 7'000; left > 0; --left) {
        if (random() % 3000 == 0) {  // the clock is set
          const auto by = static_cast<std::int64_t>(random() % 20'000) * 1'000'000 - 10'000'000'000;
          journal_.at(journal_.wall_us() + by);
        }
        journal_.of_class(random() % 9 == 0 ? EventClass::kDecision : EventClass::kEvent);
        append_random(random);
      }
    }
  }
  void append_random(std::mt19937& random) {
    static constexpr const char* kTypes[] = {"lock.busy", "lock.fail_open", "x.a", "x.wide",
                                             "x.odd"};
    const std::size_t type = random() % std::size(kTypes);
    std::string data = "{\"lock\":\"l" + std::to_string(random() % 7) + "\"";
    if (random() % 3 == 0) data += ",\"n\":" + std::to_string(random() % 4);
    if (type == 3) data += ",\"wide\":" + std::to_string(random() % 4000);
    if (type == 4 && random() % 500 == 0) data += ",\"n\":[1]";
    if (random() % 50 == 0) data += ",\"lock\":\"second\"";
    journal_.append(kTypes[type], data + "}");
  }
  CountRequest random_request(std::mt19937& random) {
    static const std::vector<std::vector<std::string>> kBy = {{},
                                                              {"type"},
                                                              {"class"},
                                                              {"day"},
                                                              {"hour", "type"},
                                                              {"data.lock"},
                                                              {"type", "data.n"},
                                                              {"data.wide"},
                                                              {"writer"},
                                                              {"data.lock", "hour"}};
    static const std::vector<std::vector<std::string>> kTypes = {
        {}, {"lock.*"}, {"x.a"}, {"x.odd", "x.w*"}, {"none"}};
    static const std::vector<const char*> kWhere = {
        "data.lock=l3", "data.lock!=l3", "type!=x.a", "class=decision", "data.n=2", "data.none!=1"};
    CountRequest request;
    request.by = kBy[random() % kBy.size()];
    request.filter.types = kTypes[random() % kTypes.size()];
    if (random() % 3 == 0) request.filter.where.push_back(*parse_where(kWhere[random() % 6]));
    const std::int64_t start = 1'763'200'000'000'000;
    const std::int64_t span = journal_.wall_us() - start;
    const auto inside = [&] {
      return start + static_cast<std::int64_t>(static_cast<double>(span) *
                                               (static_cast<double>(random() % 1000) / 1000.0));
    };
    if (random() % 2 == 0) request.filter.since_us = inside();
    if (random() % 3 == 0) request.filter.until_us = inside();
    return request;
  }
  std::vector<std::string> index_files() {
    std::vector<std::string> names;
    const auto dir = temp_.dir().open_dir(*os::SafeName::make("index"));
    if (!dir) return names;
    EXPECT_TRUE(dir->each_entry([&](std::string_view name, os::FileType) {
      names.emplace_back(name);
      return os::Visit::kContinue;
    }));
    return names;
  }
};

TEST_F(IndexTest, AnswersAreTheSameOverRandomJournalsWhateverHappensToTheIndex) {
  std::mt19937 random(20261115);
  int used = 0;
  for (int round = 0; round < 3; ++round) {
    temp_.clear();
    random_journal(random);
    const Snapshot now = snapshot();
    for (int question = 0; question < 14; ++question) {
      const CountRequest request = random_request(random);
      used += expect_same(now, request) ? 1 : 0;
      if (HasFailure()) FAIL() << "round " << round << " question " << question;
      const auto names = index_files();
      if (names.empty()) continue;
      const auto dir = temp_.dir().open_dir(*os::SafeName::make("index"));
      const std::string& name = names[random() % names.size()];
      std::string bytes = (*dir->open_file(*os::SafeName::make(name), os::Access::kRead))
                              ->read_all(1 << 24)
                              .value();
      switch (random() % 4) {
        case 0:
          ASSERT_TRUE(dir->remove_file(*os::SafeName::make(name)));
          break;
        case 1:
          put_file(*dir, name, bytes.substr(0, random() % bytes.size()));
          break;
        case 2:
          bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
          put_file(*dir, name, bytes);
          break;
        default:
          break;
      }
    }
  }
  EXPECT_GT(used, 12) << "the index is hardly used: the test says nothing";
}

TEST_F(IndexTest, TheLiveSegmentIsAnsweredFromBlocksAndItsTailIsScanned) {
  journal_.append(10'000, "x.a", R"({"k":1})");
  EXPECT_TRUE(expect_same(snapshot(), {.by = {"type"}}));
  ASSERT_EQ(index_files(), std::vector<std::string>{"seg-0000000000000001-8192.idx"});
  journal_.append(500, "x.b");
  EXPECT_TRUE(expect_same(snapshot(), {.by = {"type"}}));
  journal_.last() += "half a rec";
  EXPECT_TRUE(expect_same(snapshot(), {.by = {"type"}}));
}

TEST_F(IndexTest, ASealedSegmentReplacesTheIndexOfItsPrefix) {
  journal_.append(5000, "x.a");
  expect_same(snapshot(), {.by = {"type"}});
  journal_.next_segment();
  EXPECT_TRUE(expect_same(snapshot(), {.by = {"type"}}));
  EXPECT_EQ(index_files(), std::vector<std::string>{"seg-0000000000000001-5002.idx"});
}

TEST_F(IndexTest, DamageIsReportedAlthoughThereIsAnIndex) {
  journal_.append(9000, "x.a", R"({"k":"v"})").next_segment().append("x.b");
  EXPECT_TRUE(expect_same(snapshot(), {.by = {"type"}}));
  journal_.segment(0)[journal_.line(0, 100) + 40] ^= 1;
  const CountResult result = ask(snapshot(), {.by = {"type"}}, true);
  EXPECT_EQ(kinds(result.damaged), Kinds{"checksum"});
  EXPECT_EQ(result.count, 9003U);
  expect_same(snapshot(), {.by = {"type"}});
}

TEST_F(IndexTest, ADamagedSegmentGetsNoIndex) {
  journal_.append(100, "x.a").next_segment().append("x.b");
  journal_.segment(0)[journal_.line(0, 50) + 40] ^= 1;
  EXPECT_FALSE(expect_same(snapshot(), {.by = {"type"}}));
  EXPECT_TRUE(index_files().empty());
}

TEST_F(IndexTest, AGapBetweenIndexedSegmentsIsReportedAndExplainedAsWithout) {
  JournalRepaired lost;
  lost.kind = JournalRepaired::Kind::kLost;
  lost.segment = 1;
  lost.lost = SeqRange{102, 104};
  lost.same_boot = false;
  journal_.append(99, "x.a").seal().skip(3).next_segment_without_seal();
  journal_.append("journal.repaired", encode(lost)).append(99, "x.a").next_segment();
  EXPECT_TRUE(expect_same(snapshot(), {.by = {"type"}}));
  EXPECT_EQ(kinds(ask(open(), {}, true).damaged), Kinds{"missing-segment (explained)"});
}

TEST_F(IndexTest, AnotherJournalInItsPlaceIsNotAnsweredFromIt) {
  journal_.append(100, "x.a").next_segment().append("x.b");
  expect_same(snapshot(), {.by = {"type"}});
  journal_ = JournalBuilder(*parse_id128("ffffffffffffffffffffffffffffffff"));
  journal_.append(100, "x.c").next_segment().append("x.b");
  expect_same(snapshot(), {.by = {"type"}});
}

TEST_F(IndexTest, DataInABlobIsNeverAnsweredFromTheIndex) {
  const auto blob = put_blob(temp_.dir(), 1, R"({"k":"big"})", os::Durability::kNone);
  journal_.append(50, "x.a", R"({"k":"v"})").append("x.a", blob_data(*blob, 11)).next_segment();
  expect_same(snapshot(), {.filter = {.types = {"x.a"}}, .by = {"data.k"}});
  EXPECT_TRUE(expect_same(snapshot(), {.filter = {.types = {"x.b"}}, .by = {"data.k"}}));
}

TEST_F(IndexTest, AnIndexThatCannotBeWrittenIsNotedAndChangesNothing) {
  journal_.append(100, "x.a").next_segment();
  put_file(temp_.dir(), "index", "a file where the directory should be");
  const CountResult result = ask(snapshot(), {.by = {"type"}}, true);
  EXPECT_EQ(result.count, 103U);
  EXPECT_NE(result.index_note, "");
}

TEST_F(IndexTest, TheCodecRefusesEveryCutAndEveryFlippedByte) {
  SegmentIndex index;
  index.key.records = 3;
  index.facts.opened =
      SegmentOpened{.journal = {}, .number = 1, .previous = {}, .boot = {}, .host = "h"};
  index.types = {"x.a"};
  index.blocks.push_back({.end = 9,
                          .records = 3,
                          .min_us = -5,
                          .max_us = 7,
                          .cells = {{.hour = -1, .type = 0, .count = 3}}});
  const std::string bytes = encode_index(index);
  const auto back = decode_index(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->blocks, index.blocks);
  EXPECT_EQ(back->key, index.key);
  FieldIndex fields;
  fields.columns.push_back({.type = 0, .name = "k", .values = {"v"}, .blocks = {{{0, 3}}, {}}});
  fields.columns.push_back({.type = 0, .name = "other", .answerable = false});
  const auto field_back = decode_fields(encode_fields(fields), "k");
  ASSERT_TRUE(field_back);
  ASSERT_EQ(field_back->columns.size(), 1U);
  EXPECT_EQ(field_back->columns[0], fields.columns[0]);
  EXPECT_FALSE(decode_fields(bytes, "k"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(decode_index(bytes.substr(0, i)));
    std::string bad = bytes;
    bad[i] ^= 4;
    EXPECT_FALSE(decode_index(bad)) << i;
  }
}

}  // namespace
}  // namespace holdfast::journal
