// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/console.h"

#include <string>

#include "cli/output/pager.h"
#include "os/spawn/env.h"
#include "os/watch/poll.h"

namespace holdfast::cli {

Result<> ProcessConsole::write(os::Stream stream, std::string_view text) {
  return os::write_stream(stream, text);
}

bool ProcessConsole::is_terminal(os::Stream stream) const { return os::is_terminal(stream); }

std::optional<int> ProcessConsole::columns(os::Stream stream) const {
  return os::terminal_columns(stream);
}

std::optional<std::string> ProcessConsole::env(const char* name) const { return os::env(name); }

bool ProcessConsole::page(std::string_view text) { return shown_in_pager(*this, text); }

ProcessConsole::~ProcessConsole() { static_cast<void>(out_.release()); }

// A pipe's writing end is "readable" exactly when nobody holds the reading end any more. A
// terminal, a file and /dev/null are readable at all times, so they say nothing.
const os::Handle* ProcessConsole::reader_gone() {
  if (reader_ == Reader::kUnknown) {
    const auto at_once = os::is_readable(out_);
    reader_ =
        at_once && !*at_once && !is_terminal(os::Stream::kOut) ? Reader::kShows : Reader::kHides;
  }
  return reader_ == Reader::kShows ? &out_ : nullptr;
}

Result<bool> ProcessConsole::reader_leaves(Duration limit) {
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(limit);
  return os::wait_readable({reader_gone()}, wait);
}

namespace {

void write_line(Console& console, const std::string& prefix, std::string_view line) {
  const auto written = console.write(os::Stream::kErr, prefix + " " + std::string(line) + "\n");
  static_cast<void>(written);  // see the header
}

}  // namespace

void render_error(Console& console, const Error& error) {
  const bool colour = colour_wanted(console, os::Stream::kErr);
  write_line(console,
             colour ? painted(Context::Paint::kRed, "holdfast:") : "holdfast:", to_sentence(error));
}

void write_diagnostic(Console& console, std::string_view line) {
  write_line(console, "holdfast:", line);
}

namespace {

std::string_view sequence(Context::Paint paint) {
  switch (paint) {
    case Context::Paint::kBold:
      return "\x1b[1m";
    case Context::Paint::kDim:
      return "\x1b[2m";
    case Context::Paint::kRed:
      return "\x1b[31m";
    case Context::Paint::kGreen:
      return "\x1b[32m";
    case Context::Paint::kYellow:
      return "\x1b[33m";
  }
  return {};
}

}  // namespace

bool colour_wanted(const Console& console, os::Stream stream) {
  if (console.color != ColorWish::kAuto) return console.color == ColorWish::kAlways;
  if (!console.is_terminal(stream)) return false;
  if (!console.env("NO_COLOR").value_or("").empty()) return false;
  return console.env("TERM").value_or("") != "dumb";
}

std::string painted(Context::Paint paint, std::string_view text) {
  return std::string(sequence(paint)) + std::string(text) + "\x1b[0m";
}

}  // namespace holdfast::cli
