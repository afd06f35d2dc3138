// SPDX-License-Identifier: Apache-2.0
#include "runtime/home_location.h"

#include <gtest/gtest.h>

#include <map>

#include "os/path/path.h"
#include "runtime/home_places.h"

namespace holdfast {
namespace {

using Variables = std::map<std::string, std::string>;
using HomeLocationSource = HomeLocation::Source;

Result<HomeLocation> locate(const std::optional<std::string>& option, const Variables& variables) {
  return locate_home(option, [&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

// As this platform spells it: on Windows with a drive.
std::string home_location_at(const std::string& path) { return *os::absolute_from_here(path); }

const char* user_home() { return home_places()[2].variable; }
std::string below(std::size_t place) { return std::string(home_places()[place].below); }

TEST(HomeLocation, TheFirstThatIsSetDecides) {
  const Variables all{{"HOLDFAST_HOME", home_location_at("/a")},
                      {"XDG_STATE_HOME", home_location_at("/b")},
                      {user_home(), home_location_at("/c")}};
  EXPECT_EQ(locate("/typed", all)->path, home_location_at("/typed"));
  EXPECT_EQ(locate({}, all)->path, home_location_at("/a"));
  EXPECT_EQ(locate({}, {{"XDG_STATE_HOME", home_location_at("/b")},
                        {user_home(), home_location_at("/c")}})
                ->path,
            home_location_at("/b") + below(1));
  const auto last = locate({}, {{user_home(), home_location_at("/c")}});
  EXPECT_EQ(last->path, home_location_at("/c") + below(2));
  EXPECT_EQ(last->source, HomeLocationSource::kUserHome);
}

TEST(HomeLocation, AnEmptyXdgVariableCountsAsUnsetButAnEmptyHomeOfOursIsAMistake) {
  EXPECT_EQ(locate({}, {{"XDG_STATE_HOME", ""}, {user_home(), home_location_at("/c")}})->source,
            HomeLocationSource::kUserHome);
  const auto empty = locate({}, {{"HOLDFAST_HOME", ""}, {user_home(), home_location_at("/c")}});
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
  for (const char* name : {"HOLDFAST_HOME", "XDG_STATE_HOME", user_home()}) {
    const auto relative = locate({}, {{name, "state"}});
    EXPECT_EQ(relative.error().code, ErrorCode::kConfig) << name;
    EXPECT_EQ(relative.error().cause, "relative-home") << name;
  }
}

TEST(HomeLocation, ATypedRelativePathStartsAtTheWorkingDirectory) {
  EXPECT_EQ(locate("x/y", {})->path, home_location_at("x/y"));
  EXPECT_EQ(locate(".", {})->path, *os::working_dir());
}

TEST(HomeLocation, TheLastComponentIsTheDirectoryItself) {
  EXPECT_EQ(locate("/srv/hf/", {})->path, home_location_at("/srv/hf"));
  EXPECT_EQ(locate("/srv/hf//./.", {})->path, home_location_at("/srv/hf"));
  for (const char* path : {"/", "/.", "", "/srv/..", "/srv/../"}) {
    const auto location = locate(path, {});
    ASSERT_FALSE(location) << path;
    EXPECT_EQ(location.error().code, ErrorCode::kUsage) << path;
  }
  EXPECT_FALSE(locate("//", {}));
}

}  // namespace
}  // namespace holdfast
