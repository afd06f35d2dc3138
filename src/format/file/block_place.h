// SPDX-License-Identifier: Apache-2.0
//
// Where a new block goes, and which bytes an existing one takes with it (block_change.h has the
// rules).
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "format/file/block_change.h"

namespace holdfast {

// The offset of a line, or the end of the text. Errors: kCorrupt, as in block_change.h.
Result<std::size_t> place_of(std::string_view text, const BlockDocument& document,
                             const BlockTask& task, const BlockPlace& place, std::size_t& line);

// What lies outside of a block: the text before it and behind it.
struct Outside {
  std::string_view before;
  std::string_view behind;

  bool operator==(const Outside&) const = default;
};
Outside outside_of(std::string_view text, const ManagedBlock& block);

Error block_error(ErrorCode code, std::string_view op, const BlockTask& task, std::string cause,
                  std::string detail);

}  // namespace holdfast
