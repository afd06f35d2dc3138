// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_show.h"

#include "cli/journal/journal_line.h"
#include "cli/journal/journal_table.h"

namespace holdfast::cli {

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

}  // namespace holdfast::cli
