// SPDX-License-Identifier: Apache-2.0
//
// What tests put around the frame: a table of commands, a console and a context in memory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/command_table.h"
#include "cli/frame/console.h"
#include "cli/frame/context.h"
#include "format/json/json.h"
#include "os/machine/real_clock.h"
#include "os/spawn/env.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

// Made-up commands: every kind of option and argument, a group of two, one that fails, one that
// wraps a command.
extern const CommandSpec kProbeCommand;  // every kind of option; prints what it got
CommandTable test_table();

// TestConsole: a Console in memory, for tests of the frame. It records what was written and says
// of terminals and the environment what the test set.
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

// RecordingContext: the Context for unit tests of commands. Run the command's spec with Args from
// ArgsBuilder, then look at what it printed, emitted and noted.
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
