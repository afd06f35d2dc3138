// SPDX-License-Identifier: Apache-2.0
//
// What the command of a layer printed, as arguments. Each one ends with a newline or a NUL byte,
// the last one too: without it nobody can tell a whole list from one that was cut off. Bytes are
// taken as they are; of no bytes there are no arguments. With NUL bytes an argument may be empty.
//
// Errors: kCorrupt: `unfinished` (the end of the last one is missing), `empty-line`, `nul-byte` (in
// lines).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast {

enum class LayerOutput : std::uint8_t { kLines, kNul };

Result<std::vector<std::string>> split_layer_output(std::string_view bytes, LayerOutput output);

}  // namespace holdfast
