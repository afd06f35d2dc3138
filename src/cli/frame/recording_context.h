// SPDX-License-Identifier: Apache-2.0
//
// RecordingContext: the Context for unit tests of commands. Run the command's spec with Args from
// ArgsBuilder, then look at what it printed, emitted and noted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "format/json/json.h"
#include "os/machine/real_clock.h"
#include "os/spawn/env.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

class RecordingContext final : public Context {
 public:
  explicit RecordingContext(OutputMode output_mode = OutputMode::kText) : mode_(output_mode) {}

  Verbosity verbose = Verbosity::kNormal;
  std::optional<std::string> home;
  std::optional<int> width;
  std::string printed;
  std::vector<Json> emitted;
  std::string streamed;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  std::vector<Error> reported;

  [[nodiscard]] OutputMode mode() const override { return mode_; }
  [[nodiscard]] Verbosity verbosity() const override { return verbose; }
  [[nodiscard]] runtime::Runtime& runtime() const override {
    if (!runtime_) runtime_ = std::make_unique<runtime::Runtime>(home, os::env, clock_);
    return *runtime_;
  }
  void print(std::string_view text) override {
    if (!json()) printed += text;
  }
  void emit(const Json& fields) override {
    if (json()) emitted.push_back(fields);
  }
  void report(const Error& error) override { reported.push_back(error); }
  void note(std::string_view line) override {
    if (verbose == Verbosity::kNormal) notes.emplace_back(line);
  }
  void warn(std::string_view line) override { warnings.emplace_back(line); }
  Result<> flush() override { return {}; }
  void begin_stream() override {}
  Result<> stream(std::string_view lines) override {
    streamed += lines;
    return {};
  }
  [[nodiscard]] std::optional<int> columns() const override { return width; }
  [[nodiscard]] std::string paint(Paint /*paint*/, std::string_view text) const override {
    return std::string(text);
  }

 private:
  OutputMode mode_;
  os::RealClock clock_;
  mutable std::unique_ptr<runtime::Runtime> runtime_;
};

}  // namespace holdfast::cli
