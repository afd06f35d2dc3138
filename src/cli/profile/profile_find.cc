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

// Says in `looked` what it saw where it does not find it.
Result<std::optional<FoundProfile>> look_in(const std::string& path, const std::string& session,
                                            file::TrustDir trust, std::string& looked) {
  auto opened = open_profile(path, trust);
  const std::string shown = opened ? opened->path : absolute_path(path).value_or(path);
  if (!opened && opened.error().code != ErrorCode::kNotFound) return fail(opened.error());
  if (opened && opened->file.has(session)) {
    return FoundProfile{.at = *std::move(opened), .session = session};
  }
  looked += (looked.empty() ? "" : ", and in ") + shown +
            (opened ? ", which has " + list_of(opened->file.names()) : ", which is not there");
  return std::nullopt;
}

Result<FoundProfile> by_name(const std::string& session, file::TrustDir trust) {
  std::string looked;
  if (auto found = HF_TRY(look_in(kHere, session, trust, looked))) return *std::move(found);
  const auto config = HF_TRY(config_path());
  if (config) {
    if (auto found = HF_TRY(look_in(*config, session, trust, looked))) return *std::move(found);
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

Result<OpenProfile> open_profile(const std::string& path, file::TrustDir trust) {
  const std::string text = HF_TRY(read_config_file(path, kMaxTomlBytes, trust));
  ProfileFile file = HF_TRY(ProfileFile::parse(text, path));
  std::string directory = HF_TRY(directory_of_file(path));
  std::string whole = join_path(directory, last_component(path));
  return OpenProfile{.file = std::move(file),
                     .path = std::move(whole),
                     .directory = std::move(directory),
                     .trust = trust};
}

Result<FoundProfile> find_profile(const std::string& value, const std::optional<std::string>& name,
                                  file::TrustDir trust) {
  if (!is_file(value)) {
    if (!name) return by_name(value, trust);
    return fail(usage_error(
        "which-session", "use the profile", "'" + value + "'",
        "it is a name, and '" + *name + "' is another; a file has a slash in it or ends in .toml"));
  }
  OpenProfile at = HF_TRY(open_profile(value, trust));
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
