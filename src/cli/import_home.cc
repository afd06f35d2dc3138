// SPDX-License-Identifier: Apache-2.0
#include "cli/import_home.h"

#include "cli/deferred_events.h"
#include "cli/journal_reading.h"
#include "os/env.h"
#include "os/real_clock.h"

namespace holdfast::cli {

Result<ImportHome> ImportHome::open(Context& context, std::string_view kind) {
  ImportHome home(context, kind);
  const auto dir = HF_TRY(journal_to_read(context));
  if (!dir) return home;
  const auto fields = journal::make_json_field_reader();
  const auto text = [&](std::string_view data, const std::string& key) -> Result<std::string> {
    const std::vector<std::string> path{key};
    const auto value = HF_TRY(fields->read(data, path));
    return value ? std::string(*value) : std::string();
  };
  journal::QueryRequest request;
  request.filter.types = {"import.done"};
  const auto read = HF_TRY(read_records(
      context, *dir, request, [&](const journal::QueriedRecord& record) -> Result<os::Visit> {
        if (HF_TRY(text(record.data, "kind")) != kind) return os::Visit::kContinue;
        std::string source = HF_TRY(text(record.data, "source"));
        home.known_.emplace(std::move(source), HF_TRY(text(record.data, "digest")));
        return os::Visit::kContinue;
      }));
  if (read.damaged.empty()) return home;
  return fail({.code = ErrorCode::kCannotTell,
               .op = "tell what was imported before by",
               .subject = dir->path(),
               .cause = "damaged",
               .detail = "a part of the journal cannot be read; see `holdfast journal verify`"});
}

bool ImportHome::knows(const ImportRecord& record) const {
  return known_.contains({record.source, record.digest});
}

Result<> ImportHome::record(const ImportRecord& record) {
  EventData data;
  data.text("kind", kind_).text("source", record.source).text("digest", record.digest);
  data.text("name", record.name).text("reason", record.reason);
  if (!record.as.empty()) data.text("as", record.as);
  if (record.pid) data.number("pid", *record.pid);
  if (record.rows) data.count("rows", *record.rows);
  if (!record.facts.keys().empty()) data.object("detail", record.facts);
  const os::RealClock clock;
  DeferredEvents events(HF_TRY(locate_home(context_.home_option(), os::env)), clock);
  HF_TRY(events.record({.type = "import.done", .data = std::move(data)}));
  known_.emplace(record.source, record.digest);
  return {};
}

Result<> settle(ImportHome& home, ImportRecord& record, bool apply) {
  if (record.verdict != ImportVerdict::kImportable) return {};
  if (home.knows(record)) {
    record.verdict = ImportVerdict::kAlready;
    return {};
  }
  if (!apply) return {};
  HF_TRY(home.record(record));
  record.verdict = ImportVerdict::kImported;
  return {};
}

}  // namespace holdfast::cli
