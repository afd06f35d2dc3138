// SPDX-License-Identifier: Apache-2.0
//
// The command of `layers --exec`: its words with the list in place of `{layers}`, the stamp of the
// list in its environment, and becoming it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "file/layers/layers.h"

namespace holdfast::cli {

// The stamp of a layer list: its count and digest, as they travel in the environment of the command
// that got the list, so that a later step can tell whether its own arguments still hold it.
//
//   HOLDFAST_LAYERS_COUNT=4
//   HOLDFAST_LAYERS_DIGEST=64 hexadecimal digits (digest_of_words in file/layers/layers.h)
//   HOLDFAST_LAYERS_SUM=1234567890
//
// The sum decides nothing: it is one that can be moved along a list word by word, so that the
// digest is taken only where the list may stand, and thousands of words are no burden. Without it
// the digest is taken everywhere.
//
// Limit: it guards against accidents. Who can change the arguments on purpose can change the
// environment too.
struct LayersStamp {
  std::uint64_t count = 0;
  Digest digest;
  std::optional<std::uint64_t> sum{};
};

// Do both stand for the same list?
bool same_list(const LayersStamp& one, const LayersStamp& other);

LayersStamp stamp_of(const file::LayerList& list);

// `count` and `digest`, for --json.
Json stamp_fields(const LayersStamp& stamp);

// NAME=VALUE of each.
std::vector<std::string> stamp_environment(const LayersStamp& stamp);

// kCannotTell: `no-stamp` where the environment says nothing, `bad-stamp` where it says nonsense.
Result<LayersStamp> stamp_of_environment();

// Do the stamped words stand somewhere in `words`, one after the other?
bool holds_stamped(std::span<const std::string> words, const LayersStamp& stamp);

inline constexpr std::string_view kLayersPlaceholder = "{layers}";

// kUsage unless the placeholder is one word of `command`, exactly once, and not the first.
Result<> check_placeholder(const std::vector<std::string>& command);

std::vector<std::string> with_layers(const std::vector<std::string>& command,
                                     const std::vector<std::string>& words);

// Becomes the command, with the stamp of the list in its environment. Comes back
// with 126 or 127 where it cannot be started (125 where holdfast is at fault), and the error
// reported.
Result<int> become_command(Context& context, const std::vector<std::string>& command,
                           const file::LayerList& list);

// The exit code of a wrapper whose command has not run: 70, 71 and 74 are 125, and all others stay.
Result<int> before_the_command(Context& context, const Error& error);

}  // namespace holdfast::cli
