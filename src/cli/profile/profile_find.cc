// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_find.h"

#include <algorithm>

#include "base/path_text.h"
#include "cli/frame/command_line.h"
#include "cli/frame/user_file.h"
#include "os/spawn/env.h"

namespace holdfast::cli {
namespace {

constexpr const char* kHere = "holdfast.toml";

bool is_file(std::string_view value) {
  return std::ranges::any_of(value, is_separator) || value.ends_with(".toml");
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

std::optional<std::string> set_variable(const char* name) {
  auto value = os::env(name);
  if (value && value->empty()) value.reset();
  return value;
}

// None where no variable says where it would be.
Result<std::optional<std::string>> config_path() {
  for (const auto& [variable, below] : {std::pair("XDG_CONFIG_HOME", "/holdfast/config.toml"),
                                        std::pair("HOME", "/.config/holdfast/config.toml")}) {
    const auto value = set_variable(variable);
    if (!value) continue;
    if (is_absolute_path(*value)) return *value + below;
    return fail({.code = ErrorCode::kConfig,
                 .op = "look for profiles in",
                 .subject = std::string("$") + variable,
                 .cause = "relative-path",
                 .detail = "'" + *value + "' is not an absolute path"});
  }
  return std::nullopt;
}

// A file that was not named but found is run only if this user could have put it there: in a
// directory that others write to, anybody may leave a holdfast.toml.
Result<> check_found(const std::string& path) {
  const auto at = locate_file(path);
  if (!at) return {};  // reading it will say so
  const auto file = at->dir.open_file(at->name, os::Access::kRead);
  if (!file || !*file) return {};
  const os::FileInfo info = HF_TRY((*file)->info());
  const os::Exposure exposure = HF_TRY((*file)->exposure());
  constexpr std::uint32_t kWritableByAll = 0002;
  const bool foreign = exposure.owner == os::Exposure::Owner::kOther;
  if (!foreign && (info.mode & kWritableByAll) == 0) return {};
  return fail(
      {.code = ErrorCode::kRefused,
       .op = "use the profile",
       .subject = path,
       .cause = foreign ? "foreign-owner" : "writable-by-others",
       .detail = std::string(foreign ? "it belongs to another user" : "everybody may write to it") +
                 "; name the file (./holdfast.toml) if you mean it"});
}

// Says in `looked` what it saw where it does not find it.
Result<std::optional<FoundProfile>> look_in(const std::string& path, const std::string& session,
                                            std::string& looked) {
  HF_TRY(check_found(path));
  auto opened = open_profile(path);
  const std::string shown = opened ? opened->path : absolute_path(path).value_or(path);
  if (!opened && opened.error().code != ErrorCode::kNotFound) return fail(opened.error());
  if (opened && opened->file.has(session)) {
    return FoundProfile{.at = *std::move(opened), .session = session};
  }
  looked += (looked.empty() ? "" : ", and in ") + shown +
            (opened ? ", which has " + list_of(opened->file.names()) : ", which is not there");
  return std::nullopt;
}

Result<FoundProfile> by_name(const std::string& session) {
  std::string looked;
  if (auto found = HF_TRY(look_in(kHere, session, looked))) return *std::move(found);
  const auto config = HF_TRY(config_path());
  if (config) {
    if (auto found = HF_TRY(look_in(*config, session, looked))) return *std::move(found);
  } else {
    looked += "; neither XDG_CONFIG_HOME nor HOME says where there could be a config.toml";
  }
  return fail({.code = ErrorCode::kNotFound,
               .op = "find the profile",
               .subject = "'" + session + "'",
               .cause = "no-such-profile",
               .detail = "there is no [session." + session + "] in " + looked});
}

}  // namespace

Result<OpenProfile> open_profile(const std::string& path) {
  const std::string text = HF_TRY(read_user_file(path, kMaxTomlBytes));
  ProfileFile file = HF_TRY(ProfileFile::parse(text, path));
  std::string directory = HF_TRY(directory_of_file(path));
  std::string whole = join_path(directory, last_component(path));
  return OpenProfile{
      .file = std::move(file), .path = std::move(whole), .directory = std::move(directory)};
}

Result<FoundProfile> find_profile(const std::string& value,
                                  const std::optional<std::string>& name) {
  if (!is_file(value)) {
    if (!name) return by_name(value);
    return fail(usage_error(
        "which-session", "use the profile", "'" + value + "'",
        "it is a name, and '" + *name + "' is another; a file has a slash in it or ends in .toml"));
  }
  OpenProfile at = HF_TRY(open_profile(value));
  if (name) return FoundProfile{.at = std::move(at), .session = *name};
  const std::vector<std::string> names = at.file.names();
  if (names.size() == 1) return FoundProfile{.at = std::move(at), .session = names.front()};
  return fail(usage_error("which-session", "use the profile", "'" + value + "'",
                          "it has " + list_of(names) + "; say which, after the file"));
}

Result<Profile> read_profile(const OpenProfile& at, const std::string& session) {
  return at.file.read(session,
                      {.directory = at.directory,
                       .variables = [](const std::string& name) { return os::env(name.c_str()); }});
}

}  // namespace holdfast::cli
