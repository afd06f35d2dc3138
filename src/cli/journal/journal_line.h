// SPDX-License-Identifier: Apache-2.0
//
// A record of the journal as a line: for programs, with the data as it stands in the record, and for
// people. And where such lines go.
//
//   JSON format/journal/journal_line.h
//   CSV   RFC 4180 with the columns of kCsvHeader and LF at the end of a line; data is the JSON
//   text
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/frame/context.h"
#include "cli/frame/user_file.h"
#include "format/journal/journal_line.h"
#include "format/journal/journal_record.h"
#include "journal/read/query.h"
#include "os/file/staged_file.h"

namespace holdfast::cli {

inline constexpr std::string_view kCsvHeader = "seq,time,type,class,writer,boot,data\n";

// Appends to `out`, newline included.
void append_csv_line(const RecordFields& record, std::string_view data, std::string& out);

// A CSV field: in quotes, and quotes in it doubled, where it needs them.
void append_csv_field(std::string_view text, std::string& out);

// Journals for people: one line per record, and aligned tables of counts.
//
//   2026-11-15T07:46:00Z  lock.fail_open        lock=deploy reason=timeout waited_ms=1500
//
// On a terminal a line is cut to its width, with `…` at the end; elsewhere it is whole. Text from
// records is made safe for a terminal (base/printable.h).

// `key=value` for each key of the JSON object `data`: texts bare, or in quotes where blanks would
// tear them apart; nested values as JSON. What is no object is shown as it is.
std::string facts(std::string_view data);

// With its newline.
std::string table_line(const Context& context, const RecordFields& record, std::string_view data);

struct CountRow {
  std::vector<std::string> key;
  std::uint64_t count = 0;
};
// The keys in columns, then the counts, right-aligned.
std::string count_table(const std::vector<CountRow>& rows);

// A visitor that prints each record as the user asked for: a JSON line, or a line of the table. The
// context must outlive it, and must have begun a stream.
journal::QueryVisitor show_records(Context& context);

// Where an export goes: to stdout as it is made, or to a new file that appears when it is whole.
class ExportSink {
 public:
  // Nothing, or `-`: stdout. Errors: kRefused (`exists`): an existing file is never replaced.
  static Result<std::unique_ptr<ExportSink>> open(Context& context,
                                                  const std::optional<std::string>& path);

  Result<> write(std::string_view lines);
  // The file gets its name (0600). Without it nothing is left.
  Result<> finish();

 private:
  explicit ExportSink(Context& context) : context_(context) {}

  Context& context_;
  std::string path_;
  std::optional<UserFile> at_;
  std::optional<os::StagedFile> staged_;
  std::string pending_;
};

}  // namespace holdfast::cli
