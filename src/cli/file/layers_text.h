// SPDX-License-Identifier: Apache-2.0
//
// The words of a layer list as `layers` prints them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/frame/args.h"

namespace holdfast::cli {

enum class LayerFormat : std::uint8_t {
  kArgs,     // words for a POSIX shell on one line, safe for `eval`
  kCompose,  // the same, of `-f FILE -f FILE`
  kNul,      // each word and a NUL byte
  kJson,     // an array of strings on one line
};

// --format; kArgs where it was not typed.
LayerFormat layer_format(const Args& args);

// For kJson every word must be UTF-8.
std::string layers_text(std::span<const std::string> words, LayerFormat format);

}  // namespace holdfast::cli
