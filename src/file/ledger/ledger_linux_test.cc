// SPDX-License-Identifier: Apache-2.0
//
// What only Linux has: FIFOs, and owners by number.
#include <sys/stat.h>
#include <unistd.h>

#include "file/ledger/ledger.h"
#include "file/replace/file_fixture.h"
#include "testing/manual_clock.h"

namespace holdfast::file {
namespace {

class LedgerOnLinux : public FileFixture {
 protected:
  Result<LedgerAppended> append(std::string_view name, std::string_view entry,
                                LedgerAppend how = {}) {
    how.replace.durability = Durability::kNone;
    return append_ledger(at(name), entry, std::move(how), clock_);
  }
  Result<LedgerRepaired> repair(std::string_view name) {
    return repair_ledger(at(name), {}, clock_);
  }
  Result<std::string> load(std::string_view name) {
    return load_ledger(at(name), Links::kRefuse, ForeignOwner::kRefuse);
  }

  testing::ManualClock clock_;
};

TEST_F(LedgerOnLinux, LinksAndSpecialFilesAreRefusedForReadingToo) {
  put("real.json", "[]");
  ASSERT_EQ(::symlink("real.json", at("link.json").c_str()), 0);
  ASSERT_EQ(::mkfifo(at("fifo.json").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(at("sub").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("sub", at("link").c_str()), 0);
  for (const std::string_view name : {"link.json", "fifo.json", "link/h.json", "sub"}) {
    EXPECT_EQ(code_of(append(name, "{}")), ErrorCode::kRefused) << name;
    EXPECT_EQ(code_of(load(name)), ErrorCode::kRefused) << name;
    EXPECT_EQ(code_of(repair(name)), ErrorCode::kRefused) << name;
  }
  EXPECT_EQ(content("real.json"), "[]");
  EXPECT_TRUE(load_ledger(at("link.json"), Links::kFollow, ForeignOwner::kRefuse));
  // To put a file in the place of the link would lose the entries behind it.
  EXPECT_EQ(cause_of(append("link.json", "{}", {.replace = {.links = Links::kReplace}})),
            "is-link");
}

TEST_F(LedgerOnLinux, AFileOfAnotherUserIsRefusedAlsoForRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  put("h.json", "[]");
  ASSERT_EQ(::chown(at("h.json").c_str(), 12345, 12345), 0);
  EXPECT_EQ(cause_of(append("h.json", "{}")), "foreign-owner");
  EXPECT_EQ(cause_of(append("h.json", "{}", {.replace = {.how = How::kInPlace}})), "foreign-owner");
  EXPECT_EQ(cause_of(load("h.json")), "foreign-owner");
  EXPECT_EQ(cause_of(repair("h.json")), "foreign-owner");
  EXPECT_TRUE(load_ledger(at("h.json"), Links::kRefuse, ForeignOwner::kAccept));
}

}  // namespace
}  // namespace holdfast::file
