// SPDX-License-Identifier: Apache-2.0
//
// Questions that must parse the data of many events are answered by `holdfast-journal`, which has
// simdjson: the same command line, the same code but for the reader, the same answer (about 1.3 to
// 2 times as fast). The process becomes that program; where it is not installed, or the journal is
// small, the question is answered here.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "journal/filter.h"
#include "os/dir.h"

namespace holdfast::cli {

// Comes back where the question is to be answered here. An error: a helper is there and cannot be
// used.
Result<> hand_over_long_query(Context& context, const os::Dir& journal,
                              const journal::Filter& filter, std::span<const std::string> by);

}  // namespace holdfast::cli
