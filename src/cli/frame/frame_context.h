// SPDX-License-Identifier: Apache-2.0
//
// FrameContext: the Context that a real command gets. It collects stdout, and finish() writes it.
//
// Sequence: make one per command; give it to run(); call finish() with what run() returned, exactly
// once; exit with the status that finish() returns.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/frame/common_options.h"
#include "cli/frame/console.h"
#include "cli/frame/context.h"
#include "cli/hook/hook_run.h"
#include "cli/output/progress.h"
#include "os/stream/waiting_line.h"

namespace holdfast::cli {

class FrameContext final : public Context {
 public:
  FrameContext(Console& console, const Clock& clock, CommonOptions options);
  ~FrameContext() override;
  FrameContext(const FrameContext&) = delete;
  FrameContext& operator=(const FrameContext&) = delete;

  [[nodiscard]] OutputMode mode() const override { return options_.mode; }
  [[nodiscard]] Verbosity verbosity() const override { return options_.verbosity; }
  [[nodiscard]] runtime::Runtime& runtime() const override { return *runtime_; }
  void print(std::string_view text) override;
  void print_page(std::string_view text) override;
  void emit(const Json& fields) override;
  void report(const Error& error) override { reported_ = error; }
  void code_is_the_commands() override { commands_own_ = true; }
  [[nodiscard]] bool must_come_back() const override {
    return options_.hook.on || options_.budget.has_value();
  }
  void note(std::string_view line) override;
  void warn(std::string_view line) override;
  void after_answer(std::function<void()> then) override { after_answer_ = std::move(then); }
  Result<> flush() override;
  void begin_stream() override { streaming_ = true; }
  Result<> stream(std::string_view lines) override;
  Result<bool> reader_leaves(Duration limit) override;
  const os::Handle* reader_gone() override { return console_.reader_gone(); }
  void progress(std::string_view what, std::uint64_t done, std::uint64_t total) override;
  [[nodiscard]] std::shared_ptr<void> waiting(std::string_view what) override;
  [[nodiscard]] std::optional<int> columns() const override;
  [[nodiscard]] std::string paint(Paint paint, std::string_view text) const override;

  // A wrapper runs a command of the user's: an Error of it means that the command has not run.
  enum class Role : std::uint8_t { kPlain, kWrapper };

  // Renders the outcome (an Error as a sentence on stderr, or all of it as the JSON document),
  // writes stdout and returns the exit status. Where stdout cannot be written, that is 74 with a
  // sentence on stderr; without one where the reader went away (`| head`), which is normal.
  //
  // 70, 71 and 74 become 125 where a wrapper's outcome is an Error, here and nowhere else. With a
  // status its command may have run, and a stdout that cannot be written stays 74.
  //
  // Under --hook the reason of an answer of holdfast's own that is not 0 goes to stderr in any
  // case, also with --json; the document keeps the true code.
  int finish(const Result<int>& outcome, Role role = Role::kPlain);

  // What finish() said, for HookRun.
  [[nodiscard]] HookAnswer answered() const { return answered_; }

 private:
  // Before anything else goes to the terminal.
  void clear_lines();
  void say_why(int code, const Error* error, bool shown);
  int answer(int code, const Error* error, bool commands_own);

  Console& console_;
  CommonOptions options_;
  std::unique_ptr<runtime::Runtime> runtime_;
  Progress progress_;
  std::weak_ptr<os::WaitingLine> waiting_{};
  std::string out_;
  bool streaming_ = false;
  bool paged_ = false;
  std::optional<Error> out_fault_;  // once stdout could not be written, nothing more is
  std::unique_ptr<Json> fields_;
  std::optional<Error> reported_;
  bool commands_own_ = false;
  std::function<void()> after_answer_{};
  HookAnswer answered_{};
};

}  // namespace holdfast::cli
