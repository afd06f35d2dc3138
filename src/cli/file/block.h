// SPDX-License-Identifier: Apache-2.0
//
// Block: a piece of a manual page. A heading, a paragraph that may be wrapped, a term with what it
// says, or a line of code that must not be wrapped.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace holdfast::cli {

struct Block {
  enum class Kind : std::uint8_t { kHeading, kParagraph, kTerm, kCode };
  Kind kind;
  std::string text;
  std::string says{};  // of a term
};

inline Block heading(std::string text) { return {Block::Kind::kHeading, std::move(text)}; }
inline Block paragraph(std::string text) { return {Block::Kind::kParagraph, std::move(text)}; }
inline Block code(std::string text) { return {Block::Kind::kCode, std::move(text)}; }
inline Block term(std::string text, std::string says) {
  return {Block::Kind::kTerm, std::move(text), std::move(says)};
}

}  // namespace holdfast::cli
