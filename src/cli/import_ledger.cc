// SPDX-License-Identifier: Apache-2.0
#include "cli/import_ledger.h"

#include <algorithm>

#include "base/path_text.h"
#include "file/ledger.h"
#include "format/ledger_query.h"
#include "format/ledger_text.h"
#include "os/real_clock.h"
#include "os/sha256.h"

namespace holdfast::cli {
namespace {

using ImportLedgerVerdict = ImportVerdict;

void import_ledger_judged(ImportRecord& record, ImportLedgerVerdict verdict, std::string reason,
                          std::string detail) {
  record.verdict = verdict;
  record.reason = std::move(reason);
  record.detail = std::move(detail);
}

std::size_t without_time(const LedgerText& ledger, const std::vector<std::string>& field) {
  const WallTime now = os::RealClock().wall();
  std::size_t count = 0;
  for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
    if (timed_entry(ledger, i, field, now).state != EntryTime::kKnown) ++count;
  }
  return count;
}

// The rows of the source stand at the beginning of the target.
bool begins_with(const LedgerText& target, const LedgerText& source) {
  if (target.entries.size() < source.entries.size()) return false;
  return std::ranges::equal(source.entries, std::span(target.entries).first(source.entries.size()),
                            {}, &LedgerEntry::text, &LedgerEntry::text);
}

Result<> judge_target(ImportRecord& record, const LedgerText& source, const std::string& target,
                      file::TrustDir trust) {
  const auto bytes =
      file::load_ledger(target, file::Links::kRefuse, file::ForeignOwner::kRefuse, trust);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) return {};
  if (!bytes && bytes.error().code == ErrorCode::kRefused) {
    import_ledger_judged(record, ImportLedgerVerdict::kRefused, bytes.error().cause,
                         bytes.error().detail);
    return {};
  }
  if (!bytes) return fail(bytes.error());
  const LedgerText there = read_ledger(*bytes, ledger_naming(target));
  if (there.whole() && begins_with(there, source)) {
    import_ledger_judged(record, ImportLedgerVerdict::kAlready, "same-rows", record.detail);
    return {};
  }
  import_ledger_judged(record, ImportLedgerVerdict::kRefused, "target-differs",
                       "what stands in its place is not these rows; nothing was changed");
  return {};
}

}  // namespace

Result<LedgerImport> judge_ledger(const std::string& source, const std::string& target,
                                  const std::vector<std::string>& time_field,
                                  file::TrustDir trust) {
  LedgerImport import;
  ImportRecord& record = import.record;
  record.name = std::string(last_component(source));
  record.source = source;
  record.as = target;
  auto bytes = file::load_ledger(source, file::Links::kRefuse, file::ForeignOwner::kRefuse, trust);
  if (!bytes && bytes.error().code == ErrorCode::kRefused) {
    import_ledger_judged(record, ImportLedgerVerdict::kRefused, bytes.error().cause,
                         bytes.error().detail);
    return import;
  }
  if (!bytes) return fail(bytes.error());
  import.bytes = *std::move(bytes);
  record.digest = to_hex(os::sha256(import.bytes));
  const LedgerText ledger = read_ledger(import.bytes, ledger_naming(source));
  if (!ledger.whole()) {
    const Error error = ledger_error(ledger, source);
    import_ledger_judged(record, ImportLedgerVerdict::kCorrupt, error.cause, error.detail);
    return import;
  }
  record.rows = ledger.entries.size();
  record.reason = "whole";
  if (const std::size_t timeless = without_time(ledger, time_field); timeless != 0) {
    record.detail = std::to_string(timeless) + " of " + std::to_string(ledger.entries.size()) +
                    " rows have no time that can be used; --within cannot tell of them";
  }
  HF_TRY(judge_target(record, ledger, target, trust));
  return import;
}

}  // namespace holdfast::cli
