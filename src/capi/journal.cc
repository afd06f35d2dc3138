// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "capi/boundary.h"
#include "capi/handles.h"
#include "format/journal/event_type.h"
#include "format/journal/journal_line.h"
#include "journal/read/query.h"
#include "journal/read/snapshot.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

namespace holdfast::capi {
namespace {

constexpr std::uint64_t kDefaultLimit = 1000;

Result<EventClass> class_of(int asked, EventClass registered) {
  if (asked < HOLDFAST_CLASS_OF_TYPE || asked > HOLDFAST_CLASS_DECISION)
    return fail(wrong_call("bad-value", "event_class", "it is one of HOLDFAST_CLASS_…"));
  if (asked == HOLDFAST_CLASS_OF_TYPE) return registered;
  const EventClass wanted =
      asked == HOLDFAST_CLASS_EVENT ? EventClass::kEvent : EventClass::kDecision;
  if (wanted >= registered) return wanted;
  return fail(wrong_call(
      "bad-value", "event_class",
      "events of this type are of class " + std::string(to_text(registered)) + " at least"));
}

// An event that the caller asks for is not put off.
EventClass at_least_event(EventClass wanted) {
  return wanted == EventClass::kTrace ? EventClass::kEvent : wanted;
}

Result<journal::QueryRequest> query_of(const holdfast_query& query) {
  journal::QueryRequest request;
  request.filter.types = texts_of(query.types);
  for (const std::string& text : texts_of(query.where))
    request.filter.where.push_back(HF_TRY(journal::parse_where(text)));
  constexpr std::int64_t kMicroseconds = 1000;
  if (query.since_unix_ms < 0 || query.until_unix_ms < 0 ||
      query.since_unix_ms > INT64_MAX / kMicroseconds ||
      query.until_unix_ms > INT64_MAX / kMicroseconds)
    return fail(wrong_call("bad-value", "since_unix_ms", "it is a time since 1970"));
  if (query.since_unix_ms != 0) request.filter.since_us = query.since_unix_ms * kMicroseconds;
  if (query.until_unix_ms != 0) request.filter.until_us = query.until_unix_ms * kMicroseconds;
  request.reverse = query.newest_first != 0;
  request.limit = query.limit != 0 ? query.limit : kDefaultLimit;
  return request;
}

struct Answered {
  std::string events;
  std::size_t damaged = 0;
};

Result<Answered> ask(const os::Dir& dir, const journal::QueryRequest& request) {
  return journal::with_snapshot(dir, [&](const journal::Snapshot& snapshot) -> Result<Answered> {
    Answered answered;
    const auto result = HF_TRY(journal::query(
        snapshot, request, [&](const journal::QueriedRecord& record) -> Result<os::Visit> {
          if (!answered.events.empty()) answered.events.back() = ',';  // of the newline
          append_json_line(record.at.record.fields, record.data, answered.events);
          return os::Visit::kContinue;
        }));
    if (!answered.events.empty()) answered.events.pop_back();
    for (const journal::Damage& damage : result.damaged)
      answered.damaged += damage.explained ? 0 : 1;
    return answered;
  });
}

std::string events_document(int code, const Answered& answered) {
  return std::string(R"({"ok":)") + (code == 0 ? "true" : "false") + R"(,"code":)" +
         std::to_string(code) + R"(,"damaged":)" + std::to_string(answered.damaged) +
         R"(,"events":[)" + answered.events + "]}";
}

}  // namespace
}  // namespace holdfast::capi

int holdfast_journal_append(holdfast_home* hf, const char* type, const char* data, int event_class,
                            uint64_t* seq, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    HF_TRY(require(type, "type"));
    const std::string_view name(type);
    if (name.starts_with("journal."))
      return fail(wrong_call("reserved-type", "type", "only the journal itself writes these"));
    EventData facts;
    if (data != nullptr) facts = HF_TRY(parse_event_data(data));
    const EventClass wanted =
        HF_TRY(class_of(event_class, HF_TRY(check_event(name, facts.keys()))));
    const EventReceipt receipt = HF_TRY(state->events.record(
        {.type = name, .data = std::move(facts), .at_least = at_least_event(wanted)}));
    if (seq != nullptr) *seq = receipt.kept == EventReceipt::Kept::kSpilled ? 0 : receipt.seq;
    return HOLDFAST_OK;
  });
}

int holdfast_journal_query(holdfast_home* hf, const holdfast_query* query, char** json,
                           holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    HF_TRY(require(json, "json"));
    const journal::QueryRequest request = HF_TRY(query_of(HF_TRY(read_struct(query, "query"))));
    // What this process has put off is part of the answer.
    HF_TRY(state->events.flush());
    const auto dir = HF_TRY(state->for_call()->find_journal());
    Answered answered;
    if (dir) answered = HF_TRY(ask(*dir, request));
    const int code = answered.damaged == 0 ? HOLDFAST_OK : HOLDFAST_CORRUPT;
    *json = give(events_document(code, answered));
    if (code == HOLDFAST_OK) return HOLDFAST_OK;
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "read all of",
                 .subject = "the journal",
                 .cause = "damaged",
                 .detail = std::to_string(answered.damaged) +
                           " places are damaged; `holdfast journal verify` shows them"});
  });
}
