// SPDX-License-Identifier: Apache-2.0
#include "runtime/home_location.h"

#include "base/path_text.h"
#include "os/path/path.h"
#include "runtime/home_places.h"

namespace holdfast {
namespace {

using Source = HomeLocation::Source;

std::unexpected<Error> home_location_refused(ErrorCode code, std::string_view subject,
                                             std::string_view cause, std::string_view detail) {
  return fail({.code = code,
               .op = "locate the home",
               .subject = std::string(subject),
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

// Drops trailing "/" and "/." so that the last component is the directory itself: opening "link/"
// or "link/." would follow the link that we want to refuse.
std::string without_end_dots(std::string path) {
  for (;;) {
    path = without_trailing_separators(path);
    if (last_component(path) != "." || is_root_path(path)) return path;
    path.pop_back();
  }
}

Result<HomeLocation> checked(std::string path, Source source) {
  if (path.find('\0') != std::string::npos) {
    return home_location_refused(ErrorCode::kUsage, to_text(source), "bad-home",
                                 "the path holds a NUL byte");
  }
  path = without_end_dots(HF_TRY(os::absolute_from_here(path)));
  if (is_root_path(path) || last_component(path) == "..") {
    return home_location_refused(ErrorCode::kUsage, path, "bad-home",
                                 "name the directory itself, not the root and not by a final '..'");
  }
  return HomeLocation{.path = std::move(path), .source = source};
}

}  // namespace

std::string_view to_text(Source source) { return to_text_here(source); }

Result<HomeLocation> locate_home(const std::optional<std::string>& option, const EnvLookup& env) {
  if (option) {
    if (option->empty()) {
      return home_location_refused(ErrorCode::kUsage, "--home", "bad-home", "the path is empty");
    }
    return checked(*option, Source::kOption);
  }
  for (const HomePlace& place : home_places()) {
    const auto value = env(place.variable);
    if (!value) continue;
    if (value->empty() && place.source != Source::kVariable) continue;
    if (value->empty()) {
      return home_location_refused(
          ErrorCode::kConfig, "$HOLDFAST_HOME", "empty-home",
          "it is set but empty, which would quietly mean another home; set it or unset it");
    }
    if (!is_absolute_path(*value)) {
      return home_location_refused(
          ErrorCode::kConfig, "$" + std::string(place.variable), "relative-home",
          "it holds the relative path '" + *value +
              "', which means another place in every directory; make it absolute");
    }
    return checked(*value + std::string(place.below), place.source);
  }
  const auto places = home_places();
  return home_location_refused(ErrorCode::kConfig, "", "no-home",
                               "neither --home nor " + std::string(places[0].variable) + ", " +
                                   places[1].variable + " or " + places[2].variable +
                                   " is set; name a directory with --home or HOLDFAST_HOME");
}

}  // namespace holdfast
