// SPDX-License-Identifier: Apache-2.0
//
// assemble_layers: the one list of words that a layer plan (format/file/layer_plan.h) means, whole or
// not at all.
//
// Guarantee: every layer that is in has said all that it has to say, in the order of the plan, or
// there is no list. A command that fails, dies, is too late, prints nothing, prints too much or
// stops in the middle of a line is a failure of its layer, and so is a condition that answers
// neither 0 nor 1. Nothing of a failed layer is used. A signal that asks to end while a command
// runs ends it all, whatever exit code the command makes of it.
//
// kCompose: every argument is a file, as `docker compose -f` takes them. A relative one is relative
// to the plan, and comes out so that it is right from where the plan's own path is right. Each must
// be a regular file that can be read (links are followed), and be there once only. Each becomes two
// words, `-f` and the path; one that begins with a dash gets `./` in front.
//
// Limits: a file that was checked can be changed before anybody reads it; `digest` pins what it was
// at that moment. A line for `/bin/sh` has the shell's own rules: `false | cat` succeeds there.
//
// Errors, with the layer where it is one layer's fault: kConfig `unset-variable`, `bad-expansion`;
// kCorrupt: `command-failed`, `when-failed`, `timeout`, `interrupted`, `too-large`, `unfinished`,
// `empty-line`, `nul-byte`, `no-arguments` (also of all layers together, unless `expect` says 0),
// `digest-mismatch`, `missing-file`, `not-a-regular-file` and what else is wrong with a file,
// `duplicate`, `wrong-count`; kCannotTell where nobody knows how a command ended.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "file/replace/command_runner.h"
#include "file/replace/target.h"
#include "format/file/layer_plan.h"
#include "format/text/expand.h"

namespace holdfast::file {

enum class LayerWords : std::uint8_t { kPlain, kCompose };

struct LayerSource {
  std::string file;       // the plan's path as typed, for messages
  std::string directory;  // where it lies: `.` or its path up to the last slash
  TrustDir trust = TrustDir::kOnlyOwn;
};
// From the plan's path.
LayerSource layer_source(const std::string& path);

struct LayerList {
  std::vector<std::string> words;
  Digest digest;  // of `words`
};

struct LayerRefusal {
  Error error;
  std::string layer;  // its name; empty where it is the fault of no single one
};

inline constexpr std::size_t kMaxLayerOutput = std::size_t{1} << 20U;

// `expect` of the plan counts arguments, not the `-f` of kCompose.
[[nodiscard]] std::expected<LayerList, LayerRefusal> assemble_layers(
    const LayerPlan& plan, const LayerSource& source, LayerWords form,
    const VariableLookup& variables, CommandRunner& runner);

// SHA-256 over every word followed by a NUL byte: no other list of words has the same bytes.
Digest digest_of_words(std::span<const std::string> words);

}  // namespace holdfast::file
