// SPDX-License-Identifier: Apache-2.0
#include "cli/session/log_lines.h"

#include <utility>

#include "cli/output/moment.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

Error no_index() {
  return {.code = ErrorCode::kCannotTell,
          .op = "tell apart what is in",
          .subject = "the log",
          .cause = "no-index",
          .detail =
              "it has no index of streams and times: an older holdfast kept it, or the index "
              "is lost; `holdfast logs` shows the text"};
}

Json stream_json(LogStream stream) {
  switch (stream) {
    case LogStream::kStdout:
      return "stdout";
    case LogStream::kStderr:
      return "stderr";
    case LogStream::kMixed:
      break;
  }
  return nullptr;
}

}  // namespace

Result<LogSelection> log_selection(const Args& args, WallTime now) {
  LogSelection selection{.timestamps = args.flag("timestamps"), .follow = args.flag("follow")};
  if (args.flag("stdout")) selection.stream = LogStream::kStdout;
  if (args.flag("stderr")) selection.stream = LogStream::kStderr;
  if (const auto since = args.text("since")) {
    selection.since = HF_TRY(parse_moment("since", *since, now));
  }
  if (const auto pattern = args.text("grep")) {
    selection.pattern = HF_TRY(os::LinePattern::compile(*pattern));
  }
  if (!selection.is_all()) selection.tail = args.integer("tail");
  return selection;
}

Result<> LogLines::show(session::LogReader& log) {
  for (;;) {
    const session::LogPiece piece = HF_TRY(log.read_piece());
    if (piece.bytes.empty()) {
      if (selection_.follow && HF_TRY(log.look_for_more())) continue;
      if (selection_.follow && !std::exchange(caught_up_, true)) HF_TRY(print_kept());
      return context_.flush();
    }
    if (!std::exchange(checked_, true) && selection_.needs_index() && !log.has_index()) {
      return fail(no_index());
    }
    HF_TRY(take(piece));
  }
}

Result<> LogLines::take(const session::LogPiece& piece) {
  Line& line = open_[static_cast<std::size_t>(piece.from)];
  std::string_view bytes = piece.bytes;
  while (!bytes.empty()) {
    if (line.text.empty()) line.time = piece.time;
    const std::size_t end = bytes.find('\n');
    line.text += bytes.substr(0, end);
    line.from = piece.from;
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
    if (end == bytes.npos && line.text.size() < kMostLine) return {};
    line.ended = end != bytes.npos;
    HF_TRY(end_line(std::exchange(line, {})));
  }
  return {};
}

bool LogLines::wants(const Line& line) {
  const bool other =
      selection_.stream && line.from != LogStream::kMixed && line.from != *selection_.stream;
  const bool earlier = selection_.since && line.time && *line.time < *selection_.since;
  if (other || earlier) return false;
  if (selection_.pattern && !selection_.pattern->matches(line.text)) return false;
  const bool untold = (selection_.stream && line.from == LogStream::kMixed) ||
                      ((selection_.since || selection_.timestamps) && !line.time);
  untold_ += untold ? 1U : 0U;
  return true;
}

Result<> LogLines::end_line(Line line) {
  if (!wants(line)) return {};
  if (!selection_.tail || caught_up_) return print(line);
  kept_.push_back(std::move(line));
  if (kept_.size() > *selection_.tail) kept_.pop_front();
  return {};
}

Result<> LogLines::print_kept() {
  for (const Line& line : std::exchange(kept_, {})) HF_TRY(print(line));
  return {};
}

Result<> LogLines::print(const Line& line) {
  if (context_.json()) {
    const Json json{
        {"line", line.text}, {"stream", stream_json(line.from)}, {"time", time_or_null(line.time)}};
    return context_.stream(json.dump() + "\n");
  }
  std::string text;
  if (selection_.timestamps) text = (line.time ? format_rfc3339(*line.time) : "-") + " ";
  text += line.text;
  if (line.ended || selection_.timestamps) text += '\n';
  return context_.stream(text);
}

// The last line of a stream may have no end.
Result<> LogLines::finish() {
  for (Line& line : open_) {
    if (line.text.empty()) continue;
    line.ended = false;
    HF_TRY(end_line(std::exchange(line, {})));
  }
  HF_TRY(print_kept());
  if (untold_ != 0) {
    context_.warn("of " + std::to_string(untold_) + (untold_ == 1 ? " line" : " lines") +
                  " the log does not know the stream or the time; they are shown");
  }
  return context_.flush();
}

}  // namespace holdfast::cli
