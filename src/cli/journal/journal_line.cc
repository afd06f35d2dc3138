// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_line.h"

#include <algorithm>

#include "base/printable.h"
#include "cli/output/wrap.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"
#include "os/dir/dir.h"

namespace holdfast::cli {

void append_csv_line(const RecordFields& record, std::string_view data, std::string& out) {
  out.append(std::to_string(record.seq)).append(",");
  out.append(format_rfc3339(wall_time_of(record))).append(",");
  out.append(record.type).append(",");
  out.append(to_text(record.event_class)).append(",");
  out.append(record.writer).append(",");
  out.append(record.boot).append(",");
  append_csv_field(data, out);
  out += '\n';
}

void append_csv_field(std::string_view text, std::string& out) {
  if (text.find_first_of(",\"\r\n") == text.npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

namespace {

constexpr std::size_t kTypeColumns = 22;   // most types are shorter
constexpr std::size_t kSecondsChars = 19;  // of an RFC 3339 time, without what stands behind

std::string compact(const Json& value) { return value.dump(); }

bool is_bare(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\r\n\"=") == text.npos;
}

Context::Paint journal_table_colour_of(EventClass event_class) {
  switch (event_class) {
    case EventClass::kTrace:
      return Context::Paint::kDim;
    case EventClass::kEvent:
      return Context::Paint::kBold;
    case EventClass::kDecision:
      return Context::Paint::kYellow;
  }
  __builtin_unreachable();
}

}  // namespace

std::string facts(std::string_view data) {
  const Json object = parse_json(data);
  if (!object.is_object()) return printable(data);
  std::string out;
  for (const auto& [key, value] : object.items()) {
    if (!out.empty()) out += ' ';
    out += key + "=";
    const auto* text = value.text();
    out += text != nullptr && is_bare(*text) ? *text : compact(value);
  }
  return printable(out);
}

std::string table_line(const Context& context, const RecordFields& record, std::string_view data) {
  const std::string time = format_rfc3339(wall_time_of(record)).substr(0, kSecondsChars) + "Z";
  const std::string type = padded(std::string(record.type), kTypeColumns);
  std::string rest = facts(data);
  const auto columns = context.columns();
  if (columns) {
    const std::size_t taken = time.size() + 2 + type.size() + (rest.empty() ? 0 : 2);
    const auto width = static_cast<std::size_t>(std::max(*columns, 1));
    if (taken >= width) {
      return cut_to(time + "  " + std::string(record.type), width) + "\n";
    }
    rest = cut_to(rest, width - taken);
  }
  std::string line = time + "  ";
  if (rest.empty())
    return line + context.paint(journal_table_colour_of(record.event_class), record.type) + "\n";
  return line + context.paint(journal_table_colour_of(record.event_class), type) + "  " + rest +
         "\n";
}

std::string count_table(const std::vector<CountRow>& rows) {
  std::vector<std::size_t> widths;
  std::size_t number = 0;
  for (const CountRow& row : rows) {
    widths.resize(std::max(widths.size(), row.key.size()));
    for (std::size_t i = 0; i < row.key.size(); ++i) {
      widths[i] = std::max(widths[i], columns_of(printable(row.key[i])));
    }
    number = std::max(number, std::to_string(row.count).size());
  }
  std::string out;
  for (const CountRow& row : rows) {
    for (std::size_t i = 0; i < row.key.size(); ++i) {
      out += padded(printable(row.key[i]), widths[i]) + "  ";
    }
    const std::string count = std::to_string(row.count);
    out += std::string(number - count.size(), ' ') + count + "\n";
  }
  return out;
}

journal::QueryVisitor show_records(Context& context) {
  return [&context,
          line = std::string()](const journal::QueriedRecord& record) mutable -> Result<os::Visit> {
    const RecordFields& fields = record.at.record.fields;
    line.clear();
    if (context.json()) {
      append_json_line(fields, record.data, line);
    } else {
      line = table_line(context, fields, record.data);
    }
    HF_TRY(context.stream(line));
    return os::Visit::kContinue;
  };
}

namespace {

constexpr std::size_t kWriteBytes = std::size_t{256} * 1024;

std::unexpected<Error> exists(const std::string& path) {
  return fail({.code = ErrorCode::kRefused,
               .op = "export to",
               .subject = path,
               .cause = "exists",
               .detail = "it is there already, and is never replaced; name a new file"});
}

}  // namespace

Result<std::unique_ptr<ExportSink>> ExportSink::open(Context& context,
                                                     const std::optional<std::string>& path) {
  auto sink = std::unique_ptr<ExportSink>(new ExportSink(context));
  if (!path || *path == "-") {
    context.begin_stream();
    return sink;
  }
  sink->path_ = *path;
  sink->at_ = HF_TRY(locate_file(*path));
  if (HF_TRY(sink->at_->dir.info(sink->at_->name))) return exists(*path);
  sink->staged_.emplace(HF_TRY(os::StagedFile::create(sink->at_->dir, kPrivateFile)));
  return sink;
}

Result<> ExportSink::write(std::string_view lines) {
  if (!staged_) return context_.stream(lines);
  pending_ += lines;
  if (pending_.size() < kWriteBytes) return {};
  const auto written = staged_->write_all(pending_);
  pending_.clear();
  return written;
}

Result<> ExportSink::finish() {
  if (!staged_) return context_.flush();
  HF_TRY(staged_->write_all(pending_));
  if (HF_TRY(staged_->publish_new(at_->name)) == os::Placed::kNameTaken) return exists(path_);
  return {};
}

}  // namespace holdfast::cli
