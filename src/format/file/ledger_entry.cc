// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_edit.h"

#include <span>
#include <utility>

#include "base/event.h"
#include "format/file/ledger_query.h"
#include "format/journal/event_type.h"
#include "format/json/json_span.h"
#include "format/text/rfc3339.h"

namespace holdfast {
namespace {

std::unexpected<Error> ledger_entry_refused(ErrorCode code, std::string_view cause,
                                            std::string detail) {
  return fail({.code = code,
               .op = "use the entry",
               .subject = {},
               .cause = std::string(cause),
               .detail = std::move(detail)});
}

}  // namespace

Result<std::string> checked_ledger_entry(std::string_view json) {
  if (json.size() > kMaxLedgerEntryBytes) {
    return ledger_entry_refused(
        ErrorCode::kCorrupt, "entry-too-large",
        "it has " + std::to_string(json.size()) + " bytes; at most 1 MiB are allowed");
  }
  const std::size_t begin = skip_json_blanks(json, 0);
  if (begin == json.size()) {
    return ledger_entry_refused(ErrorCode::kCorrupt, "not-json",
                                "it is empty; an entry is one JSON object");
  }
  const std::string_view object =
      json.substr(begin, json.find_last_not_of(kJsonBlanks) + 1 - begin);
  // Before the library sees it, which would let a byte order mark pass.
  if (const auto fault = find_json_fault(object)) {
    return ledger_entry_refused(
        ErrorCode::kCorrupt, "not-json",
        fault->detail + " (at byte " + std::to_string(begin + fault->at) + ")");
  }
  // The rules for the data of an event are the ones that are needed here.
  if (auto data = parse_event_data(object); !data) {
    return ledger_entry_refused(data.error().code, data.error().cause, data.error().detail);
  }
  return std::string(object);
}

Result<std::string> stamped_ledger_entry(std::string_view entry, const std::string& field,
                                         WallTime now, LedgerTimes times) {
  if (const auto given = find_json_value(entry, std::span(&field, 1))) {
    if (times == LedgerTimes::kOurs) {
      return ledger_entry_refused(
          ErrorCode::kUsage, "time-given",
          "it has a field '" + field +
              "', which holdfast sets; leave it out, choose another --time-field, or say "
              "--keep-time");
    }
    if (!parse_ledger_time(*given)) {
      return ledger_entry_refused(
          ErrorCode::kCorrupt, "bad-time",
          "its field '" + field + "' is neither an RFC 3339 time with an offset nor Unix seconds");
    }
    return std::string(entry);
  }
  std::string stamped(entry.substr(0, entry.size() - 1));  // without the last bracket
  if (skip_json_blanks(entry, 1) + 1 < entry.size()) stamped += ',';
  append_json_string(field, stamped);
  stamped += ":\"" + format_rfc3339(now) + "\"}";
  return stamped;
}

}  // namespace holdfast
