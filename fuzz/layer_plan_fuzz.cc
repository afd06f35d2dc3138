// SPDX-License-Identifier: Apache-2.0
// Whatever the text: a plan is refused with kConfig and a line, or keeps what its header promises;
// and whatever a command prints, it is refused or is exactly its arguments.
#include <cstdlib>
#include <set>

#include "format/file/layer_plan.h"

using namespace holdfast;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_plan(const LayerPlan& plan) {
  check(!plan.layers.empty());
  std::set<std::string_view> names;
  bool optional_seen = false;
  for (const Layer& layer : plan.layers) {
    check(!layer.name.empty() && names.insert(layer.name).second);
    check(layer.args.empty() != layer.command.empty());
    check(layer.timeout > Duration::zero());
    check(!layer.required || (layer.command.empty() && layer.when.empty() && !optional_seen));
    optional_seen = optional_seen || !layer.required;
    for (const std::string& word : layer.args) check(!word.contains('\0'));
    for (const std::string& word : layer.command) check(!word.contains('\0'));
  }
}

void check_output(std::string_view bytes, LayerOutput output) {
  const auto words = split_layer_output(bytes, output);
  if (!words) {
    check(words.error().code == ErrorCode::kCorrupt && !words.error().cause.empty());
    return;
  }
  std::string again;
  for (const std::string& word : *words) {
    check(!word.contains('\0'));
    again += word + (output == LayerOutput::kNul ? '\0' : '\n');
  }
  check(again == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_output(text, LayerOutput::kLines);
  check_output(text, LayerOutput::kNul);
  const auto plan = parse_layer_plan(text, "plan");
  if (plan) {
    check_plan(*plan);
  } else {
    check(plan.error().code == ErrorCode::kConfig && plan.error().subject.starts_with("plan"));
  }
  return 0;
}
