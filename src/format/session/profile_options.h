// SPDX-License-Identifier: Apache-2.0
//
// ProfileOptionReader: keys of a TOML table as options of a command. Every call asks for one key,
// and adds the option where the key is there. Errors: as in profile.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/session/profile.h"
#include "format/text/toml.h"

namespace holdfast {

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
