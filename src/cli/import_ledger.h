// SPDX-License-Identifier: Apache-2.0
//
// A history of another tool, judged against the ledger that it is to become.
//
// Guarantee: importable only where the source could be read whole and the target is not there.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/import_record.h"

namespace holdfast::cli {

struct LedgerImport {
  ImportRecord record{};
  std::string bytes{};  // of the source
};

// Both paths absolute. Errors: the source is not there, or the target cannot be looked at.
Result<LedgerImport> judge_ledger(const std::string& source, const std::string& target,
                                  const std::vector<std::string>& time_field, file::TrustDir trust);

}  // namespace holdfast::cli
