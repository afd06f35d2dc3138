// SPDX-License-Identifier: Apache-2.0
#include "format/lock/lock_chain.h"

#include <charconv>
#include <optional>
#include <utility>

#include "base/cause.h"
#include "base/path_text.h"

namespace holdfast {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";
constexpr std::string_view kNamed = "named";
constexpr std::string_view kLockChainFile = "file";
constexpr std::int64_t kChainVersion = 1;

constexpr bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
         c == '.' || c == '_' || c == '-';
}

void escape(std::string_view path, std::string& out) {
  for (const char c : path) {
    if (is_plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 0xf];
  }
}

// Only what escape() writes: each path has one spelling.
std::optional<std::string> unescape(std::string_view text) {
  std::string path;
  path.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_plain(text[at])) {
      path += text[at];
      continue;
    }
    if (text[at] != '%' || text.size() - at < 3) return std::nullopt;
    const std::size_t high = kHexDigits.find(text[at + 1]);
    const std::size_t low = kHexDigits.find(text[at + 2]);
    if (high == kHexDigits.npos || low == kHexDigits.npos) return std::nullopt;
    const auto byte = static_cast<char>(high << 4 | low);
    if (byte == '\0' || is_plain(byte)) return std::nullopt;
    path += byte;
    at += 2;
  }
  return path;
}

// Digits without a leading zero, within the type.
std::optional<std::uint64_t> lock_chain_parse_number(std::string_view text) {
  std::uint64_t value = 0;
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Takes what stands before the next `mark`, and the mark, from the front of `text`; all of it where
// there is none.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(at == text.npos ? text.size() : at + 1);
  return front;
}

std::optional<ChainEntry> parse_entry(std::string_view text) {
  const std::string_view kind = take_until(text, ':');
  if (kind != kNamed && kind != kLockChainFile) return std::nullopt;
  const auto token = parse_id128(take_until(text, ':'));
  const auto fence = lock_chain_parse_number(take_until(text, ':'));
  auto path = unescape(text);
  if (!token || !fence || !path || !is_rooted_path(*path)) return std::nullopt;
  return ChainEntry{.kind = kind == kNamed ? ChainEntry::Kind::kNamed : ChainEntry::Kind::kFile,
                    .token = *token,
                    .fence = *fence,
                    .ledger = std::move(*path)};
}

// The value itself is not shown: it has tokens.
Error bad_chain(ErrorCode code, std::string_view cause, std::string_view detail) {
  return {.code = code,
          .op = "read the chain of locks",
          .subject = "HOLDFAST_CHAIN",
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

}  // namespace

std::string encode_chain(const LockChain& chain) {
  if (chain.empty()) return "";
  std::string text = "v1";
  for (const ChainEntry& entry : chain) {
    text += ' ';
    text += entry.kind == ChainEntry::Kind::kNamed ? kNamed : kLockChainFile;
    text += ':';
    text += to_hex(entry.token);
    text += ':';
    text += std::to_string(entry.fence);
    text += ':';
    escape(entry.ledger, text);
  }
  return text;
}

Result<LockChain> decode_chain(std::string_view text) {
  if (text.empty()) return LockChain{};
  const auto unreadable = [] {
    return fail(bad_chain(ErrorCode::kCorrupt, "bad-chain",
                          "it is not what holdfast puts there; nothing was done"));
  };
  bool more = text.contains(' ');
  const std::string_view version = take_until(text, ' ');
  const auto number =
      version.starts_with('v') ? lock_chain_parse_number(version.substr(1)) : std::nullopt;
  if (!number || *number == 0) return unreadable();
  if (*number > static_cast<std::uint64_t>(kChainVersion)) {
    return fail(bad_chain(ErrorCode::kCannotTell, cause::kNewerVersion,
                          "a later holdfast wrote it; update this one. Nothing was done"));
  }
  LockChain chain;
  if (!more) return unreadable();
  while (more) {
    if (chain.size() == kMaxChain) {
      return fail(bad_chain(ErrorCode::kUsage, "chain-too-deep",
                            "it has more than " + std::to_string(kMaxChain) +
                                " locks within each other; nothing was done"));
    }
    more = text.contains(' ');
    auto entry = parse_entry(take_until(text, ' '));
    if (!entry) return unreadable();
    chain.push_back(std::move(*entry));
  }
  return chain;
}

}  // namespace holdfast
