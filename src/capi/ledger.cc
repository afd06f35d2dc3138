// SPDX-License-Identifier: Apache-2.0
#include "file/ledger/ledger.h"

#include <charconv>
#include <string>
#include <utility>

#include "capi/boundary.h"
#include "capi/file.h"
#include "capi/handles.h"
#include "file/replace/replaced_record.h"
#include "format/file/ledger_query.h"
#include "format/json/json.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

namespace holdfast::capi {
namespace {

// "FIELD=N,FIELD=N"
Result<LedgerCaps> caps_of(const holdfast_ledger_options& options) {
  LedgerCaps caps;
  if (options.cap != 0) caps.newest = options.cap;
  std::string_view rest = options.cap_per != nullptr ? options.cap_per : "";
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t equal = one.rfind('=');
    const std::string_view number = equal == one.npos ? "" : one.substr(equal + 1);
    std::uint64_t newest = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), newest);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size() || newest == 0)
      return fail(wrong_call("bad-value", "cap_per", "it is FIELD=N, with N of 1 or more"));
    LedgerCaps::PerField per{.field = HF_TRY(parse_ledger_path(one.substr(0, equal))),
                             .newest = newest};
    caps.per.push_back(std::move(per));
  }
  return caps;
}

Result<std::string> time_field_of(const char* text) {
  const std::vector<std::string> path = HF_TRY(parse_ledger_path(text != nullptr ? text : "time"));
  if (path.size() == 1) return path.front();
  return fail(wrong_call("bad-value", "time_field", "the time of an entry is a field of its own"));
}

Json found_fields(const LedgerText& ledger, const LedgerAnswer& found) {
  const bool decided = found.verdict != LedgerAnswer::Verdict::kCannotTell;
  Json fields{
      {"found", decided ? Json(found.verdict == LedgerAnswer::Verdict::kFound) : Json(nullptr)},
      {"entry", nullptr},
      {"raw", nullptr},
      {"number", nullptr},
      {"age_ms", nullptr},
      {"future", false},
      {"entries", ledger.entries.size()}};
  if (!found.entry) return fields;
  const std::string_view text = ledger.entries[found.entry->number].text;
  fields["entry"] = parse_json(text);
  fields["raw"] = text;
  fields["number"] = found.entry->number + 1;
  fields["future"] = found.entry->state == EntryTime::kFuture;
  if (found.entry->state == EntryTime::kKnown) {
    fields["age_ms"] =
        std::chrono::duration_cast<std::chrono::milliseconds>(found.entry->age).count();
  }
  return fields;
}

Error no_such_entry(const char* path) {
  return {.code = ErrorCode::kNotFound,
          .op = "find an entry of",
          .subject = path,
          .cause = "no-such-entry",
          .detail = "no entry matches"};
}

Error no_age(const char* path, const TimedEntry& entry) {
  const bool future = entry.state == EntryTime::kFuture;
  return {.code = ErrorCode::kCannotTell,
          .op = "tell the age of an entry of",
          .subject = path,
          .cause = future ? "future-time" : "no-time",
          .detail = "entry " + std::to_string(entry.number + 1) + " matches, but its time " +
                    (future ? "is in the future" : "is missing or cannot be read")};
}

Result<std::string> load(const char* path) {
  HF_TRY(require(path, "path"));
  return file::load_ledger(path, file::Links::kRefuse, file::ForeignOwner::kRefuse);
}

}  // namespace
}  // namespace holdfast::capi

int holdfast_ledger_append(holdfast_home* hf, const char* path, const char* entry,
                           const holdfast_ledger_options* options, char** json,
                           holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    HF_TRY(require(entry, "entry"));
    const holdfast_ledger_options own = HF_TRY(read_struct(options, "options"));
    Change change = HF_TRY(change_of(*state, path, own.file, "ledger append"));
    use_its_lock(change);
    file::LedgerAppend how;
    how.caps = HF_TRY(caps_of(own));
    how.time_field = HF_TRY(time_field_of(own.time_field));
    how.replace = change.options;
    const auto done = file::append_ledger(change.path, entry, how, state->clock);
    if (!done) return tell_replaced(*state, change.path, fail(done.error()), {}, json);
    Json fields{{"format", to_text(done->format)},
                {"entries", done->entries},
                {"dropped", done->dropped},
                {"entry", parse_json(done->entry)}};
    return tell_replaced(*state, change.path, done->file, std::move(fields), json);
  });
}

int holdfast_ledger_last(holdfast_home* hf, const char* path, const char* const* where,
                         int64_t within_ms, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    const State* const state = HF_TRY(state_of(hf));
    LedgerQuestion question{.now = state->clock.wall()};
    for (const std::string& text : texts_of(where))
      question.where.push_back(HF_TRY(parse_ledger_where(text)));
    question.within = HF_TRY(limit_of(within_ms, "within_ms"));
    const std::string bytes = HF_TRY(load(path));
    const LedgerText ledger = read_ledger(bytes, ledger_naming(path));
    if (!ledger.whole()) return fail(ledger_error(ledger, path));
    const LedgerAnswer found = last_in_ledger(ledger, question);
    using Verdict = LedgerAnswer::Verdict;
    const int code = found.verdict == Verdict::kFound      ? HOLDFAST_OK
                     : found.verdict == Verdict::kNotFound ? HOLDFAST_NO
                                                           : HOLDFAST_CANNOT_TELL;
    give_document(json, code, found_fields(ledger, found));
    if (found.verdict == Verdict::kNotFound) return fail(no_such_entry(path));
    if (found.verdict == Verdict::kCannotTell) return fail(no_age(path, *found.entry));
    return HOLDFAST_OK;
  });
}

int holdfast_ledger_read(holdfast_home* hf, const char* path, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    HF_TRY(state_of(hf));
    HF_TRY(require(json, "json"));
    const std::string bytes = HF_TRY(load(path));
    const LedgerText ledger = read_ledger(bytes, ledger_naming(path));
    if (!ledger.whole()) return fail(ledger_error(ledger, path));
    std::string all = "[";
    for (const LedgerEntry& entry : ledger.entries) {
      if (all.size() > 1) all += ',';
      all += entry.text;
    }
    *json = give(all + "]");
    return HOLDFAST_OK;
  });
}

int holdfast_ledger_repair(holdfast_home* hf, const char* path, char** json,
                           holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    Change change = HF_TRY(change_of(*state, path, nullptr, "ledger repair"));
    use_its_lock(change);
    const auto done = file::repair_ledger(change.path, change.options, state->clock);
    if (!done) return tell_replaced(*state, change.path, fail(done.error()), {}, json);
    Json fields{{"changed", done->needed},
                {"format", to_text(done->format)},
                {"kept", done->kept},
                {"damages", done->damages},
                {"lost_bytes", done->lost_bytes},
                {"copy", done->copy ? Json(*done->copy) : Json(nullptr)}};
    if (done->file) return tell_replaced(*state, change.path, *done->file, std::move(fields), json);
    give_document(json, HOLDFAST_OK, std::move(fields));
    return HOLDFAST_OK;
  });
}
