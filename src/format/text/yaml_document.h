// SPDX-License-Identifier: Apache-2.0
//
// YamlDocument: the one document of a YAML text (JSON is YAML too) as nodes.
//
// An alias is the node that it names, so a small text stays small in memory, but there may be very
// many ways to one node: whoever walks them counts steps. There are no cycles: an alias inside the
// node that it names is refused.
//
// Limits: kMaxYamlDepth levels (libyaml takes quadratic time over depth), kMaxYamlBytes.
//
// Errors: kConfig `yaml-syntax` with NAME:LINE, also for more than one document, or none;
// `too-large`. Platform: not on Windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace holdfast {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{4} << 20U;
inline constexpr std::size_t kMaxYamlDepth = 64;

class YamlDocument {
 public:
  enum class Kind : std::uint8_t { kScalar, kSequence, kMapping };
  using Node = std::size_t;

  static Result<YamlDocument> parse(std::string_view text, std::string_view name);

  [[nodiscard]] Node root() const { return root_; }
  [[nodiscard]] Kind kind(Node node) const { return nodes_[node].kind; }
  [[nodiscard]] int line(Node node) const { return nodes_[node].line; }
  [[nodiscard]] std::string_view scalar(Node node) const { return nodes_[node].text; }
  // Of a sequence; of a mapping key, value, key, value, …
  [[nodiscard]] const std::vector<Node>& items(Node node) const { return nodes_[node].items; }

 private:
  friend class YamlBuilder;
  struct Content {
    Kind kind = Kind::kScalar;
    int line = 0;
    std::string text{};
    std::vector<Node> items{};
  };

  std::vector<Content> nodes_;
  Node root_ = 0;
};

}  // namespace holdfast
