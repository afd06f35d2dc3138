// SPDX-License-Identifier: Apache-2.0
#include "format/file/layer_plan.h"

#include <set>

#include "base/units.h"
#include "format/text/toml.h"

namespace holdfast {
namespace {

std::unexpected<Error> bad_output(std::string_view cause, std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read",
               .subject = "what the command printed",
               .cause = std::string(cause),
               .detail = std::string(why)});
}

}  // namespace

Result<std::vector<std::string>> split_layer_output(std::string_view bytes, LayerOutput output) {
  const char end = output == LayerOutput::kNul ? '\0' : '\n';
  if (!bytes.empty() && bytes.back() != end) {
    return bad_output("unfinished", std::string("its last argument does not end with a ") +
                                        (end == '\0' ? "NUL byte" : "newline") +
                                        ", so it may be cut off");
  }
  std::vector<std::string> words;
  while (!bytes.empty()) {
    const std::string_view word = bytes.substr(0, bytes.find(end));
    const std::string number = std::to_string(words.size() + 1);
    if (output == LayerOutput::kLines && word.empty()) {
      return bad_output("empty-line", "line " + number + " is empty");
    }
    if (word.contains('\0')) {
      return bad_output("nul-byte",
                        "line " + number + " holds a NUL byte; is `output = \"nul\"` missing?");
    }
    words.emplace_back(word);
    bytes.remove_prefix(word.size() + 1);
  }
  return words;
}

namespace {

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

// One [[layer]]: all keys first, so that a misspelt one is called that and not a missing one.
class LayerReader {
 public:
  LayerReader(const TomlTable& table, std::string_view file) : toml_(table, std::string(file)) {}

  Result<Layer> read() {
    layer_.line = toml_.line();
    layer_.column = toml_.column();
    layer_.name = HF_TRY(toml_.required_text("name"));
    args_ = HF_TRY(toml_.texts("args"));
    command_ = HF_TRY(toml_.command("command"));
    when_ = HF_TRY(toml_.command("when"));
    output_ = HF_TRY(toml_.text("output"));
    timeout_ = HF_TRY(toml_.text("timeout"));
    digest_ = HF_TRY(toml_.text("digest"));
    may_be_empty_ = HF_TRY(toml_.flag("may_be_empty"));
    layer_.required = HF_TRY(toml_.flag("required")).value_or(false);
    HF_TRY(toml_.finish());
    HF_TRY(check_source());
    HF_TRY(check_infallible());
    HF_TRY(check_output());
    HF_TRY(check_timeout());
    HF_TRY(check_digest());
    return std::move(layer_);
  }

 private:
  [[nodiscard]] std::unexpected<Error> refuse(std::string_view key, std::string_view cause,
                                              std::string_view why) const {
    return fail(
        toml_.error(key, cause, "layer " + in_quotes(layer_.name) + ": " + std::string(why)));
  }

  Result<> check_source() {
    if (layer_.name.empty()) return refuse("name", "bad-value", "a name is never empty");
    if (args_.has_value() == command_.has_value()) {
      return refuse(args_ ? "command" : "name", "bad-layer",
                    "it needs one of `args` and `command`, and not both");
    }
    if (args_ && args_->empty()) return refuse("args", "bad-value", "`args` is empty");
    if (args_) layer_.args = *args_;
    if (command_) layer_.command = *command_;
    if (when_) layer_.when = *when_;
    return {};
  }

  Result<> check_infallible() const {
    if (!layer_.required) return {};
    if (when_) {
      return refuse("when", "not-infallible", "a required layer is always in; it has no `when`");
    }
    if (command_) {
      return refuse("command", "not-infallible",
                    "a command can fail, so a required layer has `args`; without `required` a "
                    "failing command is refused all the same");
    }
    return {};
  }

  Result<> check_output() {
    if (args_ && output_) return refuse("output", "bad-layer", "`output` is about a `command`");
    if (args_ && may_be_empty_) {
      return refuse("may_be_empty", "bad-layer", "`may_be_empty` is about a `command`");
    }
    if (output_ && *output_ != "lines" && *output_ != "nul") {
      return refuse("output", "bad-value", in_quotes(*output_) + " is none of `lines` and `nul`");
    }
    layer_.output = output_ == "nul" ? LayerOutput::kNul : LayerOutput::kLines;
    layer_.may_be_empty = may_be_empty_.value_or(false);
    return {};
  }

  Result<> check_timeout() {
    if (!timeout_) return {};
    if (!command_ && !when_) {
      return refuse("timeout", "bad-layer", "`timeout` is about a `command` or a `when`");
    }
    const auto timeout = parse_duration(*timeout_);
    if (!timeout) return refuse("timeout", "bad-value", timeout.error().detail);
    if (*timeout <= Duration::zero()) {
      return refuse("timeout", "bad-value", "a time limit is more than 0");
    }
    layer_.timeout = *timeout;
    return {};
  }

  Result<> check_digest() {
    constexpr std::string_view kKind = "sha256:";
    if (!digest_) return {};
    if (digest_->starts_with(kKind)) {
      layer_.digest = parse_digest_hex(std::string_view(*digest_).substr(kKind.size()));
    }
    if (!layer_.digest) {
      return refuse("digest", "bad-value", "it is `sha256:` and 64 lower-case hexadecimal digits");
    }
    if (args_ && args_->size() != 1) {
      return refuse("digest", "bad-layer",
                    "it is of one file, and `args` has " + std::to_string(args_->size()) +
                        " arguments; make each a layer of its own");
    }
    return {};
  }

  TomlReader toml_;
  std::optional<std::vector<std::string>> args_;
  std::optional<std::vector<std::string>> command_;
  std::optional<std::vector<std::string>> when_;
  std::optional<std::string> output_;
  std::optional<std::string> timeout_;
  std::optional<std::string> digest_;
  std::optional<bool> may_be_empty_;
  Layer layer_;
};

Result<std::optional<std::uint64_t>> read_expect(TomlReader& top) {
  const auto expect = HF_TRY(top.integer("expect"));
  if (!expect) return std::nullopt;
  if (*expect >= 0) return static_cast<std::uint64_t>(*expect);
  return fail(top.error("expect", "bad-value", "a number of arguments is never negative"));
}

Error about(const Layer& layer, std::string_view file, std::string_view cause,
            const std::string& why) {
  return {.code = ErrorCode::kConfig,
          .op = "read",
          .subject = toml_place(file, layer.line, layer.column),
          .cause = std::string(cause),
          .detail = "layer " + in_quotes(layer.name) + why};
}

Result<> check_order(const LayerPlan& plan, std::string_view file) {
  std::set<std::string_view> names;
  const Layer* optional = nullptr;
  for (const Layer& layer : plan.layers) {
    if (!names.insert(layer.name).second) {
      return fail(about(layer, file, "duplicate-name", " is there twice"));
    }
    if (!layer.required && optional == nullptr) optional = &layer;
    if (layer.required && optional != nullptr) {
      return fail(about(layer, file, "required-after-optional",
                        " is required and stands after " + in_quotes(optional->name) +
                            ", which is not; required layers come first"));
    }
  }
  return {};
}

}  // namespace

Result<LayerPlan> parse_layer_plan(std::string_view text, std::string_view name) {
  const TomlTable table = HF_TRY(parse_toml(text, name));
  TomlReader top(table, std::string(name));
  LayerPlan plan;
  plan.expect = HF_TRY(read_expect(top));
  for (const TomlTable* layer : HF_TRY(top.tables("layer"))) {
    plan.layers.push_back(HF_TRY(LayerReader(*layer, name).read()));
  }
  HF_TRY(top.finish());
  if (plan.layers.empty()) {
    return fail({.code = ErrorCode::kConfig,
                 .op = "read",
                 .subject = toml_place(name, 1, 1),
                 .cause = "no-layers",
                 .detail = "there is no [[layer]] in it"});
  }
  HF_TRY(check_order(plan, name));
  return plan;
}

}  // namespace holdfast
