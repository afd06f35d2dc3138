// SPDX-License-Identifier: Apache-2.0
//
// A profile: how one session is run, as TOML. It says what command lines would say: every key of a
// step stands for an option of the command that does the step, so there is one meaning for both.
//
//   [session.agent]
//   command = ["./agent", "{layers}"]   # words, no shell; a string is a line for `/bin/sh -c`
//   env = { MODE = "fix", CACHE = "${HOME}/cache" }
//   chdir = "work"                      # stdin likewise: relative to the profile's directory
//   lock = "repo"                       # or an array; lock_wait = "10s"
//   timeout = "1h"                      # idle_timeout, grace, kill_signal, verify, verify_timeout,
//                                       # on_end, on_failure, on_success, once_per_streak, pty, log,
//                                       # log_max, wait_descendants: as in `run`
//   limits = { memory = "2G", memory_fallback = "rlimit", pids = 500, cpu = 1.5, nofile = 1024,
//              best_effort = true }
//   ensure = "paths.toml"               # a manifest, or [[session.agent.ensure]] tables like its
//                                       # [[path]] entries
//   layers = "layers.toml"              # its words stand in place of the word {layers} of
//   `command` layers_format = "compose"           # or "plain" gc = { probe = "./live", grace =
//   "5m", rescue = "./save", keep = 3, max_age = "1d",
//          trash_for = "1d" }           # or `true`
//   [[session.agent.refresh]]           # a file that is replaced as `holdfast write` does
//   path = "config.json"
//   command = ["./make-config"]         # or from = "config.in"
//   check = "json"                      # mode, backup, allow_empty, timeout
//
// A duration is text ("1h", "0.5s") or a whole number of seconds, a size text ("2G") or a whole
// number of bytes. In paths and in the values of `env`, `~` and `${VAR}` are expanded (expand.h).
//
// Guarantees: every path is absolute; commands have a first word; no word holds a NUL byte; the
// word {layers} is in the command exactly once, and not first, if and only if there are `layers`.
// One session's faults do not keep another of the same file from being read.
//
// Limit: of values that have rules of their own (a signal's name, a mode, a share of a processor)
// only the type is known here. Each option keeps its place, for who checks it.
//
// Errors: kConfig with NAME:LINE:COLUMN: those of toml.h, expand.h and manifest.h; `bad-value`,
// `bad-profile` (keys that do not go together), `bad-name`. kNotFound `no-such-profile`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/file/manifest.h"
#include "format/text/expand.h"
#include "format/text/toml.h"

namespace holdfast {

// One option of a command, as it would be typed; the value of a flag is empty.
struct ProfileOption {
  std::string option{};  // without dashes
  std::string value{};
  std::string place{};  // NAME:LINE:COLUMN of its key

  bool operator==(const ProfileOption&) const = default;
};

struct ProfileRefresh {
  std::string path{};                    // absolute
  std::vector<std::string> command{};    // the producer; empty where there is the option `from`
  std::vector<ProfileOption> options{};  // of `write`
  std::string place{};
};

struct ProfileGc {
  std::vector<ProfileOption> options{};  // of `gc`
};

struct Profile {
  std::string name{};
  std::string place{};                 // of its table
  std::vector<std::string> command{};  // a line is shell_words(LINE)
  bool is_line = false;
  std::vector<ProfileOption> run{};       // options of `run`
  std::optional<std::string> manifest{};  // its path; or
  std::vector<ManifestEntry> ensure{};    // what a manifest would declare
  std::vector<ProfileRefresh> refresh{};  // in the order of the text
  std::optional<std::string> layers{};    // the path of the plan
  bool layers_compose = false;
  std::optional<ProfileGc> gc{};
};

inline constexpr std::string_view kProfileLayersWord = "{layers}";

// Where a file lies, and what its variables are.
struct ProfileSurroundings {
  std::string directory{};  // absolute; relative paths start there
  VariableLookup variables{};
};

class ProfileFile {
 public:
  // `name` is for messages.
  static Result<ProfileFile> parse(std::string_view text, std::string name);

  // Of its sessions, in the order of the text; at least one.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool has(std::string_view session) const;
  [[nodiscard]] Result<Profile> read(std::string_view session,
                                     const ProfileSurroundings& around) const;

 private:
  ProfileFile(TomlTable sessions, std::string name)
      : sessions_(std::move(sessions)), name_(std::move(name)) {}

  TomlTable sessions_;
  std::string name_;
};

// ProfileOptionReader: keys of a TOML table as options of a command. Every call asks for one key,
// and adds the option where the key is there. Errors: as above.
class ProfileOptionReader {
 public:
  ProfileOptionReader(const TomlTable& table, std::string file, const ProfileSurroundings& around)
      : toml_(table, file), file_(std::move(file)), around_(around) {}

  Result<> text(std::string_view key, std::string_view option);
  Result<> path(std::string_view key, std::string_view option);
  Result<> duration(std::string_view key, std::string_view option, Zero zero);
  Result<> size(std::string_view key, std::string_view option);
  Result<> count(std::string_view key, std::string_view option, std::int64_t least);
  Result<> number(std::string_view key, std::string_view option);  // also a float, or text
  Result<> flag(std::string_view key, std::string_view option, bool when);
  // A string, or an array of them: the option once for each.
  Result<> texts(std::string_view key, std::string_view option);
  // As texts, for names of locks: one that is a relative path is one of the file's directory.
  Result<> locks(std::string_view key);
  // A table of strings, expanded: `NAME=VALUE` for each.
  Result<> variables(std::string_view key, std::string_view option);

  // The absolute path that a key means; none where it is not there.
  Result<std::optional<std::string>> absolute(std::string_view key);

  [[nodiscard]] TomlReader& toml() { return toml_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::string place() const {
    return toml_place(file_, toml_.line(), toml_.column());
  }
  [[nodiscard]] std::vector<ProfileOption> take() { return std::move(options_); }

 private:
  void add(std::string_view option, std::string value, const TomlValue& from);
  Result<std::string> expanded(std::string_view key, const std::string& text) const;

  TomlReader toml_;
  std::string file_;
  const ProfileSurroundings& around_;
  std::vector<ProfileOption> options_;
};

}  // namespace holdfast
