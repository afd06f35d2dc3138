// SPDX-License-Identifier: Apache-2.0
#include "file/replace/file_fixture.h"

#include "base/path_text.h"
#include "os/dir/dir_metadata.h"
#include "os/file/metadata.h"

namespace holdfast::file {
namespace {

constexpr std::uint32_t kForOthers = 077;

struct Place {
  os::Dir dir;
  os::SafeName name;
};

Place place_of(const std::string& path) {
  return {.dir = os::Dir::open(std::string(parent_path(path))).value(),
          .name = os::SafeName::make(last_component(path)).value()};
}

Result<std::uint32_t> shown(const std::string& path, std::uint32_t wanted) {
  const Place place = place_of(path);
  const auto info = HF_TRY(place.dir.info(place.name));
  if (!info) return 0U;
  return os::shown_mode(place.dir, place.name, *info, wanted);
}

}  // namespace

// A new file has what its directory passes on already.
void give_mode(const std::string& path, std::uint32_t mode) {
  if ((mode & kForOthers) != 0) return;
  const Place place = place_of(path);
  if (auto file = place.dir.open_file(place.name, os::Access::kRead); file && *file) {
    ASSERT_TRUE((*file)->set_mode(mode));
    return;
  }
  const auto dir = place.dir.open_dir(place.name);
  ASSERT_TRUE(dir && os::set_mode(*dir, mode)) << path;
}

bool ModeOf::operator==(std::uint32_t mode) const {
  const auto found = shown(path_, mode);
  return found && *found == mode;
}

std::string ModeOf::text() const {
  const auto found = shown(path_, 0600);
  return found ? std::to_string(*found) : found.error().detail;
}

}  // namespace holdfast::file
