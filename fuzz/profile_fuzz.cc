// SPDX-License-Identifier: Apache-2.0
// Whatever the text: it is refused as a configuration error that names its place, or every session
// is, or its command has a first word, its paths are absolute and no word would be cut at a NUL.
#include <algorithm>
#include <cstdlib>

#include "format/session/profile.h"

using namespace holdfast;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

bool whole(const std::string& text) { return text.find('\0') == std::string::npos; }

void check_refusal(const Error& error) {
  check(error.code == ErrorCode::kConfig && !error.cause.empty());
  check(error.subject.starts_with("p.toml:"));
}

void check_options(const std::vector<ProfileOption>& options) {
  for (const ProfileOption& option : options) {
    check(!option.option.empty() && whole(option.value) && option.place.starts_with("p.toml:"));
  }
}

void check_profile(const Profile& profile) {
  check(!profile.command.empty() && !profile.command.front().empty());
  check(std::ranges::all_of(profile.command, whole));
  const auto layers = std::ranges::count(profile.command, kProfileLayersWord);
  check(profile.is_line || layers == (profile.layers ? 1 : 0));
  check(!profile.layers || profile.layers->starts_with('/'));
  check(!profile.manifest || profile.manifest->starts_with('/'));
  for (const ManifestEntry& entry : profile.ensure) check(entry.path.starts_with('/'));
  for (const ProfileRefresh& refresh : profile.refresh) {
    check(refresh.path.starts_with('/') && whole(refresh.path));
    check(std::ranges::all_of(refresh.command, whole));
    check_options(refresh.options);
  }
  check_options(profile.run);
  if (profile.gc) check_options(profile.gc->options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = ProfileFile::parse(text, "p.toml");
  if (!file) {
    check_refusal(file.error());
    return 0;
  }
  const ProfileSurroundings around{
      .directory = "/base", .variables = [](const std::string& name) -> std::optional<std::string> {
        if (name == "UNSET") return std::nullopt;
        return name == "HOME" ? "/home/me" : "v";
      }};
  for (const std::string& name : file->names()) {
    const auto profile = file->read(name, around);
    if (profile) {
      check_profile(*profile);
    } else {
      check_refusal(profile.error());
    }
  }
  return 0;
}
