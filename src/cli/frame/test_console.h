// SPDX-License-Identifier: Apache-2.0
//
// TestConsole: a Console in memory, for tests of the frame. It records what was written and says
// of terminals and the environment what the test set.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/frame/console.h"

namespace holdfast::cli {

class TestConsole final : public Console {
 public:
  std::string out;
  std::string err;
  bool out_terminal = false;
  bool err_terminal = false;
  std::optional<int> width;
  std::map<std::string, std::string> environment;
  std::optional<Error> out_fault;  // every write to stdout fails with this

  Result<> write(os::Stream stream, std::string_view text) override {
    if (stream == os::Stream::kOut && out_fault) return fail(*out_fault);
    (stream == os::Stream::kOut ? out : err) += text;
    return {};
  }
  [[nodiscard]] bool is_terminal(os::Stream stream) const override {
    return stream == os::Stream::kOut ? out_terminal : err_terminal;
  }
  [[nodiscard]] std::optional<int> columns(os::Stream /*stream*/) const override { return width; }
  [[nodiscard]] std::optional<std::string> env(const char* name) const override {
    const auto found = environment.find(name);
    if (found == environment.end()) return std::nullopt;
    return found->second;
  }
};

}  // namespace holdfast::cli
