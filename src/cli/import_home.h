// SPDX-License-Identifier: Apache-2.0
//
// The journal of the home as what `import` remembers: a record that was taken over is an event
// `import.done` with its kind, source and digest. A record with another content is another one.
//
// Limit: what retention has dropped from the journal is not known any more, and is taken over again
// where that is only an event.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "base/result.h"
#include "cli/context.h"
#include "cli/import_record.h"

namespace holdfast::cli {

class ImportHome {
 public:
  // Reads what is known; changes nothing. Errors: the journal cannot be read, or a part of it that
  // could hold such an event.
  static Result<ImportHome> open(Context& context, std::string_view kind);

  [[nodiscard]] bool knows(const ImportRecord& record) const;
  // Makes the home where it is missing. Errors: of the journal.
  Result<> record(const ImportRecord& record);

 private:
  ImportHome(Context& context, std::string_view kind) : context_(context), kind_(kind) {}

  Context& context_;
  std::string_view kind_;
  std::set<std::pair<std::string, std::string>> known_{};  // source and digest
};

// For records that become nothing but an event: already known or, with `apply`, taken over. Only of
// importable ones. Errors: it could not be recorded; then it is not taken over.
Result<> settle(ImportHome& home, ImportRecord& record, bool apply);

}  // namespace holdfast::cli
