// SPDX-License-Identifier: Apache-2.0
//
// Args: the checked command line of one command. Values were validated against the CommandSpec
// before run() is called, so the typed getters cannot fail; asking for an option that the command
// does not declare is a programming fault and aborts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace holdfast::cli {

class Args {
 public:
  [[nodiscard]] bool flag(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view option) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view option) const;  // in typed order
  [[nodiscard]] std::optional<Duration> duration(std::string_view option) const;
  [[nodiscard]] std::optional<std::uint64_t> size(std::string_view option) const;
  [[nodiscard]] std::optional<std::uint64_t> integer(std::string_view option) const;

  // Positional arguments in order.
  [[nodiscard]] const std::vector<std::string>& arguments() const { return arguments_; }
  // What followed `--`, byte for byte.
  [[nodiscard]] const std::vector<std::string>& trailing() const { return trailing_; }

 private:
  friend class ArgsBuilder;  // args_builder.h: the parser and tests of commands

  const std::vector<std::string>& values_of(std::string_view option) const;

  // Every declared option has an entry; an empty list means that it was not typed.
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> arguments_;
  std::vector<std::string> trailing_;
};

}  // namespace holdfast::cli
