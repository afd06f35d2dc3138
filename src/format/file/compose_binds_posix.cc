// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "format/file/compose_binds.h"
#include "format/text/expand.h"
#include "format/text/yaml_document.h"

namespace holdfast {
namespace {

using Node = YamlDocument::Node;
using ComposeBindsKind = YamlDocument::Kind;
using Mapping = std::map<std::string, Node, std::less<>>;

constexpr int kMaxMergeDepth = 32;

class ComposeBindsReader {
 public:
  ComposeBindsReader(const YamlDocument& yaml, std::string_view name, std::string_view base,
                     const VariableLookup& lookup)
      : yaml_(yaml), name_(name), base_(base), lookup_(lookup) {}

  Result<std::vector<BindMount>> read() {
    const Mapping top = HF_TRY(mapping(yaml_.root(), "the file"));
    if (const auto include = top.find("include"); include != top.end()) {
      return fail(elsewhere(include->second, "`include` brings in other files"));
    }
    const auto services = top.find("services");
    if (services == top.end()) {
      return fail(bad(yaml_.root(), "compose-shape", "it has no `services`"));
    }
    for (const auto& [service, node] : HF_TRY(mapping(services->second, "`services`"))) {
      HF_TRY(read_service(service, node));
    }
    return std::move(binds_);
  }

 private:
  Result<> read_service(const std::string& service, Node node) {
    const Mapping keys = HF_TRY(mapping(node, "the service " + service));
    if (const auto extends = keys.find("extends"); extends != keys.end()) {
      // The other service of this file has its own turn; one of another file would be missed.
      if (yaml_.kind(extends->second) == ComposeBindsKind::kMapping &&
          HF_TRY(mapping(extends->second, "`extends`")).contains("file")) {
        return fail(elsewhere(extends->second, "`extends` brings in another file"));
      }
    }
    const auto volumes = keys.find("volumes");
    if (volumes == keys.end() || is_null(volumes->second)) return {};
    if (yaml_.kind(volumes->second) != ComposeBindsKind::kSequence) {
      return fail(bad(volumes->second, "compose-shape", "`volumes` of a service is a list"));
    }
    for (const Node volume : yaml_.items(volumes->second)) {
      HF_TRY(step(volume));
      HF_TRY(yaml_.kind(volume) == ComposeBindsKind::kScalar ? read_short(service, volume)
                                                             : read_long(service, volume));
    }
    return {};
  }

  Result<> read_short(const std::string& service, Node node) {
    const std::string text = HF_TRY(scalar(node));
    const std::size_t colon = text.find(':');
    const std::string source = text.substr(0, colon);
    if (source.empty()) return fail(bad(node, "compose-shape", "a volume is an empty text"));
    if (colon == std::string::npos) return {};  // a volume without a name
    if (source.front() != '/' && source.front() != '.' && source.front() != '~') {
      if (source.find('/') == std::string::npos) return {};
      return fail(bad(node, "compose-shape",
                      source + " is neither a path (`./" + source + "`) nor a volume's name"));
    }
    const std::string target = text.substr(colon + 1);
    return add(service, node, source, target.substr(0, target.find(':')));
  }

  Result<> read_long(const std::string& service, Node node) {
    const Mapping keys = HF_TRY(mapping(node, "a volume"));
    const auto type = value(node, keys, "type");
    if (!type) return fail(type.error());
    if (*type != "bind") return {};
    const std::string source = HF_TRY(value(node, keys, "source"));
    const std::string target = HF_TRY(value(node, keys, "target"));
    if (source.empty()) return fail(bad(node, "compose-shape", "the `source` is empty"));
    return add(service, node, source, target);
  }

  Result<> add(const std::string& service, Node node, const std::string& source,
               std::string target) {
    // Only `~` counts here: the variables are replaced already, and a value may hold a `$`.
    std::string path = source;
    if (path == "~" || path.starts_with("~/")) {
      const auto home = lookup_("HOME");
      if (!home) return fail(bad(node, "unset-variable", "the variable HOME is not set"));
      path.replace(0, 1, *home);
    } else if (path.starts_with('~')) {
      return fail(bad(node, "compose-shape", "the home of another user is not known: " + path));
    }
    if (path.find('\0') != std::string::npos) {
      return fail(bad(node, "compose-shape", "a path holds a NUL byte"));
    }
    binds_.push_back({.service = service,
                      .source = lexical_path(base_, path),
                      .target = std::move(target),
                      .line = yaml_.line(node)});
    return {};
  }

  Result<std::string> value(Node node, const Mapping& keys, std::string_view key) {
    const auto found = keys.find(key);
    if (found == keys.end()) {
      return fail(bad(node, "compose-shape", "a volume has no `" + std::string(key) + "`"));
    }
    return scalar(found->second);
  }

  Result<std::string> scalar(Node node) {
    HF_TRY(step(node));
    if (yaml_.kind(node) != ComposeBindsKind::kScalar) {
      return fail(bad(node, "compose-shape", "a text is expected here"));
    }
    auto text = expand_compose(yaml_.scalar(node), lookup_);
    if (!text) return fail(bad(node, text.error().cause, text.error().detail));
    return text;
  }

  // With what its merge keys bring; its own keys count before those, earlier ones before later.
  Result<Mapping> mapping(Node node, const std::string& what, int depth = 0) {
    HF_TRY(step(node));
    if (yaml_.kind(node) != ComposeBindsKind::kMapping) {
      return fail(bad(node, "compose-shape", what + " is not a mapping"));
    }
    if (depth > kMaxMergeDepth) {
      return fail(bad(node, "compose-too-large", "`<<` leads too deep"));
    }
    Mapping result;
    std::vector<Node> merged;
    const std::vector<Node>& pairs = yaml_.items(node);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      const Node key = pairs[i];
      const Node content = pairs[i + 1];
      HF_TRY(step(key));
      if (yaml_.kind(key) != ComposeBindsKind::kScalar) {
        return fail(bad(key, "compose-shape", "a key is not a text"));
      }
      const std::string_view word = yaml_.scalar(key);
      if (word != "<<") {
        if (result.emplace(word, content).second) continue;
        return fail(bad(key, "compose-shape", "the key `" + std::string(word) + "` comes twice"));
      }
      if (yaml_.kind(content) == ComposeBindsKind::kSequence) {
        for (const Node one : yaml_.items(content)) merged.push_back(one);
      } else {
        merged.push_back(content);
      }
    }
    for (const Node one : merged) result.merge(HF_TRY(mapping(one, "what `<<` names", depth + 1)));
    return result;
  }

  Result<> step(Node node) {
    if (++steps_ <= kMaxComposeSteps) return {};
    return fail(bad(node, "compose-too-large", "aliases make it too large"));
  }

  [[nodiscard]] bool is_null(Node node) const {
    if (yaml_.kind(node) != ComposeBindsKind::kScalar) return false;
    const std::string_view text = yaml_.scalar(node);
    return text.empty() || text == "null" || text == "~";
  }

  [[nodiscard]] Error elsewhere(Node node, std::string_view what) const {
    return bad(node, "compose-elsewhere",
               std::string(what) + "; give the output of `docker compose config` instead");
  }
  [[nodiscard]] Error bad(Node node, std::string_view cause, std::string detail) const {
    return {.code = ErrorCode::kConfig,
            .op = "read",
            .subject = std::string(name_) + ":" + std::to_string(yaml_.line(node)),
            .cause = std::string(cause),
            .detail = std::move(detail)};
  }

  const YamlDocument& yaml_;
  std::string_view name_;
  std::string_view base_;
  const VariableLookup& lookup_;
  std::size_t steps_ = 0;
  std::vector<BindMount> binds_;
};

}  // namespace

Result<std::vector<BindMount>> parse_compose_binds(std::string_view text, std::string_view name,
                                                   std::string_view base,
                                                   const VariableLookup& lookup) {
  const YamlDocument yaml = HF_TRY(YamlDocument::parse(text, name));
  return ComposeBindsReader(yaml, name, base, lookup).read();
}

}  // namespace holdfast
