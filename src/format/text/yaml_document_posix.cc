// SPDX-License-Identifier: Apache-2.0
#include <yaml.h>

#include <map>
#include <optional>

#include "format/text/yaml_document.h"

#include "base/cause.h"

namespace holdfast {
namespace {

class Parser {
 public:
  Parser() : ready_(yaml_parser_initialize(&parser_) == 1) {}
  ~Parser() {
    if (ready_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  [[nodiscard]] bool ready() const { return ready_; }
  yaml_parser_t* get() { return &parser_; }

 private:
  yaml_parser_t parser_{};
  bool ready_;
};

struct EventHolder {
  yaml_event_t event{};

  EventHolder() = default;
  ~EventHolder() { yaml_event_delete(&event); }
  EventHolder(const EventHolder&) = delete;
  EventHolder& operator=(const EventHolder&) = delete;
};

std::string yaml_document_text_of(const yaml_char_t* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

Error bad_yaml(std::string_view name, std::size_t line, std::string detail) {
  return {.code = ErrorCode::kConfig,
          .op = "read",
          .subject = std::string(name) + ":" + std::to_string(line + 1),
          .cause = "yaml-syntax",
          .detail = std::move(detail)};
}

}  // namespace

// Takes the parser's events one by one, so that it can stop before the text is too deep.
class YamlBuilder {
 public:
  explicit YamlBuilder(std::string_view name) : name_(name) {}

  Result<YamlDocument> build(yaml_parser_t* parser) {
    for (;;) {
      EventHolder holder;
      if (yaml_parser_parse(parser, &holder.event) != 1) {
        const std::size_t line = parser->problem_mark.line;
        return fail(bad_yaml(name_, line, parser->problem ? parser->problem : "no memory"));
      }
      if (holder.event.type == YAML_STREAM_END_EVENT) break;
      HF_TRY(take(holder.event));
    }
    if (documents_ == 0) return fail(bad_yaml(name_, 0, "it holds no document"));
    return std::move(document_);
  }

 private:
  struct Open {
    YamlDocument::Node node;
    std::string anchor;
  };

  Result<> take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (++documents_ == 1) return {};
        return fail(bad_yaml(name_, event.start_mark.line, "it holds more than one document"));
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        const auto node = add(event, YamlDocument::Kind::kScalar);
        document_.nodes_[node].text = {reinterpret_cast<const char*>(scalar.value), scalar.length};
        name_node(node, yaml_document_text_of(scalar.anchor));
        return {};
      }
      case YAML_SEQUENCE_START_EVENT:
        return open(event, YamlDocument::Kind::kSequence, event.data.sequence_start.anchor);
      case YAML_MAPPING_START_EVENT:
        return open(event, YamlDocument::Kind::kMapping, event.data.mapping_start.anchor);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        name_node(open_.back().node, open_.back().anchor);
        open_.pop_back();
        return {};
      case YAML_ALIAS_EVENT: {
        const auto named = anchors_.find(yaml_document_text_of(event.data.alias.anchor));
        if (named == anchors_.end()) {
          return fail(bad_yaml(name_, event.start_mark.line, "an alias names no node before it"));
        }
        put(named->second);
        return {};
      }
      default:
        return {};
    }
  }

  YamlDocument::Node add(const yaml_event_t& event, YamlDocument::Kind kind) {
    const YamlDocument::Node node = document_.nodes_.size();
    document_.nodes_.push_back({.kind = kind, .line = static_cast<int>(event.start_mark.line) + 1});
    put(node);
    return node;
  }
  void put(YamlDocument::Node node) {
    if (!open_.empty()) document_.nodes_[open_.back().node].items.push_back(node);
  }
  Result<> open(const yaml_event_t& event, YamlDocument::Kind kind, const yaml_char_t* anchor) {
    if (open_.size() == kMaxYamlDepth) {
      return fail(bad_yaml(name_, event.start_mark.line, "it is nested too deep"));
    }
    const YamlDocument::Node node = add(event, kind);
    open_.push_back({.node = node, .anchor = yaml_document_text_of(anchor)});
    return {};
  }
  void name_node(YamlDocument::Node node, const std::string& anchor) {
    if (!anchor.empty()) anchors_[anchor] = node;
  }

  std::string_view name_;
  YamlDocument document_;
  std::vector<Open> open_;
  std::map<std::string, YamlDocument::Node> anchors_;
  int documents_ = 0;
};

Result<YamlDocument> YamlDocument::parse(std::string_view text, std::string_view name) {
  if (text.size() > kMaxYamlBytes) {
    return fail({.code = ErrorCode::kConfig,
                 .op = "read",
                 .subject = std::string(name),
                 .cause = cause::kTooLarge,
                 .detail = "a YAML file may have 4 MiB at most"});
  }
  Parser parser;
  if (!parser.ready()) return fail(bad_yaml(name, 0, "no memory"));
  yaml_parser_set_input_string(parser.get(), reinterpret_cast<const unsigned char*>(text.data()),
                               text.size());
  return YamlBuilder(name).build(parser.get());
}

}  // namespace holdfast
