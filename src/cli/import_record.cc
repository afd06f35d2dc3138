// SPDX-License-Identifier: Apache-2.0
#include "cli/import_record.h"

#include <algorithm>

#include "base/printable.h"
#include "format/json.h"
#include "format/json_bytes.h"

namespace holdfast::cli {
namespace {

using ImportRecordVerdict = ImportVerdict;

constexpr std::array kVerdicts{ImportRecordVerdict::kImportable, ImportRecordVerdict::kImported,
                               ImportRecordVerdict::kAlready,    ImportRecordVerdict::kHeld,
                               ImportRecordVerdict::kUnknown,    ImportRecordVerdict::kCorrupt,
                               ImportRecordVerdict::kRefused};

std::ptrdiff_t import_record_count(const ImportReport& report, ImportRecordVerdict verdict) {
  return std::ranges::count(report.records, verdict, &ImportRecord::verdict);
}

Json import_record_text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : bytes_to_json(text);
}

Json record_json(const ImportRecord& record) {
  return {{"name", bytes_to_json(record.name)},
          {"source", bytes_to_json(record.source)},
          {"verdict", to_text(record.verdict)},
          {"reason", record.reason},
          {"detail", import_record_text_or_null(record.detail)},
          {"pid", record.pid ? Json(*record.pid) : Json(nullptr)},
          {"as", import_record_text_or_null(record.as)},
          {"rows", record.rows ? Json(*record.rows) : Json(nullptr)}};
}

Json import_record_report_json(const ImportReport& report) {
  Json records = Json::array();
  for (const ImportRecord& record : report.records) records.push_back(record_json(record));
  Json counts = Json::object();
  for (const ImportRecordVerdict verdict : kVerdicts) {
    counts[std::string(to_text(verdict))] = import_record_count(report, verdict);
  }
  return {{"kind", report.kind},
          {"source", bytes_to_json(report.source)},
          {"applied", report.applied},
          {"records", std::move(records)},
          {"counts", std::move(counts)}};
}

std::string import_record_line_of(const ImportRecord& record) {
  std::string line =
      std::string(to_text(record.verdict)) + " " + printable(record.name) + ": " + record.reason;
  if (!record.as.empty()) line += ", as " + printable(record.as);
  if (!record.detail.empty()) line += " (" + printable(record.detail) + ")";
  return line + "\n";
}

ExitCode import_record_code_of(const ImportReport& report) {
  if (report.records.empty()) return ExitCode::kNo;
  if (import_record_count(report, ImportRecordVerdict::kCorrupt) != 0) return ExitCode::kCorrupt;
  if (import_record_count(report, ImportRecordVerdict::kUnknown) != 0) return ExitCode::kCannotTell;
  const bool left = import_record_count(report, ImportRecordVerdict::kHeld) +
                        import_record_count(report, ImportRecordVerdict::kRefused) !=
                    0;
  return left ? ExitCode::kRefused : ExitCode::kDone;
}

}  // namespace

std::string_view to_text(ImportVerdict verdict) {
  switch (verdict) {
    case ImportRecordVerdict::kImportable:
      return "importable";
    case ImportRecordVerdict::kImported:
      return "imported";
    case ImportRecordVerdict::kAlready:
      return "already";
    case ImportRecordVerdict::kHeld:
      return "held";
    case ImportRecordVerdict::kUnknown:
      return "unknown";
    case ImportRecordVerdict::kCorrupt:
      return "corrupt";
    case ImportRecordVerdict::kRefused:
      break;
  }
  return "refused";
}

int answer_import(Context& context, const ImportReport& report) {
  if (context.json()) {
    context.emit(import_record_report_json(report));
    return to_int(import_record_code_of(report));
  }
  for (const ImportRecord& record : report.records) context.print(import_record_line_of(record));
  if (report.records.empty()) {
    context.warn("there are no records of this kind in " + printable(report.source));
  }
  if (!report.applied && import_record_count(report, ImportRecordVerdict::kImportable) != 0) {
    context.note("nothing was changed; --apply takes over what is importable");
  }
  return to_int(import_record_code_of(report));
}

std::vector<Block> import_manual() {
  return {
      heading("What is taken over"),
      paragraph("The records that harnesses keep today are read, judged and, with --apply, taken "
                "over into the home. Sources are never written, moved or removed. Without --apply "
                "nothing is changed at all. Running it twice gives the same as once."),
      term("sidecars", "lock files that are only flocked: holdfast's --file uses the same one"),
      term("pipeline-locks", "lock files with a process number in them"),
      term("agent-state", "the state file of a loop that starts one agent at a time"),
      term("ledger", "a JSON array of what was decided"),
      term("sessions", "directories of sessions, named by four hex digits"),
      heading("What is never done"),
      paragraph("A process number alone is nobody's identity: the one who has it now may be "
                "anybody. So a record whose number is in use is `unknown`, and neither adopted nor "
                "called dead. Dead is only one whose number nobody has, or somebody who started "
                "after the record was written. A record that cannot be read is `corrupt`, and "
                "never taken for empty. Links are refused."),
      paragraph("While an old writer is still in use, it does not know of holdfast's records. Stop "
                "it first, or let both lock the same sidecar."),
  };
}

}  // namespace holdfast::cli
