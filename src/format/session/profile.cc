// SPDX-License-Identifier: Apache-2.0
#include "format/session/profile.h"

#include <algorithm>

#include "format/text/name_escape.h"
#include "format/text/nearest.h"

namespace holdfast {
namespace {

constexpr std::string_view kBadProfile = "bad-profile";
constexpr std::string_view kProfileBadValue = "bad-value";

// One [session.NAME].
class SessionReader {
 public:
  SessionReader(const TomlTable& table, std::string file, const ProfileSurroundings& around)
      : options_(table, file, around), file_(std::move(file)), around_(around) {}

  Result<Profile> read(std::string name) {
    profile_.name = std::move(name);
    profile_.place = options_.place();
    HF_TRY(read_command());
    HF_TRY(read_run());
    HF_TRY(read_limits());
    HF_TRY(read_ensure());
    HF_TRY(read_refresh());
    HF_TRY(read_layers());
    HF_TRY(read_gc());
    HF_TRY(toml().finish());
    HF_TRY(check_together());
    profile_.run = options_.take();
    std::move(limits_.begin(), limits_.end(), std::back_inserter(profile_.run));
    return std::move(profile_);
  }

 private:
  TomlReader& toml() { return options_.toml(); }

  [[nodiscard]] std::unexpected<Error> refuse(std::string_view key, std::string_view cause,
                                              std::string_view why) {
    return fail(toml().error(key, cause, why));
  }

  Result<> read_command() {
    auto words = HF_TRY(toml().command("command"));
    if (words) profile_.command = *std::move(words);
    const TomlValue* value = toml().value("command");
    profile_.is_line = value != nullptr && std::holds_alternative<std::string>(value->value);
    return {};
  }

  Result<> read_run() {
    HF_TRY(options_.variables("env", "env"));
    HF_TRY(options_.path("chdir", "chdir"));
    HF_TRY(options_.path("stdin", "stdin"));
    HF_TRY(options_.locks("lock"));
    HF_TRY(options_.duration("lock_wait", "wait", Zero::kFine));
    HF_TRY(options_.duration("timeout", "timeout", Zero::kRefused));
    HF_TRY(options_.duration("idle_timeout", "idle-timeout", Zero::kRefused));
    HF_TRY(options_.duration("grace", "grace", Zero::kFine));
    HF_TRY(options_.text("kill_signal", "kill-signal"));
    HF_TRY(options_.text("verify", "verify"));
    HF_TRY(options_.duration("verify_timeout", "verify-timeout", Zero::kRefused));
    HF_TRY(options_.text("on_end", "on-end"));
    HF_TRY(options_.text("on_failure", "on-failure"));
    HF_TRY(options_.text("on_success", "on-success"));
    HF_TRY(options_.flag("once_per_streak", "once-per-streak", true));
    HF_TRY(options_.flag("pty", "pty", true));
    HF_TRY(options_.text("contain", "contain"));
    HF_TRY(options_.flag("log", "no-log", false));
    HF_TRY(options_.size("log_max", "log-max"));
    return options_.flag("wait_descendants", "wait-descendants", true);
  }

  Result<> read_limits() {
    const TomlTable* const table = HF_TRY(toml().table("limits"));
    if (table == nullptr) return {};
    ProfileOptionReader limits(*table, file_, around_);
    HF_TRY(limits.size("memory", "memory"));
    HF_TRY(limits.count("pids", "pids", 1));
    HF_TRY(limits.number("cpu", "cpu"));
    HF_TRY(limits.count("nofile", "nofile", 1));
    HF_TRY(limits.text("memory_fallback", "memory-fallback"));
    HF_TRY(limits.flag("best_effort", "limits-best-effort", true));
    HF_TRY(limits.toml().finish());
    limits_ = limits.take();
    return {};
  }

  Result<> read_ensure() {
    const TomlValue* value = toml().value("ensure");
    if (value == nullptr) return {};
    if (std::holds_alternative<std::string>(value->value)) {
      profile_.manifest = HF_TRY(options_.absolute("ensure"));
      return {};
    }
    if (!std::holds_alternative<TomlArray>(value->value)) {
      return refuse("ensure", "toml-type",
                    "`ensure` must be the path of a manifest, or tables like its [[path]] entries");
    }
    for (const TomlTable* table : HF_TRY(toml().tables("ensure"))) {
      profile_.ensure.push_back(
          HF_TRY(read_manifest_entry(*table, file_, around_.directory, around_.variables)));
    }
    return check_entries(profile_.ensure, file_);
  }

  Result<> read_refresh() {
    for (const TomlTable* table : HF_TRY(toml().tables("refresh"))) {
      profile_.refresh.push_back(HF_TRY(read_one_refresh(*table)));
    }
    return {};
  }

  Result<ProfileRefresh> read_one_refresh(const TomlTable& table) {
    ProfileOptionReader one(table, file_, around_);
    ProfileRefresh refresh{.place = one.place()};
    auto path = HF_TRY(one.absolute("path"));
    auto command = HF_TRY(one.toml().command("command"));
    HF_TRY(one.path("from", "from"));
    HF_TRY(one.text("check", "check"));
    HF_TRY(one.text("mode", "mode"));
    HF_TRY(one.count("backup", "backup", 0));
    HF_TRY(one.flag("allow_empty", "allow-empty", true));
    HF_TRY(one.duration("timeout", "timeout", Zero::kRefused));
    HF_TRY(one.toml().finish());
    const auto wrong = [&](std::string_view key, std::string_view cause, std::string_view why) {
      return fail(one.toml().error(key, cause, why));
    };
    if (!path) return wrong("path", "toml-missing", "`path` is missing");
    const bool from = one.toml().value("from") != nullptr;
    if (command.has_value() == from) {
      return wrong(from ? "from" : "path", kBadProfile,
                   "a file to refresh needs one of `command` and `from`, and not both");
    }
    refresh.path = *std::move(path);
    if (command) refresh.command = *std::move(command);
    refresh.options = one.take();
    return refresh;
  }

  Result<> read_layers() {
    profile_.layers = HF_TRY(options_.absolute("layers"));
    const auto format = HF_TRY(toml().text("layers_format"));
    if (!format) return {};
    if (*format != "plain" && *format != "compose") {
      return refuse("layers_format", kProfileBadValue,
                    "`layers_format` is \"plain\" or \"compose\"");
    }
    if (!profile_.layers) {
      return refuse("layers_format", kBadProfile, "`layers_format` is about `layers`");
    }
    profile_.layers_compose = *format == "compose";
    return {};
  }

  Result<> read_gc() {
    const TomlValue* value = toml().value("gc");
    if (value == nullptr) return {};
    if (const auto* on = std::get_if<bool>(&value->value)) {
      if (*on) profile_.gc.emplace();
      return {};
    }
    const auto* table = std::get_if<TomlTable>(&value->value);
    if (table == nullptr) return refuse("gc", "toml-type", "`gc` must be a table, or true");
    ProfileOptionReader gc(*table, file_, around_);
    HF_TRY(gc.texts("probe", "probe"));
    HF_TRY(gc.duration("grace", "grace", Zero::kFine));
    HF_TRY(gc.text("rescue", "rescue"));
    HF_TRY(gc.count("keep", "keep", 0));
    HF_TRY(gc.duration("max_age", "max-age", Zero::kFine));
    HF_TRY(gc.duration("trash_for", "trash-for", Zero::kFine));
    HF_TRY(gc.toml().finish());
    profile_.gc = ProfileGc{.options = gc.take()};
    return {};
  }

  // After finish(): a misspelt key is called that, and not a missing one.
  Result<> check_together() {
    if (profile_.command.empty()) return refuse("command", "toml-missing", "`command` is missing");
    const auto words = std::ranges::count(profile_.command, kProfileLayersWord);
    if (profile_.layers && profile_.is_line) {
      return refuse("command", kBadProfile,
                    "with `layers` the command is an array, with {layers} as one of its words");
    }
    if (profile_.layers && (words != 1 || profile_.command.front() == kProfileLayersWord)) {
      return refuse("command", kBadProfile,
                    "the word {layers} must stand in it once, and not as the first");
    }
    if (!profile_.layers && words != 0) {
      return refuse("command", kBadProfile,
                    "it holds the word {layers}, and there are no `layers`");
    }
    const bool pty = toml().value("pty") != nullptr && *HF_TRY(toml().flag("pty"));
    if (pty && toml().value("stdin") != nullptr) {
      return refuse("stdin", kBadProfile, "with `pty` its terminal is what the command reads");
    }
    return {};
  }

  ProfileOptionReader options_;
  std::string file_;
  const ProfileSurroundings& around_;
  std::vector<ProfileOption> limits_;
  Profile profile_;
};

Error not_there(std::string_view session, const std::string& file,
                const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::string detail = "there is no [session." + std::string(session) + "] in it";
  if (const auto near = nearest(session, known)) {
    detail += "; did you mean `" + std::string(*near) + "`?";
  } else {
    detail += "; it has";
    for (std::size_t i = 0; i < names.size(); ++i)
      detail += (i > 0 ? ", `" : " `") + names[i] + "`";
  }
  return {.code = ErrorCode::kNotFound,
          .op = "find the profile '" + std::string(session) + "' in",
          .subject = file,
          .cause = "no-such-profile",
          .detail = std::move(detail)};
}

}  // namespace

Result<ProfileFile> ProfileFile::parse(std::string_view text, std::string name) {
  const TomlTable table = HF_TRY(parse_toml(text, name));
  TomlReader top(table, name);
  const TomlTable* const sessions = HF_TRY(top.table("session"));
  if (table.find("journal") != nullptr) {
    return fail(top.error("journal", "toml-unknown-key",
                          "`journal` is reserved; this version has no settings of the journal"));
  }
  HF_TRY(top.finish());
  if (sessions == nullptr || sessions->entries.empty()) {
    return fail(top.error("session", "toml-missing", "there is no [session.NAME] in it"));
  }
  const TomlReader inner(*sessions, name);
  for (const auto& [session, value] : sessions->entries) {
    if (!std::holds_alternative<TomlTable>(value.value)) {
      return fail(inner.error(session, "toml-type",
                              "`" + session +
                                  "` must be a table: [session.NAME] with the NAME of "
                                  "the session"));
    }
    const auto escaped = escape_name(session, platform_name_rules());
    if (!escaped) return fail(inner.error(session, "bad-name", escaped.error().detail));
  }
  return ProfileFile(*sessions, std::move(name));
}

std::vector<std::string> ProfileFile::names() const {
  std::vector<std::string> all;
  for (const TomlEntry& entry : sessions_.entries) all.push_back(entry.key);
  return all;
}

bool ProfileFile::has(std::string_view session) const { return sessions_.find(session) != nullptr; }

Result<Profile> ProfileFile::read(std::string_view session,
                                  const ProfileSurroundings& around) const {
  const TomlValue* value = sessions_.find(session);
  if (value == nullptr) return fail(not_there(session, name_, names()));
  return SessionReader(std::get<TomlTable>(value->value), name_, around).read(std::string(session));
}

}  // namespace holdfast
