// SPDX-License-Identifier: Apache-2.0
//
// ArgsBuilder makes the Args of one command: the parser from a command line, and a command's unit
// test by hand:
//
//   const Args args = ArgsBuilder(kWriteCommand).option("mode", "0644").argument("f").build();
//
// Naming an option that the command does not declare aborts, as reading it would. Values are taken
// as they are; checking them is the parser's work (check_value in option_value.h).
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/frame/args.h"
#include "cli/frame/command.h"

namespace holdfast::cli {

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
