// SPDX-License-Identifier: Apache-2.0
#include "file/block/block_edit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "file/replace/file_fixture.h"
#include "os/machine/sha256.h"
#include "testing/platform.h"

namespace holdfast::file {
namespace {

class BlockEdit : public FileFixture {
 protected:
  BlockFile block(std::string_view name, std::string id = "a") const {
    return {.path = at(name), .syntax = *block_syntax(name, {}, {}), .id = std::move(id)};
  }
  Result<BlockEdited> put_in(std::string_view name, std::string_view text,
                             Absent absent = Absent::kRefuse, std::string id = "a") {
    report_ = {};
    return put_block_in(block(name, std::move(id)), {.content = text}, absent,
                        {.durability = Durability::kNone}, report_);
  }
  Result<BlockEdited> remove_from(std::string_view name, std::string id = "a") {
    report_ = {};
    return remove_block_from(block(name, std::move(id)), Edits::kRefuse,
                             {.durability = Durability::kNone}, report_);
  }

  BlockReport report_;
};

TEST_F(BlockEdit, TheMarkerHasTheDigestThatSha256sumPrints) {
  put("f.sh", "user\n", 0640);
  const auto done = put_in("f.sh", "x\n");
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_TRUE(done->file.changed);
  // printf 'x\n' | sha256sum
  EXPECT_EQ(content("f.sh"),
            "user\n# >>> holdfast a sha256:73cb3858a687a849\nx\n# <<< holdfast a\n");
  EXPECT_EQ(to_hex(*done->new_digest),
            "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac");
  EXPECT_EQ(done->file.new_digest, os::sha256(content("f.sh")));
  EXPECT_EQ(mode("f.sh"), 0640U);
  EXPECT_EQ(names(), (std::vector<std::string>{"f.sh"}));
}

TEST_F(BlockEdit, PutAgainChangesNothingAndRemoveGivesTheOldFileBack) {
  put("f", "user, no newline");
  ASSERT_TRUE(put_in("f", "x\n"));
  const auto inode = id("f");
  const auto again = put_in("f", "x\n");
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->file.changed);
  EXPECT_FALSE(again->block_changed);
  EXPECT_EQ(id("f"), inode) << "not even replaced";
  const auto gone = remove_from("f");
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->new_digest, std::nullopt);
  EXPECT_EQ(content("f"), "user, no newline");
}

TEST_F(BlockEdit, TheLastBlockMayLeaveAnEmptyFile) {
  EXPECT_EQ(cause_of(put_in("f", "x\n")), "enoent");
  EXPECT_TRUE(names().empty());
  ASSERT_TRUE(put_in("f", "x\n", Absent::kCreate));
  ASSERT_TRUE(remove_from("f"));
  EXPECT_EQ(content("f"), "");
  EXPECT_EQ(cause_of(remove_from("f")), "no-such-block");
  EXPECT_EQ(code_of(remove_from("g")), ErrorCode::kNotFound);
}

TEST_F(BlockEdit, ARefusalLeavesTheFileAlone) {
  const std::string text = "# >>> holdfast a sha256:0123456789abcdef\nuser text\n";
  put("f", text);
  const auto before = id("f");
  for (int run = 0; run < 2; ++run) {
    const auto refused = put_in("f", "x\n");
    EXPECT_EQ(cause_of(refused), "orphan-begin");
    EXPECT_EQ(code_of(refused), ErrorCode::kCorrupt);
    EXPECT_EQ(report_.line, 1U);
  }
  EXPECT_EQ(content("f"), text);
  EXPECT_EQ(id("f"), before);
  EXPECT_EQ(names(), (std::vector<std::string>{"f"}));
}

TEST_F(BlockEdit, LinksAreRefusedOrFollowedAndNeverReplaced) {
  put("real", "user\n");
  if (!testing::make_file_link(at("real"), at("f"))) GTEST_SKIP() << "no links to files here";
  EXPECT_EQ(cause_of(put_in("f", "x\n")), "is-link");
  BlockReport report;
  const auto with = [&](Links links) {
    return put_block_in(block("f"), {.content = "x\n"}, Absent::kRefuse,
                        {.links = links, .durability = Durability::kNone}, report);
  };
  EXPECT_EQ(cause_of(with(Links::kReplace)), "bad-value");
  EXPECT_EQ(content("real"), "user\n");
  if (!tmp_.dir().read_link(*os::SafeName::make("f"))) GTEST_SKIP() << "links are not read here";
  ASSERT_TRUE(with(Links::kFollow));
  EXPECT_TRUE(content("real").starts_with("user\n# >>> holdfast a"));
  EXPECT_EQ(tmp_.dir().info(*os::SafeName::make("f")).value()->type, os::FileType::kLink);
}

TEST_F(BlockEdit, WritersOfDifferentBlocksLoseNothing) {
  put("f", "user\n");
  constexpr int kWriters = 8;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([this, writer] {
      BlockReport report;
      for (int round = 0; round < 5; ++round) {
        const auto done = put_block_in(
            block("f", "w" + std::to_string(writer)), {.content = "round " + std::to_string(round)},
            Absent::kRefuse, {.durability = Durability::kNone, .wait = std::chrono::minutes(1)},
            report);
        EXPECT_TRUE(done) << to_sentence(done.error());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = content("f");
  const auto document = parse_blocks(text, block("f").syntax, "f");
  ASSERT_TRUE(document);
  EXPECT_TRUE(document->anomalies.empty());
  ASSERT_EQ(document->blocks.size(), static_cast<std::size_t>(kWriters));
  for (const ManagedBlock& each : document->blocks) {
    EXPECT_EQ(each.content_of(text), "round 4\n") << each.id;
  }
}

TEST_F(BlockEdit, StrippingKeepsTheOldVersionAndTakesMarkersOnly) {
  const std::string text = "u1\n# >>> holdfast a sha256:01\nu2\n# <<< holdfast b\nu3\n";
  put("f", text);
  const auto plan = plan_strip(content("f"), block("f"));
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->lines.size(), 2U);
  EXPECT_EQ(plan->lines[0].number, 2U);
  EXPECT_EQ(plan->lines[1].text, "# <<< holdfast b");
  EXPECT_EQ(content("f"), text);
  const auto done = strip_orphans(block("f"), {.durability = Durability::kNone}, report_);
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("f"), "u1\nu2\nu3\n");
  ASSERT_TRUE(done->file && done->file->backup);
  EXPECT_EQ(content(*done->file->backup), text);
  const auto again = strip_orphans(block("f"), {.durability = Durability::kNone}, report_);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->file);
  EXPECT_EQ(names().size(), 2U) << "nothing to do makes no backup";
}

TEST_F(BlockEdit, WhatStrippingLeavesIsNamed) {
  const std::string text = "# >>> holdfast setup\n# >>> holdfast is nice\n# <<< holdfast b\n";
  put("f", text);
  const auto done = strip_orphans(block("f"), {.durability = Durability::kNone}, report_);
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("f"), "# >>> holdfast setup\n# >>> holdfast is nice\n");
  ASSERT_EQ(done->left.size(), 1U);
  EXPECT_EQ(done->left[0].number, 1U);
  EXPECT_EQ(done->left[0].kind, MarkerAnomaly::Kind::kMalformed);
}

TEST_F(BlockEdit, AWriteInPlaceThatWasCutShortCannotBeTold) {
  put("f", "# >>> holdfast a sha256:01");
  put(".f.hf-undo", "whatever");
  EXPECT_EQ(cause_of(read_text(at("f"), Links::kRefuse)), "write-in-place-unfinished");
  EXPECT_EQ(code_of(read_text(at("f"), Links::kRefuse)), ErrorCode::kCannotTell);
}

TEST_F(BlockEdit, ATextBeyondTheLimitIsRefused) {
  put("f", "");
  std::filesystem::resize_file(at("f"), kLargestText + 1);
  EXPECT_EQ(cause_of(put_in("f", "x\n")), "too-large");
  EXPECT_EQ(code_of(put_in("f", "x\n")), ErrorCode::kRefused);
}

}  // namespace
}  // namespace holdfast::file
