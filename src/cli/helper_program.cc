// SPDX-License-Identifier: Apache-2.0
#include "cli/helper_program.h"

#include "base/path_text.h"
#include "os/dir.h"
#include "os/program.h"

namespace holdfast::cli {
namespace {

bool is_installed_place(std::string_view place) {
  const std::string_view holdfast = parent_path(place);
  return last_component(holdfast) == "holdfast" &&
         last_component(parent_path(holdfast)) == "libexec";
}

// `thing` is an open directory or file.
template <typename Thing>
Result<> check_owner_and_writers(const Thing& thing, const std::string& path) {
  const os::Exposure exposure = HF_TRY(thing.exposure());
  const bool foreign = exposure.owner == os::Exposure::Owner::kOther;
  if (!foreign && exposure.others != os::Exposure::Others::kWrite) return {};
  return fail({.code = ErrorCode::kRefused,
               .op = "trust the helper program below",
               .subject = path,
               .cause = "unsafe-helper",
               .detail = foreign ? "it belongs to another user; install holdfast where only you "
                                   "or root can write"
                                 : "others may write to it; after making sure that nothing in it "
                                   "was tampered with, run: chmod go-w " +
                                       path});
}

Result<> check_place(const std::string& place) {
  const std::string path(parent_path(place));
  if (is_installed_place(place)) {
    const std::string libexec(parent_path(path));
    HF_TRY(check_owner_and_writers(HF_TRY(os::Dir::open(libexec)), libexec));
  }
  const os::Dir dir = HF_TRY(os::Dir::open(path));
  HF_TRY(check_owner_and_writers(dir, path));
  const auto name = HF_TRY(os::SafeName::make(last_component(place)));
  const auto file = HF_TRY(dir.open_file(name, os::Access::kRead));
  if (!file) return {};  // it went away; starting it will say so
  return check_owner_and_writers(*file, place);
}

}  // namespace

std::vector<std::string> helper_places(std::string_view program, std::string_view name) {
  const std::string_view dir = parent_path(program);
  std::vector<std::string> places{join_path(dir, name)};
  if (last_component(dir) == "bin") {
    places.insert(places.begin(),
                  join_path(join_path(join_path(parent_path(dir), "libexec"), "holdfast"), name));
  }
  return places;
}

Result<std::string> find_helper_of(std::string_view program, std::string_view name) {
  std::string tried;
  for (const std::string& place : helper_places(program, name)) {
    if (HF_TRY(os::is_executable_file(place))) {
      HF_TRY(check_place(place));
      return place;
    }
    tried += (tried.empty() ? "" : " and not at ") + place;
  }
  return fail({.code = ErrorCode::kNotFound,
               .op = "find the helper program",
               .subject = std::string(name),
               .cause = "no-helper",
               .detail = "it is not at " + tried + "; is holdfast installed whole?"});
}

Result<std::string> find_helper(std::string_view name) {
  const std::string program = HF_TRY(os::own_program_path());
  return find_helper_of(program, name);
}

}  // namespace holdfast::cli
