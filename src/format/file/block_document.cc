// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_document.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>

#include "format/text/text_lines.h"

namespace holdfast {
namespace {

constexpr std::size_t kShortestFence = 3;

}  // namespace

bool FenceTracker::step_at_run(std::string_view line) {
  const char mark = line.front();
  std::size_t length = line.find_first_not_of(mark);
  if (length == line.npos) length = line.size();
  const std::string_view rest = line.substr(length);
  if (open()) {
    const bool closes =
        mark == mark_ && length >= length_ && rest.find_first_not_of(" \t\r") == rest.npos;
    if (closes) length_ = 0;
    return !closes;
  }
  if (length < kShortestFence || (mark == '`' && rest.contains('`'))) return false;
  mark_ = mark;
  length_ = length;
  return false;
}

namespace {

using BlockDocumentKind = MarkerAnomaly::Kind;

constexpr std::array<std::string_view, 8> kKindWords{"orphan-begin", "orphan-end", "reversed",
                                                     "nested",       "crossed",    "duplicate",
                                                     "in-fence",     "malformed"};

constexpr std::size_t kBlockDocumentMostNamed = 100;  // in one message

struct Seen {
  Marker marker;
  TextLine line;
  std::optional<BlockDocumentKind> wrong{};
  std::size_t partner = 0;  // where nothing is wrong

  [[nodiscard]] bool begins() const { return marker.kind == Marker::Kind::kBegin; }
};

Error block_document_corrupt(std::string_view path, std::string cause, std::string detail) {
  return {.code = ErrorCode::kCorrupt,
          .op = "read the blocks of",
          .subject = std::string(path),
          .cause = std::move(cause),
          .detail = std::move(detail)};
}

Result<> check_is_text(std::string_view text, std::string_view path) {
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (!utf16 && !text.contains('\0')) return {};
  return fail(block_document_corrupt(path, "not-text",
                                     utf16
                                         ? "it is UTF-16, which cannot be edited by lines of bytes"
                                         : "it has NUL bytes, so it is not a text"));
}

Result<std::vector<Seen>> find_markers(std::string_view text, const BlockSyntax& syntax,
                                       std::string_view path) {
  const MarkerReader reader(syntax);
  FenceTracker fence;
  std::vector<Seen> found;
  LineCursor cursor(text);
  for (TextLine line; cursor.next(line);) {
    const std::string_view bytes = line.of(text);
    const bool fenced = syntax.fences && fence.step(bytes);
    const auto marker = reader.read(bytes);
    if (!marker) continue;
    if (found.size() == kMostMarkers) {
      return fail(block_document_corrupt(
          path, "too-many-markers",
          "it has more than " + std::to_string(kMostMarkers) + " marker lines"));
    }
    found.push_back({.marker = *marker, .line = line});
    if (marker->kind == Marker::Kind::kMalformed)
      found.back().wrong = BlockDocumentKind::kMalformed;
    if (fenced) found.back().wrong = BlockDocumentKind::kInFence;
  }
  return found;
}

// Pairs the markers of one id, given in the order of the text: a begin belongs to the end that
// directly follows it.
void pair_up(std::vector<Seen>& seen, std::span<const std::size_t> same) {
  for (std::size_t i = 0; i < same.size(); ++i) {
    Seen& now = seen[same[i]];
    const auto begins = [&](std::size_t at) { return at < same.size() && seen[same[at]].begins(); };
    const auto ends = [&](std::size_t at) { return at < same.size() && !seen[same[at]].begins(); };
    if (now.begins() && ends(i + 1)) {
      now.partner = same[i + 1];
      seen[same[i + 1]].partner = same[i];
      ++i;
    } else if (!now.begins() && begins(i + 1) && !ends(i + 2)) {
      now.wrong = seen[same[i + 1]].wrong = BlockDocumentKind::kReversed;
      ++i;
    } else {
      now.wrong = now.begins() ? BlockDocumentKind::kOrphanBegin : BlockDocumentKind::kOrphanEnd;
    }
  }
}

// The markers that are not wrong in themselves, by id and then in the order of the text.
std::vector<std::size_t> by_id(const std::vector<Seen>& seen) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i].wrong) order.push_back(i);
  }
  const auto key = [&](std::size_t i) {
    return std::tuple(seen[i].marker.custom, seen[i].marker.id, i);
  };
  std::ranges::sort(order, {}, key);
  return order;
}

void pair_all(std::vector<Seen>& seen) {
  const auto order = by_id(seen);
  const std::span<const std::size_t> all(order);
  for (std::size_t from = 0; from < all.size();) {
    const Marker& first = seen[all[from]].marker;
    std::size_t to = from + 1;
    while (to < all.size() && seen[all[to]].marker.id == first.id &&
           seen[all[to]].marker.custom == first.custom) {
      ++to;
    }
    pair_up(seen, all.subspan(from, to - from));
    from = to;
  }
}

// A pair with paired markers between its lines is no block: does it hold whole pairs only?
void judge_overlaps(std::vector<Seen>& seen) {
  std::vector<std::size_t> paired;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i].wrong) paired.push_back(i);
  }
  std::vector<std::pair<std::size_t, BlockDocumentKind>> wrong;
  for (std::size_t at = 0; at < paired.size(); ++at) {
    const std::size_t begin = paired[at];
    if (!seen[begin].begins() || paired[at + 1] == seen[begin].partner) continue;
    BlockDocumentKind kind = BlockDocumentKind::kNested;
    for (std::size_t in = at + 1; paired[in] != seen[begin].partner; ++in) {
      const std::size_t other = seen[paired[in]].partner;
      if (other < begin || other > seen[begin].partner) kind = BlockDocumentKind::kCrossed;
    }
    wrong.emplace_back(begin, kind);
  }
  for (const auto& [begin, kind] : wrong) {
    seen[begin].wrong = seen[seen[begin].partner].wrong = kind;
  }
}

void judge_duplicates(std::vector<Seen>& seen) {
  const auto order = by_id(seen);
  for (std::size_t i = 2; i < order.size(); ++i) {
    Seen& now = seen[order[i]];
    const Marker& before = seen[order[i - 2]].marker;  // of the pair before, or of another id
    if (now.marker.id == before.id && now.marker.custom == before.custom) {
      now.wrong = BlockDocumentKind::kDuplicate;
    }
  }
}

ManagedBlock block_of(const Seen& begin, const Seen& end) {
  return {.id = begin.marker.id,
          .digest = begin.marker.digest,
          .custom = begin.marker.custom,
          .first_line = begin.line.number,
          .last_line = end.line.number,
          .begin = begin.line.begin,
          .begin_end = begin.line.end,
          .content = begin.line.next,
          .content_end = end.line.begin,
          .end = end.line.next,
          .ended = end.line.ended()};
}

}  // namespace

std::string_view to_text(MarkerAnomaly::Kind kind) {
  return kKindWords[static_cast<std::size_t>(kind)];
}

const ManagedBlock* BlockDocument::find(const BlockSyntax& syntax, std::string_view id) const {
  const auto wanted = [&](const ManagedBlock& block) {
    return syntax.custom() ? block.custom : !block.custom && block.id == id;
  };
  const auto found = std::ranges::find_if(blocks, wanted);
  return found == blocks.end() ? nullptr : &*found;
}

Result<BlockDocument> parse_blocks(std::string_view text, const BlockSyntax& syntax,
                                   std::string_view path) {
  HF_TRY(check_is_text(text, path));
  std::vector<Seen> seen = HF_TRY(find_markers(text, syntax, path));
  pair_all(seen);
  judge_overlaps(seen);
  judge_duplicates(seen);
  BlockDocument document;
  for (const Seen& marker : seen) {
    if (marker.wrong) {
      document.anomalies.push_back({.kind = *marker.wrong,
                                    .line = marker.line.number,
                                    .begin = marker.line.begin,
                                    .end = marker.line.next,
                                    .certain = marker.marker.certain,
                                    .id = marker.marker.id,
                                    .text = marker.line.of(text)});
    } else if (marker.begins()) {
      document.blocks.push_back(block_of(marker, seen[marker.partner]));
    }
  }
  return document;
}

Error anomalies_error(std::string_view path, const std::vector<MarkerAnomaly>& anomalies) {
  std::string lines;
  for (std::size_t i = 0; i < std::min(anomalies.size(), kBlockDocumentMostNamed); ++i) {
    const MarkerAnomaly& anomaly = anomalies[i];
    lines += (i == 0 ? "line " : ", line ") + std::to_string(anomaly.line) + ": " +
             std::string(to_text(anomaly.kind));
    if (!anomaly.id.empty()) lines += " '" + std::string(anomaly.id) + "'";
  }
  if (anomalies.size() > kBlockDocumentMostNamed) {
    lines += ", and " + std::to_string(anomalies.size() - kBlockDocumentMostNamed) + " more";
  }
  return {.code = ErrorCode::kCorrupt,
          .op = "tell the blocks apart in",
          .subject = std::string(path),
          .cause = std::string(to_text(anomalies.front().kind)),
          .detail = lines + "; nothing was changed (see `holdfast help block`)"};
}

}  // namespace holdfast
