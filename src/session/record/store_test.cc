// SPDX-License-Identifier: Apache-2.0
#include "session/record/store.h"

#include <sys/stat.h>

#include "session/record/session_fixture.h"

namespace holdfast::session {
namespace {

class Store : public SessionFixture {
 protected:
  // What reading the record says that lies there now.
  std::string cause() {
    const auto dir = store_.find("fix-160");
    if (!dir) return dir.error().cause;
    const auto record = (*dir)->read();
    return record ? (*record ? "read" : "none") : record.error().cause;
  }
  ErrorCode code() {
    const auto record = make().read();
    EXPECT_FALSE(record);
    return record ? ErrorCode::kInternal : record.error().code;
  }
};

TEST_F(Store, RecordIsReadAsItWasWritten) {
  const SessionDir dir = make();
  EXPECT_EQ(*dir.read(), std::nullopt);
  SessionRecord record = small_session();
  for (const auto durability : {os::Durability::kNone, os::Durability::kFull}) {
    record.number += 1;
    ASSERT_TRUE(dir.write(record, durability));
    EXPECT_TRUE(*dir.read() == record);
  }
  struct stat info{};
  ASSERT_EQ(::stat(path("session.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0600U);
  ASSERT_EQ(::stat(path("").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0700U);
}

TEST_F(Store, NamesThatAreNoFileNamesAreEscaped) {
  for (const char* name : {"a/b", "..", ".hidden", "%", "gr\xc3\xbcn \xff"}) {
    EXPECT_EQ(store_.find(name)->has_value(), false) << name;
    ASSERT_TRUE(store_.find_or_make(name));
    EXPECT_EQ((*store_.find(name))->name(), name);
  }
  EXPECT_EQ(store_.find("").error().code, ErrorCode::kUsage);
  EXPECT_EQ(store_.find(std::string(129, 'x')).error().code, ErrorCode::kUsage);
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tmp_.path())) {
    EXPECT_TRUE(entry.is_directory());
    ++entries;
  }
  EXPECT_EQ(entries, 5U);
}

TEST_F(Store, WhatIsNoPlainFileOfOursIsRefusedAndNotRead) {
  const SessionDir dir = make();
  const std::string record = encode_session_record(small_session());
  std::ofstream(tmp_.path() + "/other") << record;
  std::filesystem::create_symlink(tmp_.path() + "/other", path("session.json"));
  EXPECT_EQ(cause(), "is-link");
  std::filesystem::remove(path("session.json"));
  ASSERT_EQ(::mkfifo(path("session.json").c_str(), 0600), 0);
  EXPECT_EQ(cause(), "not-a-regular-file");
  EXPECT_EQ(code(), ErrorCode::kRefused);
  std::filesystem::remove(path("session.json"));
  std::filesystem::create_directory(path("session.json"));
  EXPECT_EQ(cause(), "not-a-regular-file");
  std::filesystem::remove(path("session.json"));
  std::filesystem::create_hard_link(tmp_.path() + "/other", path("session.json"));
  EXPECT_EQ(cause(), "hard-linked");
  std::filesystem::remove(path("session.json"));
  put("session.json", record);
  ASSERT_EQ(::chmod(path("session.json").c_str(), 0622), 0);
  EXPECT_EQ(cause(), "writable-by-others");
  ASSERT_EQ(::chmod(path("session.json").c_str(), 0600), 0);
  EXPECT_EQ(cause(), "read");
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(path("session.json").c_str(), 65534, 65534), 0);
    EXPECT_EQ(cause(), "foreign-owner");
    EXPECT_EQ(code(), ErrorCode::kRefused);
  }
}

TEST_F(Store, DirectoryOfOthersIsRefused) {
  std::filesystem::create_directory(tmp_.path() + "/real");
  std::filesystem::create_symlink("real", tmp_.path() + "/fix-160");
  EXPECT_EQ(cause(), "is-link");
  EXPECT_FALSE(store_.find_or_make("fix-160"));
  std::filesystem::remove(tmp_.path() + "/fix-160");
  ASSERT_TRUE(store_.find_or_make("fix-160"));
  ASSERT_EQ(::chmod(path("").c_str(), 0777), 0);
  EXPECT_EQ(cause(), "writable-by-others");
  EXPECT_FALSE(store_.find_or_make("fix-160"));
}

TEST_F(Store, UnreadableIsNeverNoSession) {
  const SessionDir dir = make();
  put("session.json", "");
  ASSERT_EQ(::chmod(path("session.json").c_str(), 0600), 0);
  EXPECT_EQ(code(), ErrorCode::kCorrupt);
  put("session.json", R"({"v":2,"kind":"holdfast-session"})");
  EXPECT_EQ(code(), ErrorCode::kCannotTell);
  SessionRecord other = small_session();
  other.name = "other";
  put("session.json", encode_session_record(other));
  EXPECT_EQ(cause(), "other-session");
}

TEST_F(Store, RecordThatNobodyCouldReadAgainIsNotWritten) {
  const SessionDir dir = make();
  ASSERT_TRUE(dir.write(small_session(), os::Durability::kNone));
  SessionRecord large = small_session();
  large.order.command.emplace_back(kMaxSessionRecordBytes, 'x');
  const auto written = dir.write(large, os::Durability::kNone);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().cause, "too-large");
  EXPECT_TRUE(*dir.read() == small_session());
}

TEST_F(Store, ListHidesNothingThatHasTheNameOfASession) {
  ASSERT_TRUE(make().write(small_session(), os::Durability::kNone));
  ASSERT_TRUE(store_.find_or_make("a/b"));
  std::filesystem::create_directory(tmp_.path() + "/bad");
  std::ofstream(tmp_.path() + "/bad/session.json") << "{";
  std::filesystem::create_symlink("fix-160", tmp_.path() + "/link");
  std::ofstream(tmp_.path() + "/.hf-stage-x") << "";
  std::filesystem::create_directory(tmp_.path() + "/%zz");
  const auto listed = *store_.list();
  ASSERT_EQ(listed.size(), 4U);
  EXPECT_EQ(listed[0].name, "a/b");
  EXPECT_EQ(*listed[0].record, std::nullopt);
  EXPECT_EQ(listed[1].name, "bad");
  EXPECT_EQ(listed[1].record.error().code, ErrorCode::kCorrupt);
  EXPECT_TRUE(*listed[2].record == small_session());
  EXPECT_EQ(listed[3].record.error().cause, "is-link");
}

// Linux only: under Wine, which has no rename with POSIX semantics, a reader that has the old log
// open keeps it from being replaced.
TEST_F(Archive, AFollowerGoesThroughRotationsAndLosesNothing) {
  write(1);
  append("a");
  auto log = *LogReader::open(dir_, 1);
  EXPECT_EQ(drain(*log), "a");
  append("b");
  rotate();  // written and rotated since the last look
  EXPECT_EQ(drain(*log), "b");
  EXPECT_EQ(drain(*log), "");  // there is no out.log yet
  append("c");
  EXPECT_EQ(drain(*log), "c");
  EXPECT_FALSE(log->overtaken());
  rotate();
  append("d");
  rotate();
  append("e");
  EXPECT_EQ(drain(*log), "de");
  EXPECT_TRUE(log->overtaken());  // it might have been more than that
}

}  // namespace
}  // namespace holdfast::session
