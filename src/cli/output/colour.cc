// SPDX-License-Identifier: Apache-2.0
#include "cli/output/colour.h"

namespace holdfast::cli {
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
  if (!console.is_terminal(stream)) return false;
  if (!console.env("NO_COLOR").value_or("").empty()) return false;
  return console.env("TERM").value_or("") != "dumb";
}

std::string painted(Context::Paint paint, std::string_view text) {
  return std::string(sequence(paint)) + std::string(text) + "\x1b[0m";
}

}  // namespace holdfast::cli
