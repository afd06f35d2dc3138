// SPDX-License-Identifier: Apache-2.0
//
// A layer plan: which arguments a command line is made of, in which order, and what must hold of
// them. It only reads the text; file/layers/layers.h does what it says.
//
//   expect = 4                          # so many arguments in the end
//
//   [[layer]]
//   name = "base"
//   required = true                     # always in, cannot fail: `args` and no `when`
//   args = ["compose.yml", "hardening.yml"]
//
//   [[layer]]
//   name = "mounts"
//   command = ["./list-mounts"]         # prints its arguments, one on a line
//   output = "lines"                    # or "nul": each one ends with a NUL byte
//   timeout = "5s"                      # of `command` and of `when`; 10s where it is not said
//   may_be_empty = true                 # else printing nothing is a failure
//   digest = "sha256:…"                 # of what the command printed; of a layer with `args`: of
//                                       # the file that its one argument names
//   [[layer]]
//   name = "gpu"
//   when = "test -e /dev/nvidia0"       # 0: in, 1: out, anything else is a failure
//   args = ["${GPU_FILE}"]              # `~` and `${VAR}` are expanded when it is assembled
//
// Guarantees: a plan that is accepted has a layer; the layers are in the order of the text, each
// with a name of its own; the required ones come first, so that no failure and no condition can
// come before them; no word holds a NUL byte.
//
// Errors: kConfig, with NAME:LINE:COLUMN as the subject: what toml.h says, and `no-layers`,
// `duplicate-name`, `required-after-optional`, `not-infallible` (a required layer with `command` or
// `when`), `bad-layer` (neither or both of `args` and `command`, or a key that does not fit),
// `bad-value`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/result.h"

namespace holdfast {

// What the command of a layer printed, as arguments. Each one ends with a newline or a NUL byte,
// the last one too: without it nobody can tell a whole list from one that was cut off. Bytes are
// taken as they are; of no bytes there are no arguments. With NUL bytes an argument may be empty.
//
// Errors: kCorrupt: `unfinished` (the end of the last one is missing), `empty-line`, `nul-byte` (in
// lines).
enum class LayerOutput : std::uint8_t { kLines, kNul };

Result<std::vector<std::string>> split_layer_output(std::string_view bytes, LayerOutput output);

inline constexpr Duration kDefaultLayerTimeout = std::chrono::seconds(10);

struct Layer {
  std::string name;
  int line = 0;
  int column = 0;
  std::vector<std::string> args;     // as written, not expanded; or
  std::vector<std::string> command;  // what to run, without a shell
  std::vector<std::string> when;     // the same; empty: always in
  LayerOutput output = LayerOutput::kLines;
  Duration timeout = kDefaultLayerTimeout;
  std::optional<Digest> digest;
  bool required = false;
  bool may_be_empty = false;
};

struct LayerPlan {
  std::vector<Layer> layers;
  std::optional<std::uint64_t> expect;
};

// `name` is for messages.
Result<LayerPlan> parse_layer_plan(std::string_view text, std::string_view name);

}  // namespace holdfast
