// SPDX-License-Identifier: Apache-2.0
//
// Somebody writes to the file of --from while it is read: a part of what they write must not pass
// for the whole.
#include "cli/file/content_source.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::cli {
namespace {

// Does something right before the n-th read, by calls that are not seen by the table.
class Meddler final : public testing::CallHook {
 public:
  Meddler(int at, std::function<void()> act) : at_(at), act_(std::move(act)) {}

  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "pread" && ++reads_ == at_) act_();
    return {};
  }
  [[nodiscard]] bool was_there() const { return reads_ >= at_; }

 private:
  int at_;
  int reads_ = 0;
  std::function<void()> act_;
};

class SourceFile : public ::testing::Test {
 protected:
  void write(const std::string& content, std::ios::openmode how) const {
    std::ofstream(source_, std::ios::binary | how) << content;
  }
  // Reads it while `act` happens before the n-th read.
  [[nodiscard]] Result<> read(int at, std::function<void()> act) const {
    auto job = file::Replacement::begin(tmp_.path("f"), {.durability = file::Durability::kNone});
    EXPECT_TRUE(job);
    Meddler meddler(at, std::move(act));
    const testing::ScopedCallHook hook(meddler);
    Result<> filled = fill_from_file(*job, source_);
    EXPECT_TRUE(meddler.was_there());
    return filled;
  }

  testing::TempDir tmp_;
  std::string source_ = tmp_.path("source");
};

TEST_F(SourceFile, ThatStaysAsItIsIsTaken) {
  write("content", std::ios::trunc);
  EXPECT_TRUE(read(1, [] {}));
}

TEST_F(SourceFile, ThatIsBeingWrittenIsRefused) {
  const std::string large(1U << 20U, 'x');
  const auto append = [&] { write("more", std::ios::app); };
  const auto shorten = [&] { write("less", std::ios::trunc); };
  for (const auto& act : {std::function<void()>(append), std::function<void()>(shorten)}) {
    for (const int at : {1, 2}) {
      write(large, std::ios::trunc);
      const auto filled = read(at, act);
      ASSERT_FALSE(filled);
      EXPECT_EQ(filled.error().code, ErrorCode::kBusy);
      EXPECT_EQ(filled.error().cause, "source-changed");
    }
  }
}

}  // namespace
}  // namespace holdfast::cli
