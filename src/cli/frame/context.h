// SPDX-License-Identifier: Apache-2.0
//
// Context: what a command gets from the frame: where to print, and how the user asked to see it.
//
// Output to stdout is collected and written once by the frame after run() returns (call flush() in
// a command that streams); if that write fails the exit status becomes 74. With --json exactly one
// document goes to stdout: call `emit` once, and `print` does nothing. Diagnostics go to stderr at
// once; `note` is silent under -q.
//
// `emit` adds `ok` and `code` in front of the fields (the frame knows the status run() returned).
// When run() returns an Error the frame adds `error`, and keeps the fields that were emitted
// before.
//
// A stream (a list whose length nobody knows) calls `begin_stream` and then `stream` instead of
// `print`, in both modes. With --json its lines are JSON objects; a document as above, `ok` false,
// follows as the last line where the code is not 0, and nothing follows where it is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/reporter.h"
#include "base/result.h"
#include "format/json/json.h"
#include "os/sys/handle.h"

namespace holdfast::runtime {
class Runtime;
}

namespace holdfast::cli {

enum class OutputMode : std::uint8_t { kText, kJson };
enum class Verbosity : std::uint8_t { kNormal, kQuiet };

class Context : public Reporter {
 public:
  [[nodiscard]] virtual OutputMode mode() const = 0;
  [[nodiscard]] bool json() const { return mode() == OutputMode::kJson; }
  [[nodiscard]] virtual Verbosity verbosity() const = 0;
  // Where the state is, its journal, and the clock.
  [[nodiscard]] virtual runtime::Runtime& runtime() const = 0;

  // Text for people on stdout, newline included by the caller. Nothing under --json.
  virtual void print(std::string_view text) = 0;
  // The same for a long text: on a terminal through the user's pager.
  virtual void print_page(std::string_view text) { print(text); }
  // The fields of the command's one JSON document. Nothing without --json.
  virtual void emit(const Json& fields) = 0;
  // A failure that the command answers with a code of its own, where returning the Error would give
  // another (wrappers: 125, 126, 127). It is shown as a returned Error is: the sentence at the end,
  // or `error` in the document. At most once.
  virtual void report(const Error& error) = 0;
  // The code that run() returns is that of the user's command, not holdfast's own: --hook passes it
  // on as it is.
  virtual void code_is_the_commands() {}
  // Something is to be done behind the command (--hook, --budget): it is not to become another
  // program.
  [[nodiscard]] virtual bool must_come_back() const { return false; }
  // A diagnostic line on stderr, prefixed `holdfast: `.
  void note(std::string_view line) override = 0;
  // The same for what -q must not silence: the answer is less than was asked for.
  void warn(std::string_view line) override = 0;
  // What is to be done once the whole answer is written, right before the program ends; for what
  // must know that somebody was told. The last one counts. Dropped, with all that it holds, if the
  // answer cannot be written.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): an override keeps it
  virtual void after_answer([[maybe_unused]] std::function<void()> then) {}
  // Writes what was collected so far.
  virtual Result<> flush() = 0;
  // From here on stdout is a stream of lines.
  virtual void begin_stream() = 0;
  // Whole lines, newlines included, rendered as mode() asks; written by and by. An Error means that
  // nobody reads them: return it, the frame knows what to say (nothing, after `| head`).
  virtual Result<> stream(std::string_view lines) = 0;
  // Waits up to `limit` for the reader of stdout to go away. False: the time passed, as far as one
  // can see; of a file or a terminal one cannot.
  virtual Result<bool> reader_leaves([[maybe_unused]] Duration limit) { return false; }
  // For who waits for something else as well: readable when the reader of stdout is gone; null
  // where one cannot see that. Ask before the first write, while the reader is surely there.
  virtual const os::Handle* reader_gone() { return nullptr; }
  // "WHAT DONE/TOTAL" on a terminal's stderr while long work runs; call it as often as you like. It
  // shows nothing for short work, under -q or --json, or where stderr is no terminal.
  virtual void progress([[maybe_unused]] std::string_view what, [[maybe_unused]] std::uint64_t done,
                        [[maybe_unused]] std::uint64_t total) {}
  // While what it returns lives, a line on a terminal's stderr says "waiting for WHAT" and how long
  // already, from the first second on; null where progress shows nothing.
  [[nodiscard]] virtual std::shared_ptr<void> waiting([[maybe_unused]] std::string_view what) {
    return nullptr;
  }
  // The columns of the terminal behind stdout; nothing where there is none.
  [[nodiscard]] virtual std::optional<int> columns() const { return std::nullopt; }
  // Wraps `text` in colour where stdout is a terminal and NO_COLOR is unset; else returns it
  // unchanged.
  enum class Paint : std::uint8_t { kBold, kDim, kRed, kGreen, kYellow };
  [[nodiscard]] virtual std::string paint(Paint paint, std::string_view text) const = 0;
};

}  // namespace holdfast::cli
