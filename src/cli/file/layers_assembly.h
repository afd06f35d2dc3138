// SPDX-License-Identifier: Apache-2.0
//
// A plan, from its path to its words, with the record of what came of it. Whoever asks gets the
// whole list or an Error; a refusal is on record as `layers.refused` then. And `layers --verify`,
// which asks whether such a list still holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"
#include "file/layers/layers.h"
#include "file/replace/command_runner.h"
#include "file/replace/target.h"

namespace holdfast::cli {

// The words of a layer list as `layers` prints them. Pure.
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

// kMade: the list is used, so `layers.assembled` goes on record; kLookedAt: it is not.
enum class Assembled : std::uint8_t { kMade, kLookedAt };

// Errors: those of layer_plan.h and layers.h; of the plan's own file (user_file.h); kCorrupt
// `not-utf8` for words that the asked JSON could not hold as they are.
Result<file::LayerList> assemble_plan(Context& context, const std::string& plan, LayerFormat format,
                                      Assembled assembled,
                                      file::TrustDir trust = file::TrustDir::kOnlyOwn);

// `layers --verify`: does what the environment says of a list (layers_exec.h) still hold?
// Errors: kNotFound `not-intact` is the no; kCannotTell where the environment does not say.
//
// Does the list stand in `words`, whole and in order?
Result<int> verify_words(Context& context, const std::vector<std::string>& words);

// Does the plan, assembled again, give the same list?
Result<int> verify_plan(Context& context, const std::string& plan, LayerFormat format,
                        file::TrustDir trust);

}  // namespace holdfast::cli
