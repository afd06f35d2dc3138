// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_marker.h"

#include <algorithm>

#include "format/file/block_document.h"

namespace holdfast {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kBeginWord = ">>> holdfast";
constexpr std::string_view kEndWord = "<<< holdfast";
constexpr std::string_view kDigestWord = " sha256:";
constexpr std::size_t kLongestId = 100;

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_id(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._/:@+-").contains(c);
  };
  return !text.empty() && text.size() <= kLongestId && std::ranges::all_of(text, allowed);
}

bool is_digest(std::string_view text) {
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == kBlockDigestDigits && std::ranges::all_of(text, digit);
}

Error bad_marker(std::string_view line, std::string_view why) {
  return {.code = ErrorCode::kUsage,
          .op = "use as a marker line",
          .subject = "'" + std::string(line) + "'",
          .cause = "bad-marker",
          .detail = std::string(why)};
}

bool opens_fence(std::string_view line) {
  FenceTracker tracker;
  tracker.step(line);
  return tracker.open();
}

Result<> check_custom(std::string_view line, bool fences) {
  using namespace std::string_view_literals;
  if (line.empty()) return fail(bad_marker(line, "it is empty"));
  if (line.find_first_of("\n\r\0"sv) != line.npos) {
    return fail(bad_marker(line, "it must be one line of text"));
  }
  if (line.contains(kBeginWord) || line.contains(kEndWord)) {
    return fail(bad_marker(line, "it looks like a marker of holdfast's own; give --id instead"));
  }
  if (fences && opens_fence(line)) return fail(bad_marker(line, "it opens a code fence"));
  return {};
}

std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// What a line is whose comment goes on with `behind` after `>>> holdfast`, if it is no exact
// marker. Without an id it is text; so it is where more words follow than an id and a digest.
std::optional<Marker> malformed_marker(std::string_view behind, std::string_view close) {
  if (!behind.empty() && !kBlanks.contains(behind.front())) return std::nullopt;
  std::string_view rest = behind;
  if (!close.empty()) rest = rest.substr(0, rest.find(close));
  if (!is_id(take_word(rest))) return std::nullopt;
  const std::string_view word = take_word(rest);
  if (word.empty()) return Marker{.kind = Marker::Kind::kMalformed, .certain = false};
  if (!word.starts_with(kDigestWord.substr(1))) return std::nullopt;
  const std::string_view digits = word.substr(kDigestWord.size() - 1);
  if (digits.empty() || !std::string_view("0123456789abcdefABCDEF").contains(digits.front())) {
    return std::nullopt;
  }
  return Marker{.kind = Marker::Kind::kMalformed};
}

}  // namespace

Result<BlockSyntax> block_syntax(std::string_view path, std::optional<BlockStyle> style,
                                 std::optional<CustomMarkers> custom) {
  const auto by_name = block_style_of(path);
  BlockSyntax syntax{.style = style ? style : by_name};
  syntax.fences = by_name == BlockStyle::kMarkdown || by_name == BlockStyle::kMdx ||
                  syntax.style == BlockStyle::kMarkdown || syntax.style == BlockStyle::kMdx;
  if (custom) {
    syntax.begin = without_blanks(custom->begin);
    syntax.end = without_blanks(custom->end);
    HF_TRY(check_custom(syntax.begin, syntax.fences));
    HF_TRY(check_custom(syntax.end, syntax.fences));
    if (syntax.begin.contains(syntax.end) || syntax.end.contains(syntax.begin)) {
      return fail(bad_marker(syntax.end, "one of the two lines is contained in the other"));
    }
  }
  if (syntax.style || syntax.custom()) return syntax;
  return fail({.code = ErrorCode::kUsage,
               .op = "mark a block in",
               .subject = std::string(path),
               .cause = "no-comments",
               .detail = "this format has no comments, so a marker line would break it; name a "
                         "style (--style) or the two lines (--begin, --end) if it has"});
}

Result<> check_block_id(const BlockSyntax& syntax, std::string_view id) {
  const auto refuse = [&](std::string_view why) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "use as the id of a block",
                 .subject = "'" + std::string(id) + "'",
                 .cause = "bad-id",
                 .detail = std::string(why)});
  };
  if (!is_id(id)) return refuse("an id is 1 to 100 of the characters A-Z a-z 0-9 . _ / : @ + -");
  const bool angle = syntax.style && comment_form(*syntax.style).open.starts_with("<!--");
  if (angle && id.contains("--")) return refuse("XML forbids `--` inside comments");
  return {};
}

std::string begin_line(const BlockSyntax& syntax, std::string_view id, std::string_view digest) {
  if (syntax.custom()) return syntax.begin;
  const CommentForm form = comment_form(*syntax.style);
  std::string line(form.open);
  line.append(kBeginWord).append(" ").append(id).append(kDigestWord).append(digest);
  return line.append(form.close);
}

std::string end_line(const BlockSyntax& syntax, std::string_view id) {
  if (syntax.custom()) return syntax.end;
  const CommentForm form = comment_form(*syntax.style);
  std::string line(form.open);
  return line.append(kEndWord).append(" ").append(id).append(form.close);
}

MarkerReader::MarkerReader(const BlockSyntax& syntax) : syntax_(&syntax) {
  const auto note = [&](char c) { may_begin_[static_cast<unsigned char>(c)] = true; };
  if (syntax.style) {
    form_ = comment_form(*syntax.style);
    sign_ = without_blanks(form_.open);
    note(sign_.front());
  }
  if (syntax.custom()) {
    note(syntax.begin.front());
    note(syntax.end.front());
  }
}

std::optional<Marker> MarkerReader::read_custom(std::string_view line) const {
  const bool begins = line.starts_with(syntax_->begin);
  if (!begins && !line.starts_with(syntax_->end)) return std::nullopt;
  if (without_blanks(line) != (begins ? syntax_->begin : syntax_->end)) return std::nullopt;
  return Marker{.kind = begins ? Marker::Kind::kBegin : Marker::Kind::kEnd, .custom = true};
}

// `line` begins with the sign.
std::optional<Marker> MarkerReader::read_own(std::string_view line) const {
  line = without_blanks(line);
  const std::string_view words = without_blanks(line.substr(sign_.size()));
  const bool begins = words.starts_with(kBeginWord);
  if (!begins && !words.starts_with(kEndWord)) return std::nullopt;
  const auto malformed =
      malformed_marker(words.substr(kBeginWord.size()), without_blanks(form_.close));
  const std::size_t head = form_.open.size() + kBeginWord.size() + 1;
  if (line.size() <= head + form_.close.size() || !line.ends_with(form_.close) ||
      line.substr(form_.open.size(), kBeginWord.size()) != words.substr(0, kBeginWord.size()) ||
      line[head - 1] != ' ' || !line.starts_with(form_.open)) {
    return malformed;
  }
  std::string_view id = line.substr(head, line.size() - head - form_.close.size());
  if (!begins) {
    return is_id(id) ? std::optional(Marker{.kind = Marker::Kind::kEnd, .id = id}) : malformed;
  }
  const std::size_t at = id.find(kDigestWord);
  if (at == id.npos) return malformed;
  const std::string_view digest = id.substr(at + kDigestWord.size());
  id = id.substr(0, at);
  if (!is_id(id) || !is_digest(digest)) return malformed;
  return Marker{.kind = Marker::Kind::kBegin, .id = id, .digest = digest};
}

}  // namespace holdfast
