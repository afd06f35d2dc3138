// SPDX-License-Identifier: Apache-2.0
//
// Managed blocks against a slow and obvious model: a text is a list of lines, markers are compared
// as strings, fences by regular expressions. Texts are random, with random markers, line ends, byte
// order marks, fences, with and without a final newline.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "format/file/block_change.h"
#include "format/file/block_test_hash.h"

namespace holdfast {
namespace {

const std::string kMark = "\xEF\xBB\xBF";

struct Line {
  std::string text;
  std::string end;  // "", "\n" or "\r\n"

  bool operator==(const Line&) const = default;
};
using Lines = std::vector<Line>;

Lines split(std::string text) {
  if (text.starts_with(kMark)) text = text.substr(kMark.size());
  Lines lines;
  Line now;
  for (const char c : text) {
    if (c != '\n') {
      now.text += c;
      continue;
    }
    now.end = "\n";
    if (now.text.ends_with('\r')) {
      now.text.pop_back();
      now.end = "\r\n";
    }
    lines.push_back(std::exchange(now, {}));
  }
  if (!now.text.empty()) lines.push_back(now);
  return lines;
}

std::string trim(std::string text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.erase(0, 1);
  while (text.ends_with(' ') || text.ends_with('\t') || text.ends_with('\r')) text.pop_back();
  return text;
}

std::string hex16(const std::string& lf_content) {
  return to_hex(test_hash(lf_content)).substr(0, 16);
}

const std::string kBlanksOrNone = "[ \t\r]*";

// 'B' and 'E' with an id, 'M' malformed, 'm' malformed without a digest, 0 for text.
struct Found {
  char kind = 0;
  std::string id{};
};

Found marker_in(const std::string& line) {
  static const std::regex begin(
      "<!-- >>> holdfast ([A-Za-z0-9._/:@+-]{1,100}) sha256:[0-9a-f]{16} -->");
  static const std::regex end("<!-- <<< holdfast ([A-Za-z0-9._/:@+-]{1,100}) -->");
  static const std::string once =
      "<!--" + kBlanksOrNone + "(>>>|<<<) holdfast[ \t\r]+" + "[A-Za-z0-9._/:@+-]{1,100}";
  static const std::regex lost(once + kBlanksOrNone);
  static const std::regex digest(once + "[ \t\r]+sha256:[0-9a-fA-F].*");
  const std::string text = trim(line);
  if (!text.starts_with("<!--")) return {};
  std::smatch match;
  if (std::regex_match(text, match, begin)) return {'B', match[1]};
  if (std::regex_match(text, match, end)) return {'E', match[1]};
  const std::string comment = text.substr(0, text.find("-->"));
  if (std::regex_match(comment, lost)) return {'m'};
  if (std::regex_match(comment, digest)) return {'M'};
  return {};
}

// For each line: is it inside a fence? And at last: would a further line be?
std::vector<bool> fenced(const Lines& lines) {
  static const std::regex opener("^ {0,3}(`{3,})[^`]*$|^ {0,3}(~{3,})[^]*$");
  std::vector<bool> inside;
  std::string run;
  for (const Line& line : lines) {
    std::smatch match;
    if (line.text.find_first_of("`~") == line.text.npos) {
      inside.push_back(!run.empty());
      continue;
    }
    if (run.empty()) {
      inside.push_back(false);
      if (std::regex_match(line.text, match, opener)) run = match[1].str() + match[2].str();
      continue;
    }
    const std::regex closer("^ {0,3}" + run + std::string(1, run[0]) + "*[ \t\r]*$");
    const bool closes = std::regex_match(line.text, closer);
    inside.push_back(!closes);
    if (closes) run.clear();
  }
  inside.push_back(!run.empty());
  return inside;
}

struct Span {
  std::size_t first;  // the line of the begin marker
  std::size_t last;   // the line of the end marker
};

// The blocks by id; nothing where the markers are not all in order.
std::optional<std::map<std::string, Span>> model_blocks(const Lines& lines) {
  const auto inside = fenced(lines);
  std::map<std::string, Span> blocks;
  std::optional<std::pair<std::string, std::size_t>> open;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Found found = marker_in(lines[i].text);
    if (found.kind == 0) continue;
    if (found.kind == 'M' || found.kind == 'm' || inside[i]) return std::nullopt;
    if (found.kind == 'B') {
      if (open || blocks.contains(found.id)) return std::nullopt;
      open = {found.id, i};
    } else {
      if (!open || open->first != found.id) return std::nullopt;
      blocks[found.id] = {open->second, i};
      open.reset();
    }
  }
  if (open) return std::nullopt;
  return blocks;
}

std::string join(const Lines& lines) {
  std::string text;
  for (const Line& line : lines) text += line.text + line.end;
  return text;
}

std::string mark_of(const std::string& text) { return text.starts_with(kMark) ? kMark : ""; }

std::string model_remove(const std::string& text, const std::string& id) {
  Lines lines = split(text);
  const Span span = model_blocks(lines)->at(id);
  const bool ended = !lines[span.last].end.empty();
  const std::string kind = lines[span.first].end;
  std::string separator;
  if (!ended && span.first > 0) separator = lines[span.first - 1].end;
  const auto at = [&](std::size_t i) { return lines.begin() + static_cast<std::ptrdiff_t>(i); };
  lines.erase(at(span.first), at(span.last + 1));
  if (!separator.empty()) {
    // It was added with the kind of the begin marker; a CR before a bare LF was there before.
    lines.back().end = separator == "\r\n" && kind == "\n" ? "\r" : "";
  }
  return mark_of(text) + join(lines);
}

std::string model_content(const std::string& text, const std::string& id) {
  const Lines lines = split(text);
  const Span span = model_blocks(lines)->at(id);
  std::string content;
  for (std::size_t i = span.first + 1; i < span.last; ++i) content += lines[i].text + lines[i].end;
  return content;
}

std::string lf_of(const std::string& content) {
  std::string out;
  for (Line line : split(content)) {
    while (line.text.ends_with('\r')) line.text.pop_back();
    out += line.text + "\n";
  }
  return out;
}

// ---- what is random ---------------------------------------------------------------------------

rc::Gen<std::string> plain_line() {
  return rc::gen::element<std::string>("", "text", "  indented", "\ttab ", "# head",
                                       "<!-- note -->", "cr\rinside", "end\r", "\xC3\xA9", "- - -",
                                       ">>> holdfast a", "<!-- >>> holdfastly -->",
                                       "<!-- >>> holdfast is nice -->", "<!-- <<< holdfast -->");
}

rc::Gen<std::string> fence_line() {
  return rc::gen::element<std::string>("```", "````sh", "~~~", "~~~~", "  ```", "    ```",
                                       "``` a`b", "``` x", "```  ");
}

rc::Gen<std::string> stray_line() {
  return rc::gen::element<std::string>(
      "<!-- >>> holdfast a sha256:0123456789abcdef -->", "<!-- <<< holdfast a -->",
      "<!-- >>> holdfast b sha256:0123456789abcdef -->", " <!-- <<< holdfast b --> ",
      "<!-- >>> holdfast c sha256:0123456789abcdef -->", "\t<!-- <<< holdfast c -->\r",
      "<!-- >>> holdfast a -->", "<!--<<< holdfast b -->", "<!-- <<< holdfast  c",
      "<!-- >>> holdfast a sha256:0 -->", "<!-- >>> holdfast  b sha256:0123456789abcdef x");
}

rc::Gen<std::vector<std::string>> fenced_code() {
  return rc::gen::map(plain_line(), [](const std::string& line) {
    return std::vector<std::string>{"```", line, "```"};
  });
}

rc::Gen<std::vector<std::string>> good_block(const std::string& id) {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(plain_line()),
                      [id](std::vector<std::string> lines) {
                        std::string content;
                        for (const std::string& line : lines) content += line + "\n";
                        content = lf_of(content);
                        lines.insert(lines.begin(), "<!-- >>> holdfast " + id +
                                                        " sha256:" + hex16(content) + " -->");
                        lines.push_back("<!-- <<< holdfast " + id + " -->");
                        return lines;
                      });
}

rc::Gen<std::vector<std::string>> one(rc::Gen<std::string> line) {
  return rc::gen::map(std::move(line),
                      [](const std::string& text) { return std::vector<std::string>{text}; });
}

// Lines as a text: one kind of line end or mixed, with or without the last one, with or without
// mark.
rc::Gen<std::string> text_of(rc::Gen<std::vector<std::vector<std::string>>> pieces) {
  return rc::gen::apply(
      [](const std::vector<std::vector<std::string>>& all, int kind, bool final, bool mark,
         unsigned mix) {
        std::string text = mark ? kMark : "";
        std::string end;
        for (const auto& piece : all) {
          for (const std::string& line : piece) {
            text += end + line;
            mix = mix * 1103515245U + 12345U;
            end = kind == 0 || (kind == 2 && ((mix >> 16) & 1U) != 0) ? "\n" : "\r\n";
          }
        }
        return final ? text + end : text;
      },
      std::move(pieces), rc::gen::inRange(0, 3), rc::gen::arbitrary<bool>(),
      rc::gen::map(rc::gen::inRange(0, 4), [](int n) { return n == 0; }),
      rc::gen::arbitrary<unsigned>());
}

// Mostly in order: any plain text and fenced code around the blocks b and c, each at most once.
rc::Gen<std::string> mostly_good_text() {
  using Pieces = std::vector<std::vector<std::string>>;
  const auto filler = rc::gen::container<Pieces>(
      rc::gen::oneOf(one(plain_line()), one(plain_line()), fenced_code()));
  return text_of(rc::gen::apply(
      [](Pieces first, bool b, std::vector<std::string> block_b, const Pieces& second, bool c,
         std::vector<std::string> block_c, const Pieces& third) {
        if (b) first.push_back(std::move(block_b));
        first.insert(first.end(), second.begin(), second.end());
        if (c) first.push_back(std::move(block_c));
        first.insert(first.end(), third.begin(), third.end());
        return first;
      },
      filler, rc::gen::arbitrary<bool>(), good_block("b"), filler, rc::gen::arbitrary<bool>(),
      good_block("c"), filler));
}

rc::Gen<std::string> any_text() {
  return text_of(rc::gen::container<std::vector<std::vector<std::string>>>(rc::gen::oneOf(
      one(plain_line()), one(stray_line()), one(fence_line()), good_block("a"), good_block("b"))));
}

rc::Gen<std::string> good_content() {
  return rc::gen::suchThat(text_of(rc::gen::container<std::vector<std::vector<std::string>>>(
                               rc::gen::oneOf(one(plain_line()), fenced_code()))),
                           [](const std::string& text) { return !fenced(split(text)).back(); });
}

// ---- the claims -------------------------------------------------------------------------------

const BlockSyntax kSyntax = block_syntax("x.md", {}, {}).value();

BlockTask task(std::string_view id) {
  return {.path = "x.md", .syntax = kSyntax, .id = id, .hash = test_hash};
}

std::string put(const std::string& text, std::string_view id, const std::string& content,
                BlockPlace::Where where = BlockPlace::Where::kEnd) {
  std::size_t line = 0;
  auto change = put_block(
      text, task(id),
      {.content = content, .allow_empty = true, .edits = Edits::kRefuse, .place = {.where = where}},
      line);
  RC_ASSERT(change.has_value());
  return change->changed ? change->text : text;
}

std::string removed(const std::string& text, std::string_view id) {
  std::size_t line = 0;
  const auto change = remove_block(text, task(id), Edits::kRefuse, line);
  RC_ASSERT(change.has_value());
  return change->text;
}

BlockPlace::Where some_end() {
  return *rc::gen::element(BlockPlace::Where::kEnd, BlockPlace::Where::kStart);
}

RC_GTEST_PROP(BlockProperty, TheParserAgreesWithTheModel, ()) {
  const std::string text = *rc::gen::oneOf(any_text(), mostly_good_text());
  const auto document = parse_blocks(text, kSyntax, "x.md");
  const auto model = model_blocks(split(text));
  RC_ASSERT(document.has_value());
  RC_CLASSIFY(model.has_value(), "in order");
  RC_ASSERT(document->anomalies.empty() == model.has_value());
  if (!model) return;
  RC_ASSERT(document->blocks.size() == model->size());
  for (const ManagedBlock& block : document->blocks) {
    const Span span = model->at(std::string(block.id));
    RC_ASSERT(block.first_line == span.first + 1);
    RC_ASSERT(block.last_line == span.last + 1);
    RC_ASSERT(std::string(block.content_of(text)) == model_content(text, std::string(block.id)));
  }
}

RC_GTEST_PROP(BlockProperty, PutThenGetGivesTheContentAndPutAgainChangesNothing, ()) {
  const std::string text = *mostly_good_text();
  const std::string content = *good_content();
  const std::string with = put(text, "a", content, some_end());
  std::size_t line = 0;
  const auto got = get_block(with, task("a"), line);
  RC_ASSERT(got.has_value());
  RC_ASSERT(lf_of(std::string(*got)) == lf_of(content));
  std::set<std::string> ends;
  for (const Line& each : split(std::string(*got))) ends.insert(each.end);
  RC_ASSERT(ends.size() <= 1U);
  RC_ASSERT(put(with, "a", content) == with);
}

RC_GTEST_PROP(BlockProperty, PutThenRemoveGivesTheOldBytes, ()) {
  const std::string text = *mostly_good_text();
  const std::string with = put(text, "a", *good_content(), some_end());
  RC_ASSERT(with != text);
  RC_ASSERT(removed(with, "a") == text);
  RC_ASSERT(model_remove(with, "a") == text);
}

RC_GTEST_PROP(BlockProperty, ReplacingChangesNothingOutside, ()) {
  const std::string text = put(*mostly_good_text(), "a", *good_content(), some_end());
  const std::string other = put(text, "a", *good_content());
  RC_ASSERT(model_remove(other, "a") == model_remove(text, "a"));
}

RC_GTEST_PROP(BlockProperty, LineEndsAreThoseOfMostLines, ()) {
  const std::string text = *mostly_good_text();
  const std::string content = *rc::gen::nonEmpty(good_content());
  std::size_t crlf = 0;
  std::size_t lf = 0;
  for (const Line& line : split(text)) {
    crlf += line.end == "\r\n" ? 1 : 0;
    lf += line.end == "\n" ? 1 : 0;
  }
  RC_PRE(crlf != lf);
  const Lines got = split(model_content(put(text, "a", content), "a"));
  for (const Line& line : got) RC_ASSERT(line.end == (crlf > lf ? "\r\n" : "\n"));
}

RC_GTEST_PROP(BlockProperty, MalformedTextIsRefused, ()) {
  const std::string text = *rc::gen::suchThat(
      any_text(), [](const std::string& any) { return !model_blocks(split(any)); });
  std::size_t line = 0;
  const auto put_answer =
      put_block(text, task("a"), {.content = "x", .edits = Edits::kOverwrite}, line);
  RC_ASSERT(!put_answer && put_answer.error().code == ErrorCode::kCorrupt);
  RC_ASSERT(line > 0U);
  const auto remove_answer = remove_block(text, task("a"), Edits::kOverwrite, line);
  RC_ASSERT(!remove_answer && remove_answer.error().code == ErrorCode::kCorrupt);
}

RC_GTEST_PROP(BlockProperty, AnyTextIsChangedRightOrRefused, ()) {
  const std::string text = *any_text();
  const std::string content = *text_of(rc::gen::container<std::vector<std::vector<std::string>>>(
      rc::gen::oneOf(one(plain_line()), one(plain_line()), one(fence_line()), one(stray_line()))));
  std::size_t line = 0;
  const auto change = put_block(
      text, task("a"), {.content = content, .allow_empty = true, .edits = Edits::kOverwrite}, line);
  const auto model = model_blocks(split(text));
  const Lines lines = split(content);
  const bool marker =
      std::ranges::any_of(lines, [](const Line& each) { return marker_in(each.text).kind != 0; });
  const bool has = model && model->contains("a");
  const bool place = has || !fenced(split(text)).back();
  RC_ASSERT(change.has_value() == (model && !marker && !fenced(lines).back() && place));
  RC_ASSERT(change || change.error().code == ErrorCode::kCorrupt);
  if (!change) return;
  const std::string now = change->changed ? change->text : text;
  RC_ASSERT(lf_of(model_content(now, "a")) == lf_of(content));
  RC_ASSERT(model_remove(now, "a") == (has ? model_remove(text, "a") : text));
}

RC_GTEST_PROP(BlockProperty, TwoIdsDoNotDisturbEachOther, ()) {
  const std::string text = *mostly_good_text();
  const std::string first = *good_content();
  const std::string second = *good_content();
  const std::string both = put(put(text, "a", first, some_end()), "z", second, some_end());
  RC_ASSERT(lf_of(model_content(both, "a")) == lf_of(first));
  RC_ASSERT(lf_of(model_content(both, "z")) == lf_of(second));
  RC_ASSERT(removed(removed(both, "a"), "z") == text);
  RC_ASSERT(removed(removed(both, "z"), "a") == text);
}

RC_GTEST_PROP(BlockProperty, StrippingLeavesAllOtherLinesAndACleanText, ()) {
  const std::string text = *any_text();
  const auto document = parse_blocks(text, kSyntax, "x.md");
  const auto stripped = strip_markers(text, task(""), *document);
  RC_ASSERT(stripped.has_value());
  // What is kept of `text`: all but marker lines outside of fences; blocks keep theirs. A line
  // that may be a person's comment counts as text.
  const auto without_markers = [](const std::string& any) {
    Lines kept;
    const Lines lines = split(any);
    const auto in = fenced(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const char kind = marker_in(lines[i].text).kind;
      if (in[i] || kind == 0 || kind == 'm') kept.push_back(lines[i]);
    }
    return mark_of(any) + join(kept);
  };
  RC_ASSERT(without_markers(*stripped) == without_markers(text));
  const auto left = parse_blocks(*stripped, kSyntax, "x.md");
  RC_ASSERT(left->blocks.size() == document->blocks.size());
  for (const MarkerAnomaly& anomaly : left->anomalies) {
    RC_ASSERT(anomaly.kind == MarkerAnomaly::Kind::kInFence ||
              marker_in(std::string(anomaly.text)).kind == 'm');
  }
}

}  // namespace
}  // namespace holdfast
