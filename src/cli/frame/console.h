// SPDX-License-Identifier: Apache-2.0
//
// Console: what the frame asks of the process around it, and how diagnostics and colour get there. The real one is os/stream/stdio.h and os/spawn/env.h;
// tests give one of their own (test_frame.h), so the whole frame runs without a process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "os/stream/stdio.h"
#include "os/sys/handle.h"

namespace holdfast::cli {

// --color.
enum class ColorWish : std::uint8_t { kAuto, kAlways, kNever };

class Console {
 public:
  ColorWish color = ColorWish::kAuto;

  virtual ~Console() = default;
  virtual Result<> write(os::Stream stream, std::string_view text) = 0;
  [[nodiscard]] virtual bool is_terminal(os::Stream stream) const = 0;
  [[nodiscard]] virtual std::optional<int> columns(os::Stream stream) const = 0;
  [[nodiscard]] virtual std::optional<std::string> env(const char* name) const = 0;
  // Shows `text` on stdout through a pager. False: there is none, none is needed, or it failed; the
  // text is still to be written.
  virtual bool page([[maybe_unused]] std::string_view text) { return false; }
  // Context::reader_leaves.
  virtual Result<bool> reader_leaves([[maybe_unused]] Duration limit) { return false; }
  // Context::reader_gone.
  virtual const os::Handle* reader_gone() { return nullptr; }
};

class ProcessConsole final : public Console {
 public:
  ProcessConsole() = default;
  ProcessConsole(const ProcessConsole&) = delete;
  ProcessConsole& operator=(const ProcessConsole&) = delete;
  Result<> write(os::Stream stream, std::string_view text) override;
  [[nodiscard]] bool is_terminal(os::Stream stream) const override;
  [[nodiscard]] std::optional<int> columns(os::Stream stream) const override;
  [[nodiscard]] std::optional<std::string> env(const char* name) const override;
  bool page(std::string_view text) override;
  Result<bool> reader_leaves(Duration limit) override;
  const os::Handle* reader_gone() override;
  ~ProcessConsole() override;

 private:
  enum class Reader : std::uint8_t { kUnknown, kShows, kHides };
  Reader reader_ = Reader::kUnknown;  // whether one can see the reader of stdout leave
  os::Handle out_{static_cast<os::NativeHandle>(os::Stream::kOut)};  // lent: it is never closed
};

// The one place where an Error becomes what people see: `holdfast: cannot …`, one line on stderr.
// Where stderr itself cannot be written there is nobody left to tell; the exit status remains.
void render_error(Console& console, const Error& error);

// `holdfast: LINE`; the caller made the line safe for a terminal (base/printable.h).
void write_diagnostic(Console& console, std::string_view line);

// Colour: as --color says; `auto`: only on a terminal, only where NO_COLOR is unset or empty and
// TERM is not `dumb`.
bool colour_wanted(const Console& console, os::Stream stream);

// Always with the escape sequences; ask colour_wanted first.
std::string painted(Context::Paint paint, std::string_view text);

}  // namespace holdfast::cli
