// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_plan.h"

#include <algorithm>

#include "base/path_text.h"
#include "cli/file/ensure_entries.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/user_file.h"
#include "cli/profile/profile_args.h"
#include "cli/session/run_options.h"
#include "file/ensure/ensure.h"
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

// Its session, with variables of the environment.
Result<Profile> read_profile(const OpenProfile& at, const std::string& session) {
  return at.file.read(session,
                      {.directory = at.directory,
                       .variables = [](const std::string& name) { return os::env(name.c_str()); }});
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

namespace {

constexpr std::string_view kDoStep = "do the profile step `";

// The order itself is made later, with what was typed; here it must be right by itself.
Result<> check_run(const Context& context, const Profile& profile) {
  std::vector<ProfileOption> options = profile.run;
  options.push_back({.option = "name", .value = profile.name});
  const Args args = HF_TRY(checked_args(kRunCommand, options, profile.place, {}, profile.command));
  const auto order = run_order(context, args);
  if (!order) return fail(as_config(order.error(), profile.run, profile.place));
  return {};
}

Result<std::vector<ManifestEntry>> entries_of(const Profile& profile, file::TrustDir trust) {
  std::vector<ManifestEntry> entries = profile.ensure;
  if (profile.manifest) entries = HF_TRY(entries_of_manifest(*profile.manifest, trust));
  HF_TRY(file::resolve_owners(entries));
  return entries;
}

Result<Args> write_args(const ProfileRefresh& refresh, const ProfilePlan& plan,
                        const WriteGround& ground) {
  std::vector<ProfileOption> options = refresh.options;
  if (plan.trust == file::TrustDir::kAny) {
    options.push_back({.option = "trust-dir", .value = {}, .place = refresh.place});
  }
  Args args =
      HF_TRY(checked_args(kWriteCommand, options, refresh.place, refresh.path, refresh.command));
  const auto checked = check_write(args, ground);
  if (!checked) return fail(as_config(checked.error(), refresh.options, refresh.place));
  return args;
}

Result<LayerPlan> layers_of(const std::string& path, file::TrustDir trust) {
  const std::string text = HF_TRY(read_config_file(path, kMaxTomlBytes, trust));
  return parse_layer_plan(text, path);
}

std::string variable_of(const std::string& assignment) {
  return assignment.substr(0, assignment.find('='));
}

}  // namespace

Error in_step(std::string_view step, const std::string& subject, const Error& error) {
  return {.code = error.code,
          .op = std::string(kDoStep) + std::string(step) + "`",
          .subject = subject,
          .cause = error.cause,
          .detail = to_sentence(error),
          .os_code = error.os_code};
}

std::string step_of(const Error& error) {
  if (!error.op.starts_with(kDoStep) || !error.op.ends_with('`')) return {};
  return error.op.substr(kDoStep.size(), error.op.size() - kDoStep.size() - 1);
}

WriteGround ground_of(const ProfilePlan& plan) {
  return {.directory = plan.directory, .has_stdin = false};
}

Result<ProfilePlan> plan_profile(const Context& context, const FoundProfile& found) {
  ProfilePlan plan;
  plan.path = found.at.path;
  plan.directory = found.at.directory;
  plan.profile = HF_TRY(read_profile(found.at, found.session));
  const Profile& profile = plan.profile;
  HF_TRY(check_run(context, profile));
  plan.trust = found.at.trust;
  auto entries = entries_of(profile, plan.trust);
  if (!entries) {
    return fail(in_step("ensure", profile.manifest.value_or(profile.place), entries.error()));
  }
  plan.ensure = *std::move(entries);
  for (const ProfileRefresh& refresh : profile.refresh) {
    auto args = write_args(refresh, plan, ground_of(plan));
    if (!args) return fail(in_step("refresh", refresh.path, args.error()));
    plan.writes.push_back(*std::move(args));
  }
  if (profile.layers) {
    auto layers = layers_of(*profile.layers, plan.trust);
    if (!layers) return fail(in_step("layers", *profile.layers, layers.error()));
    plan.layers = *std::move(layers);
  }
  if (profile.gc) HF_TRY(check_profile_gc(profile));
  return plan;
}

Args run_args(const Profile& profile, const Args& typed) {
  ArgsBuilder args(kRunCommand);
  const auto was_typed = [&](const ProfileOption& option) {
    const std::vector<std::string> values = typed.texts(option.option);
    if (option.option != "env") return !values.empty();
    return std::ranges::any_of(values, [&](const std::string& value) {
      return variable_of(value) == variable_of(option.value);
    });
  };
  for (const ProfileOption& option : profile.run) {
    if (!was_typed(option)) args.option(option.option, option.value);
  }
  for (const OptionSpec& option : kRunCommand.options) {
    for (const std::string& value : typed.texts(option.name)) args.option(option.name, value);
  }
  if (!typed.text("name")) args.option("name", profile.name);
  std::vector<std::string> command = profile.command;
  command.insert(command.end(), typed.trailing().begin(), typed.trailing().end());
  return args.trailing(std::move(command)).build();
}

}  // namespace holdfast::cli
