// SPDX-License-Identifier: Apache-2.0
//
// Args: the checked command line of one command. Values were validated against the CommandSpec
// before run() is called, so the typed getters cannot fail; asking for an option that the command
// does not declare is a programming fault and aborts.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/frame/command.h"

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
  friend class ArgsBuilder;  // args.h: the parser and tests of commands

  const std::vector<std::string>& values_of(std::string_view option) const;

  // Every declared option has an entry; an empty list means that it was not typed.
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> arguments_;
  std::vector<std::string> trailing_;
};

// ArgsBuilder makes the Args of one command: the parser from a command line, and a command's unit
// test by hand:
//
//   const Args args = ArgsBuilder(kWriteCommand).option("mode", "0644").argument("f").build();
//
// Naming an option that the command does not declare aborts, as reading it would. Values are taken
// as they are; checking them is the parser's work (check_value in option_value.h).
class ArgsBuilder {
 public:
  explicit ArgsBuilder(const CommandSpec& spec) {
    for (const OptionSpec& option : spec.options) args_.options_[std::string(option.name)];
  }

  // A flag is given the empty value.
  ArgsBuilder& option(std::string_view name, std::string value = {}) {
    const auto found = args_.options_.find(name);
    if (found == args_.options_.end()) std::abort();
    found->second.push_back(std::move(value));
    return *this;
  }

  ArgsBuilder& argument(std::string value) {
    args_.arguments_.push_back(std::move(value));
    return *this;
  }

  ArgsBuilder& trailing(std::vector<std::string> words) {
    args_.trailing_ = std::move(words);
    return *this;
  }

  [[nodiscard]] Args build() const { return args_; }

 private:
  Args args_;
};

}  // namespace holdfast::cli
