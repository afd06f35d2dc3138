// SPDX-License-Identifier: Apache-2.0
#include "runtime/home_location.h"

#include <gtest/gtest.h>

#include <map>

#include "os/working_dir.h"

namespace holdfast {
namespace {

using Variables = std::map<std::string, std::string>;
using Source = HomeLocation::Source;

Result<HomeLocation> locate(const std::optional<std::string>& option, const Variables& variables) {
  return locate_home(option, [&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

const Variables kAll{{"HOLDFAST_HOME", "/a"}, {"XDG_STATE_HOME", "/b"}, {"HOME", "/c"}};

TEST(HomeLocation, TheFirstThatIsSetDecides) {
  EXPECT_EQ(locate("/typed", kAll)->path, "/typed");
  EXPECT_EQ(locate({}, kAll)->path, "/a");
  EXPECT_EQ(locate({}, {{"XDG_STATE_HOME", "/b"}, {"HOME", "/c"}})->path, "/b/holdfast");
  const auto last = locate({}, {{"HOME", "/c"}});
  EXPECT_EQ(last->path, "/c/.local/state/holdfast");
  EXPECT_EQ(last->source, Source::kUserHome);
}

TEST(HomeLocation, AnEmptyXdgVariableCountsAsUnsetButAnEmptyHomeOfOursIsAMistake) {
  EXPECT_EQ(locate({}, {{"XDG_STATE_HOME", ""}, {"HOME", "/c"}})->source, Source::kUserHome);
  const auto empty = locate({}, {{"HOLDFAST_HOME", ""}, {"HOME", "/c"}});
  EXPECT_EQ(empty.error().code, ErrorCode::kConfig);
  EXPECT_EQ(empty.error().cause, "empty-home");
}

TEST(HomeLocation, NothingSetIsAConfigurationErrorThatSaysWhatToSet) {
  const auto none = locate({}, {});
  EXPECT_EQ(none.error().code, ErrorCode::kConfig);
  EXPECT_EQ(none.error().cause, "no-home");
  EXPECT_NE(none.error().detail.find("HOLDFAST_HOME"), std::string::npos);
}

TEST(HomeLocation, ARelativeVariableIsRefusedAndDoesNotFallThrough) {
  for (const char* name : {"HOLDFAST_HOME", "XDG_STATE_HOME", "HOME"}) {
    const auto relative = locate({}, {{name, "state"}});
    EXPECT_EQ(relative.error().code, ErrorCode::kConfig) << name;
    EXPECT_EQ(relative.error().cause, "relative-home") << name;
  }
}

TEST(HomeLocation, ATypedRelativePathStartsAtTheWorkingDirectory) {
  EXPECT_EQ(locate("x/y", {})->path, *os::working_dir() + "/x/y");
  EXPECT_EQ(locate(".", {})->path, *os::working_dir());
}

TEST(HomeLocation, TheLastComponentIsTheDirectoryItself) {
  EXPECT_EQ(locate("/srv/hf/", {})->path, "/srv/hf");
  EXPECT_EQ(locate("/srv/hf//./.", {})->path, "/srv/hf");
  for (const char* path : {"/", "//", "/.", "", "/srv/..", "/srv/../"}) {
    const auto location = locate(path, {});
    ASSERT_FALSE(location) << path;
    EXPECT_EQ(location.error().code, ErrorCode::kUsage) << path;
  }
}

}  // namespace
}  // namespace holdfast
