// SPDX-License-Identifier: Apache-2.0
#include "cli/file/layers_assembly.h"

#include "base/cause.h"
#include "base/printable.h"
#include "base/units.h"
#include "cli/file/file_options.h"
#include "cli/file/layers_exec.h"
#include "cli/frame/shell_line.h"
#include "cli/frame/user_file.h"
#include "format/json/json.h"
#include "format/text/toml.h"
#include "os/spawn/env.h"
#include "runtime/runtime.h"
#include "supervise/pipeline.h"

namespace holdfast::cli {

LayerFormat layer_format(const Args& args) {
  const std::string word = args.text("format").value_or("args");
  if (word == "compose") return LayerFormat::kCompose;
  if (word == "nul") return LayerFormat::kNul;
  return word == "json" ? LayerFormat::kJson : LayerFormat::kArgs;
}

std::string layers_text(std::span<const std::string> words, LayerFormat format) {
  switch (format) {
    case LayerFormat::kArgs:
    case LayerFormat::kCompose:
      return shell_line(words) + "\n";
    case LayerFormat::kNul: {
      std::string text;
      for (const std::string& word : words) text.append(word.c_str(), word.size() + 1);
      return text;
    }
    case LayerFormat::kJson:
      return Json(std::vector<std::string>(words.begin(), words.end())).dump() + "\n";
  }
  __builtin_unreachable();
}

namespace {

using Stdout = file::CommandRequest::Stdout;

// A generator has nothing to save when it is told to go.
constexpr Duration kGrace = std::chrono::seconds(2);

Error too_large(const file::CommandRequest& request) {
  return {.code = ErrorCode::kCorrupt,
          .op = "take in what is printed by",
          .subject = "'" + request.argv.front() + "'",
          .cause = cause::kTooLarge,
          .detail = "its command printed more than " + format_size(request.max_output)};
}

// The CommandRunner (file/replace/command_runner.h) of the program: each command is a supervised tree
// (supervise/pipeline.h), so that what it leaves behind is ended before its output counts.
class PipelineCommandRunner final : public file::CommandRunner {
 public:
  explicit PipelineCommandRunner(const Clock& clock) : clock_(clock) {}

  Result<file::CommandResult> run(const file::CommandRequest& request) override;

 private:
  const Clock& clock_;
};

Result<file::CommandResult> PipelineCommandRunner::run(const file::CommandRequest& request) {
  supervise::PipelineRequest pipeline;
  pipeline.stages = {request.argv};
  pipeline.output = request.to == Stdout::kTaken ? supervise::PipelineRequest::Output::kTaken
                                                 : supervise::PipelineRequest::Output::kStderr;
  pipeline.directory = request.directory;
  pipeline.timeout = request.timeout;
  pipeline.grace = kGrace;

  file::CommandResult result;
  const auto take = [&](std::string_view bytes) -> Result<> {
    if (bytes.size() > request.max_output - result.output.size()) return fail(too_large(request));
    result.output += bytes;
    return {};
  };
  const supervise::PipelineReport report = HF_TRY(supervise::run_pipeline(clock_, pipeline, take));
  result.timed_out = report.timed_out;
  result.failure = supervise::describe_failure(report);
  result.interrupted = report.interrupted.has_value();
  const bool by_itself = !report.timed_out && !result.interrupted;
  if (by_itself && report.empty && report.output_ended && !report.output_cut) {
    result.exit_code = report.stages.front().exit_code;
  }
  return result;
}

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

namespace {

Result<int> layers_verify_answer(Context& context, const LayersStamp& stamp, bool intact,
                                 std::string_view why) {
  context.emit(stamp_fields(stamp));
  if (intact) return to_int(ExitCode::kDone);
  return fail({.code = ErrorCode::kNotFound,
               .op = "find the list of layers",
               .subject = "that was assembled",
               .cause = "not-intact",
               .detail = std::string(why)});
}

}  // namespace

Result<int> verify_words(Context& context, const std::vector<std::string>& words) {
  const LayersStamp stamp = HF_TRY(stamp_of_environment());
  return layers_verify_answer(
      context, stamp, holds_stamped(words, stamp),
      "its " + std::to_string(stamp.count) +
          " words do not stand among these arguments: some were dropped, moved or "
          "changed");
}

Result<int> verify_plan(Context& context, const std::string& plan, LayerFormat format,
                        file::TrustDir trust) {
  const LayersStamp stamp = HF_TRY(stamp_of_environment());
  const auto list = HF_TRY(assemble_plan(context, plan, format, Assembled::kLookedAt, trust));
  return layers_verify_answer(context, stamp, same_list(stamp_of(list), stamp),
                              "the plan gives another list now than then");
}

}  // namespace holdfast::cli
