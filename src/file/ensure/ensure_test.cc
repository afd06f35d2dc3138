// SPDX-License-Identifier: Apache-2.0
#include "file/ensure/ensure.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <thread>

#include "file/ensure/ensure_fixture.h"
#include "testing/platform.h"

namespace holdfast::file {
namespace {

using EnsureNames = std::vector<std::string>;
namespace fs = std::filesystem;

class Ensure : public EnsureFixture {};

TEST_F(Ensure, MakesWhatIsAbsentParentsFirstWhateverTheOrder) {
  ManifestEntry inner = file("d/e/f");
  inner.initial = "hello\n";
  ASSERT_TRUE(ensure({inner, dir("d/e", 0711), dir("d", 01770)}));
  EXPECT_EQ(created(), (EnsureNames{"d", "d/e", "d/e/f"}));
  EXPECT_EQ(content("d/e/f"), "hello\n");
  EXPECT_EQ(mode("d/e/f"), 0640U);
  EXPECT_EQ(mode("d/e"), 0711U);
  EXPECT_EQ(mode("d"), 01770U);
}

TEST_F(Ensure, RepeatedItChangesNothing) {
  const std::vector<ManifestEntry> entries{dir("d"), file("d/f")};
  ASSERT_TRUE(ensure(entries));
  put("d/f", "the user's own", 0640);
  ASSERT_TRUE(ensure(entries));
  EXPECT_TRUE(done.created.empty() && done.drift.empty());
  EXPECT_EQ(done.present, 2U);
  EXPECT_EQ(content("d/f"), "the user's own");
}

TEST_F(Ensure, MissingParentIsAnErrorUnlessAskedForOrDeclared) {
  const auto done_or_not = ensure({file("ok"), file("a/b/f")});
  EXPECT_EQ(code_of(done_or_not), ErrorCode::kNotFound);
  EXPECT_EQ(cause_of(done_or_not), "parent-missing");
  EXPECT_EQ(names(), EnsureNames{});
  // One of two missing ones is declared.
  EXPECT_EQ(cause_of(ensure({dir("a"), file("a/b/f")})), "parent-missing");
  EXPECT_EQ(names(), EnsureNames{});
}

TEST_F(Ensure, WrongTypeIsRefusedBeforeAnyChange) {
  put("taken", "keep me");
  const auto result = ensure({file("a"), dir("taken"), file("z")});
  EXPECT_EQ(code_of(result), ErrorCode::kRefused);
  EXPECT_EQ(cause_of(result), "wrong-type");
  EXPECT_EQ(result.error().subject, at("taken"));
  EXPECT_EQ(names(), EnsureNames{"taken"});
  EXPECT_EQ(content("taken"), "keep me");

  fs::create_directory(at("dir"));
  EXPECT_EQ(cause_of(ensure({file("dir")})), "wrong-type");
}

TEST_F(Ensure, FileAboveAPathIsRefusedByItsName) {
  put("f", "x");
  ManifestEntry below = file("f/a/b");
  below.parents = true;
  const auto result = ensure({below});
  EXPECT_EQ(cause_of(result), "wrong-type");
  EXPECT_EQ(slashed(result.error().subject), slashed(at("f")));
}

TEST_F(Ensure, ALinkToADirectoryIsRefusedAndNeverFollowed) {
  fs::create_directory(at("real"));
  if (!testing::make_dir_link(at("real"), at("link"))) GTEST_SKIP() << "no links here";
  ManifestEntry below = file("link/sub/f");
  below.parents = true;
  for (const ManifestEntry& entry : {file("link/f"), below, dir("link"), file("link")}) {
    const auto result = ensure({entry});
    EXPECT_EQ(code_of(result), ErrorCode::kRefused) << entry.path;
    EXPECT_EQ(cause_of(result), "is-link") << entry.path;
    EXPECT_EQ(slashed(result.error().subject), slashed(at("link")));
  }
  EXPECT_TRUE(fs::is_empty(at("real")));
}

TEST_F(Ensure, WhatParentsMakesIsThereForTheOtherEntries) {
  ManifestEntry deep = file("p/q/r/f");
  deep.parents = true;
  ASSERT_TRUE(ensure({file("p/q/beside"), deep, dir("p/below")}));
  EXPECT_TRUE(fs::exists(at("p/q/beside")));
  EXPECT_TRUE(fs::exists(at("p/q/r/f")));
  EXPECT_TRUE(fs::is_directory(at("p/below")));
  const auto elsewhere = ensure({file("o/f"), deep});
  EXPECT_EQ(cause_of(elsewhere), "parent-missing");
  EXPECT_FALSE(fs::exists(at("o")));
}

TEST_F(Ensure, ManyAtOnceAllSucceedAndEachThingIsMadeOnce) {
  ManifestEntry deep = file("p/q/r/f");
  deep.parents = true;
  deep.initial = "whole\n";
  const std::vector<ManifestEntry> entries{deep, dir("d"), file("d/f"), file("g")};
  std::atomic<std::size_t> made = 0;
  std::array<std::string, 8> failures;
  std::vector<std::thread> threads;
  for (std::string& failure : failures) {
    threads.emplace_back([&] {
      EnsureDone mine;
      const EnsurePlan plan = plan_ensure(entries, Purpose::kApply);
      if (const Error* refusal = plan.refusal(); refusal != nullptr) {
        failure = to_sentence(*refusal);
      } else if (const auto applied = apply_ensure(entries, plan, {}, mine); !applied) {
        failure = to_sentence(applied.error());
      } else if (!mine.drift.empty()) {
        failure = "drift";
      }
      made += mine.created.size();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
  EXPECT_EQ(made, 7U);
  EXPECT_EQ(content("p/q/r/f"), "whole\n");
  EXPECT_EQ(names(), (EnsureNames{"d", "g", "p"}));
}

}  // namespace
}  // namespace holdfast::file
