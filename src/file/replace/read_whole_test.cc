// SPDX-License-Identifier: Apache-2.0
#include "file/replace/read_whole.h"

#include <atomic>
#include <thread>

#include "file/replace/file_fixture.h"
#include "testing/platform.h"

namespace holdfast::file {
namespace {

class ReadWhole : public FileFixture {
 protected:
  Result<std::string> read(std::string_view name, ReadOptions options = {.max = 1U << 20U}) {
    return read_whole(at(name), options);
  }
};

TEST_F(ReadWhole, AllOfTheBytesAndNothingElse) {
  put("f", std::string_view("a\0b\r\n", 5));
  EXPECT_EQ(read("f"), std::string("a\0b\r\n", 5));
  put("empty", "");
  EXPECT_EQ(read("empty"), "");
  EXPECT_EQ(cause_of(read("f", {.max = 4})), "too-large");
  EXPECT_EQ(code_of(read("absent")), ErrorCode::kNotFound);
}

TEST_F(ReadWhole, LinksAreFollowedOnlyWhereThatWasAsked) {
  put("real", "x");
  if (!testing::make_file_link(at("real"), at("link"))) GTEST_SKIP() << "no links to files here";
  EXPECT_EQ(cause_of(read("link")), "is-link");
  EXPECT_EQ(cause_of(read("link", {.links = Links::kReplace, .max = 9})), "is-link");
  if (!tmp_.dir().read_link(*os::SafeName::make("link"))) GTEST_SKIP() << "links are not read here";
  EXPECT_EQ(read("link", {.links = Links::kFollow, .max = 9}), "x");
}

TEST_F(ReadWhole, AnUndoFileMeansThatNobodyCanTell) {
  put("f", "half of the new, half of the o");
  put(".f.hf-undo", "whatever");
  const auto answer = read("f");
  EXPECT_EQ(code_of(answer), ErrorCode::kCannotTell);
  EXPECT_EQ(cause_of(answer), "write-in-place-unfinished");
}

TEST_F(ReadWhole, ReadersBesideAWriterInPlaceNeverSeeAMixture) {
  constexpr std::size_t kSize = 200'000;
  const std::string a(kSize, 'a');
  const std::string b(kSize, 'b');
  put("f", a);
  std::atomic<bool> over = false;
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) {
      const auto done = replace(at("f"), i % 2 == 0 ? b : a,
                                {.durability = Durability::kNone, .how = How::kInPlace});
      EXPECT_TRUE(done) << to_sentence(done.error());
    }
    over = true;
  });
  while (!over) {
    const auto text = read("f");
    if (text) {
      EXPECT_TRUE(*text == a || *text == b) << "a mixture of " << text->size() << " bytes";
    } else {
      EXPECT_TRUE(code_of(text) == ErrorCode::kCannotTell || code_of(text) == ErrorCode::kBusy)
          << to_sentence(text.error());
    }
  }
  writer.join();
}

}  // namespace
}  // namespace holdfast::file
