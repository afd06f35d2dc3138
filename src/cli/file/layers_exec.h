// SPDX-License-Identifier: Apache-2.0
//
// The command of `layers --exec`: its words with the list in place of `{layers}`, and becoming it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/frame/context.h"
#include "file/layers/layers.h"

namespace holdfast::cli {

inline constexpr std::string_view kLayersPlaceholder = "{layers}";

// kUsage unless the placeholder is one word of `command`, exactly once, and not the first.
Result<> check_placeholder(const std::vector<std::string>& command);

std::vector<std::string> with_layers(const std::vector<std::string>& command,
                                     const std::vector<std::string>& words);

// Becomes the command, with the stamp of the list (layers_stamp.h) in its environment. Comes back
// with 126 or 127 where it cannot be started (125 where holdfast is at fault), and the error
// reported.
Result<int> become_command(Context& context, const std::vector<std::string>& command,
                           const file::LayerList& list);

// The exit code of a wrapper whose command has not run: 70, 71 and 74 are 125, and all others stay.
Result<int> before_the_command(Context& context, const Error& error);

}  // namespace holdfast::cli
