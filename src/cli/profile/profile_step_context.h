// SPDX-License-Identifier: Apache-2.0
//
// StepContext: the Context of a command that is one step of something larger. Its answer is not
// shown, for the larger thing has one of its own; what it has to note or warn about is.
#pragma once

#include <string>

#include "cli/frame/context.h"

namespace holdfast::cli {

class StepContext final : public Context {
 public:
  explicit StepContext(Context& whole) : whole_(whole) {}

  // Never JSON: nothing is printed, so no word must fit into a document.
  [[nodiscard]] OutputMode mode() const override { return OutputMode::kText; }
  [[nodiscard]] Verbosity verbosity() const override { return whole_.verbosity(); }
  [[nodiscard]] runtime::Runtime& runtime() const override { return whole_.runtime(); }
  void print(std::string_view /*text*/) override {}
  void emit(const Json& /*fields*/) override {}
  void report(const Error& error) override { whole_.warn(to_sentence(error)); }
  void note(std::string_view line) override { whole_.note(line); }
  void warn(std::string_view line) override { whole_.warn(line); }
  Result<> flush() override { return {}; }
  void begin_stream() override {}
  Result<> stream(std::string_view /*lines*/) override { return {}; }
  void progress(std::string_view what, std::uint64_t done, std::uint64_t total) override {
    whole_.progress(what, done, total);
  }
  [[nodiscard]] std::string paint(Paint /*paint*/, std::string_view text) const override {
    return std::string(text);
  }

 private:
  Context& whole_;
};

}  // namespace holdfast::cli
