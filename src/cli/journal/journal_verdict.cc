// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_verdict.h"

#include <algorithm>
#include <span>

#include "base/printable.h"
#include "cli/journal/journal_damage.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

using State = journal::AnchorVerdict::State;

// Calls `visit(path, verdict)` for each anchor with the file that it came from.
template <typename Visit>
void each_anchor(const Verification& found, Visit visit) {
  std::size_t next = 0;
  for (const AnchorFile& file : found.files) {
    for (std::size_t i = 0; i < file.anchors.size() && next < found.result.anchors.size(); ++i) {
      visit(file.path, found.result.anchors[next++]);
    }
  }
}

std::string row(std::string_view word, const std::string& says) {
  return std::string(word) + std::string(10 - word.size(), ' ') + says + "\n";
}

std::string pinned_text(const journal::VerifyResult& result) {
  if (result.records == 0) return "no: there is nothing to pin";
  if (result.pinned) return "yes, up to the last record";
  if (!result.pinned_to) {
    return "no: without an anchor, a rewritten or cut-off journal cannot be told";
  }
  return "up to record " + std::to_string(*result.pinned_to) + " of " +
         std::to_string(result.last_seq);
}

std::string records_text(const journal::VerifyResult& result) {
  if (result.records == 0) return "0";
  return std::to_string(result.records) + ", numbers " + std::to_string(result.first_seq) + " to " +
         std::to_string(result.last_seq) + ", in " + std::to_string(result.segments) +
         (result.segments == 1 ? " segment" : " segments");
}

// One line for a file: how many of its anchors are in which state.
std::string anchors_text(const Verification& found) {
  std::string text;
  for (const AnchorFile& file : found.files) {
    std::size_t holds = 0;
    std::size_t dropped = 0;
    std::size_t fails = 0;
    each_anchor(found, [&](const std::string& path, const journal::AnchorVerdict& verdict) {
      if (path != file.path) return;
      holds += verdict.state == State::kHolds ? 1U : 0U;
      dropped += verdict.state == State::kDropped ? 1U : 0U;
      fails += verdict.state == State::kFails ? 1U : 0U;
    });
    std::string says =
        printable(file.path) + ": " + std::to_string(holds) + (holds == 1 ? " holds" : " hold");
    if (fails > 0) says += ", " + std::to_string(fails) + (fails == 1 ? " FAILS" : " FAIL");
    if (dropped > 0) says += ", " + std::to_string(dropped) + " of records that retention dropped";
    text += row("anchors", says);
  }
  return text;
}

}  // namespace

void Verification::judge_bad_lines() {
  std::size_t first = 0;  // of the file's, in result.anchors
  for (const AnchorFile& file : files) {
    const std::size_t end = std::min(first + file.anchors.size(), result.anchors.size());
    for (const journal::BadAnchorLine& bad : file.bad) {
      const std::size_t from = std::min(first + bad.anchors_before, end);
      const auto later = std::span(result.anchors).subspan(from, end - from);
      const bool covered =
          std::ranges::any_of(later, [](const auto& one) { return one.state == State::kHolds; });
      result.damaged.push_back({.kind = std::string(journal::damage_kind::kAnchorFile),
                                .says = bad.says + (covered ? "; a later anchor holds" : ""),
                                .explained = covered});
    }
    first = end;
  }
}

void Verification::without_journal() {
  for (const AnchorFile& file : files) {
    for (const journal::Anchor& anchor : file.anchors) {
      result.anchors.push_back({.anchor = anchor, .state = State::kFails});
      result.damaged.push_back({.kind = std::string(journal::damage_kind::kAnchor),
                                .says = "record " + std::to_string(anchor.seq) +
                                        " was pinned, and there is no journal"});
    }
  }
}

std::string verdict_text(const Context& context, const Verification& found) {
  const journal::VerifyResult& result = found.result;
  std::string text = row("records", records_text(result));
  if (found.journal) text += row("journal", to_hex(*found.journal));
  if (result.records > 0) text += row("head", to_base64url(result.head));
  text += row("pinned", pinned_text(result));
  text += anchors_text(found);
  if (result.unfinished_bytes > 0) {
    text += row("end", std::to_string(result.unfinished_bytes) +
                           " bytes of an unfinished record; the next writer finishes or mends it");
  }
  for (const journal::Damage& damage : result.damaged) {
    const std::string line = printable(damage_line(damage));
    text += damage.explained ? row("known", line)
                             : context.paint(Context::Paint::kRed, "DAMAGE") + "    " + line + "\n";
  }
  return text;
}

Json verdict_json(const Verification& found) {
  const journal::VerifyResult& result = found.result;
  const bool any = result.records > 0;
  Json anchors = Json::array();
  each_anchor(found, [&](const std::string& path, const journal::AnchorVerdict& verdict) {
    anchors.push_back({{"file", path},
                       {"seq", verdict.anchor.seq},
                       {"time", format_rfc3339(verdict.anchor.time)},
                       {"state", journal::to_text(verdict.state)}});
  });
  return {{"records", result.records},
          {"head", any ? Json(to_base64url(result.head)) : Json(nullptr)},
          {"pinned", result.pinned},
          {"pinned_to", result.pinned_to ? Json(*result.pinned_to) : Json(nullptr)},
          {"journal", found.journal ? Json(to_hex(*found.journal)) : Json(nullptr)},
          {"segments", result.segments},
          {"first_seq", any ? Json(result.first_seq) : Json(nullptr)},
          {"last_seq", any ? Json(result.last_seq) : Json(nullptr)},
          {"blobs", result.blobs},
          {"unfinished_bytes", result.unfinished_bytes},
          {"damaged", damage_json(result.damaged)},
          {"anchors", std::move(anchors)}};
}

}  // namespace holdfast::cli
