// SPDX-License-Identifier: Apache-2.0
//
// A plan, from its path to its words, with the record of what came of it. Whoever asks gets the
// whole list or an Error; a refusal is on record as `layers.refused` then.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/file/layers_text.h"
#include "cli/frame/context.h"
#include "file/layers/layers.h"

namespace holdfast::cli {

// kMade: the list is used, so `layers.assembled` goes on record; kLookedAt: it is not.
enum class Assembled : std::uint8_t { kMade, kLookedAt };

// Errors: those of layer_plan.h and layers.h; of the plan's own file (user_file.h); kCorrupt
// `not-utf8` for words that the asked JSON could not hold as they are.
Result<file::LayerList> assemble_plan(Context& context, const std::string& plan, LayerFormat format,
                                      Assembled assembled,
                                      file::TrustDir trust = file::TrustDir::kOnlyOwn);

}  // namespace holdfast::cli
