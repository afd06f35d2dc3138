// SPDX-License-Identifier: Apache-2.0
#include "cli/file/layers_assembly.h"

#include "base/printable.h"
#include "cli/file/file_options.h"
#include "cli/frame/command_runner.h"
#include "cli/frame/user_file.h"
#include "format/text/toml.h"
#include "os/spawn/env.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

using Outcome = std::expected<file::LayerList, file::LayerRefusal>;

Outcome layers_assembly_refused(const Error& error) {
  return std::unexpected(file::LayerRefusal{.error = error, .layer = ""});
}

// In JSON such bytes would come out as others, silently.
const std::string* not_utf8(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (!is_utf8(word)) return &word;
  }
  return nullptr;
}

Outcome assemble(const std::string& path, file::LayerWords form, bool as_json, file::TrustDir trust,
                 const Clock& clock) {
  const auto text = read_config_file(path, kMaxTomlBytes, trust);
  if (!text) return layers_assembly_refused(text.error());
  const auto plan = parse_layer_plan(*text, path);
  if (!plan) return layers_assembly_refused(plan.error());
  PipelineCommandRunner runner(clock);
  const auto variables = [](const std::string& name) { return os::env(name.c_str()); };
  file::LayerSource source = file::layer_source(path);
  source.trust = trust;
  Outcome list = assemble_layers(*plan, source, form, variables, runner);
  const std::string* bad = list && as_json ? not_utf8(list->words) : nullptr;
  if (bad == nullptr) return list;
  return layers_assembly_refused(
      {.code = ErrorCode::kCorrupt,
       .op = "print as JSON the layers of",
       .subject = path,
       .cause = "not-utf8",
       .detail = "the word '" + *bad + "' is not UTF-8; use --format nul"});
}

}  // namespace

Result<file::LayerList> assemble_plan(Context& context, const std::string& plan, LayerFormat format,
                                      Assembled assembled, file::TrustDir trust) {
  const auto form =
      format == LayerFormat::kCompose ? file::LayerWords::kCompose : file::LayerWords::kPlain;
  Outcome list = assemble(plan, form, context.json() || format == LayerFormat::kJson, trust,
                          context.runtime().clock());
  EventData data;
  data.text("file", absolute_path(plan).value_or(plan));
  if (!list) {
    const file::LayerRefusal& refusal = list.error();
    data.text("reason", refusal.error.cause.empty() ? "unknown" : refusal.error.cause);
    if (!refusal.layer.empty()) data.text("layer", refusal.layer);
    record_event(context, {.type = "layers.refused", .data = std::move(data)});
    return fail(refusal.error);
  }
  if (assembled == Assembled::kMade) {
    data.count("count", list->words.size()).text("digest", to_hex(list->digest));
    record_event(context, {.type = "layers.assembled", .data = std::move(data)});
  }
  return std::move(*list);
}

}  // namespace holdfast::cli
