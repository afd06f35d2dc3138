// SPDX-License-Identifier: Apache-2.0
#include "cli/output/render_error.h"

#include <string>

#include "cli/output/colour.h"

namespace holdfast::cli {
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

}  // namespace holdfast::cli
