// SPDX-License-Identifier: Apache-2.0
//
// What a writer answers to each of the bad inputs, and that `repair` makes every one of them a
// journal that is written to and verified again, without touching the damaged bytes.
#include <map>

#include "journal/read/bad_input_cases.h"
#include "journal/store/journal_fixture.h"
#include "journal/write/repair.h"

namespace holdfast::journal {
namespace {

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
