// SPDX-License-Identifier: Apache-2.0
//
// Somebody without our lock replaces the file at the worst moment: between our comparison and our
// exchange of names, and again before we exchange back.
#include "file/replace/swap.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "file/replace/backup.h"
#include "file/replace/file_fixture.h"
#include "file/replace/status_linux_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::file {
namespace {

using SwapNames = std::vector<std::string>;

// Does something right before the n-th exchange of names, by calls that are not seen by the table.
class Meddler final : public testing::CallHook {
 public:
  std::vector<std::function<void()>> before_exchange;
  bool has_exchange = true;

  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != "renameat2_exchange") return {};
    if (!has_exchange) return {.kind = testing::Fate::Kind::kFail, .os_code = EINVAL};
    if (exchanges_++ < before_exchange.size()) before_exchange[exchanges_ - 1]();
    return {};
  }

 private:
  std::size_t exchanges_ = 0;
};

class Swap : public FileFixture {
 protected:
  void SetUp() override {
    put("f", "old");
    if (::renameat2(AT_FDCWD, at("f").c_str(), AT_FDCWD, at("f").c_str(), RENAME_EXCHANGE) != 0) {
      GTEST_SKIP() << "no exchange of names on this file system";
    }
  }
  // As an editor saves.
  [[nodiscard]] std::function<void()> save(const std::string& content) const {
    return [this, content] {
      put("draft", content);
      ASSERT_EQ(::rename(at("draft").c_str(), at("f").c_str()), 0);
    };
  }
  // Our content was made from the old one.
  [[nodiscard]] Result<Replaced> edit(Meddler& meddler) const {
    auto job =
        Replacement::begin(at("f"), {.durability = Durability::kNone, .base = Base::kAsRead});
    EXPECT_TRUE(job && job->write("made from old"));
    const testing::ScopedCallHook hook(meddler);
    return job->commit();
  }
};

TEST_F(Swap, AnEditorsSaveBetweenComparisonAndExchangeStays) {
  Meddler meddler;
  meddler.before_exchange = {save("the editor's")};
  const auto done = edit(meddler);
  EXPECT_EQ(code_of(done), ErrorCode::kBusy);
  EXPECT_EQ(cause_of(done), "changed-meanwhile");
  EXPECT_EQ(content("f"), "the editor's");
  EXPECT_EQ(names(), SwapNames{"f"});
}

TEST_F(Swap, ALinkThatIsPlantedInThatMomentIsNotFollowedAndStays) {
  put("victim", "victim");
  Meddler meddler;
  meddler.before_exchange = {[&] {
    ASSERT_EQ(::symlink("victim", at("draft").c_str()), 0);
    ASSERT_EQ(::rename(at("draft").c_str(), at("f").c_str()), 0);
  }};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  EXPECT_EQ(content("victim"), "victim");
  EXPECT_TRUE(S_ISLNK(status_of(at("f")).st_mode));
  EXPECT_EQ(names(), (SwapNames{"f", "victim"}));
}

TEST_F(Swap, OfTwoSavesWhileItIsUndoneTheNewestStands) {
  Meddler meddler;
  meddler.before_exchange = {save("first save"), save("second save")};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  EXPECT_EQ(content("f"), "second save");
  EXPECT_EQ(names(), SwapNames{"f"});
}

TEST_F(Swap, SomebodyWhoExchangesNamesLosesNothing) {
  put("other", "other");
  const auto flip = [&] {
    ASSERT_EQ(
        ::renameat2(AT_FDCWD, at("f").c_str(), AT_FDCWD, at("other").c_str(), RENAME_EXCHANGE), 0);
  };
  Meddler meddler;
  meddler.before_exchange = {flip, flip};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  std::vector<std::string> contents;
  for (const std::string& name : names()) contents.push_back(content(name));
  std::ranges::sort(contents);
  EXPECT_EQ(contents, (std::vector<std::string>{"made from old", "old", "other"}));
}

TEST_F(Swap, AFileThatIsRemovedInThatMomentIsAChange) {
  Meddler meddler;
  meddler.before_exchange = {[&] { ASSERT_EQ(::unlink(at("f").c_str()), 0); }};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  EXPECT_EQ(names(), SwapNames{});
}

TEST_F(Swap, ABlindWriteTakesWhatTheEditorSavedForTheOldFile) {
  Meddler meddler;
  meddler.before_exchange = {save("the editor's")};
  const testing::ScopedCallHook hook(meddler);
  const auto done = replace(at("f"), "new", {.durability = Durability::kNone, .backups = 1});
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(content(done->backup.value_or("none")), "the editor's");
}

TEST_F(Swap, WithoutAnExchangeTheOldFileIsReplacedByAPlainRename) {
  Meddler meddler;
  meddler.has_exchange = false;
  EXPECT_TRUE(edit(meddler));
  EXPECT_EQ(content("f"), "made from old");
  EXPECT_EQ(names(), SwapNames{"f"});
}

}  // namespace
}  // namespace holdfast::file
