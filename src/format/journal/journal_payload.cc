// SPDX-License-Identifier: Apache-2.0
#include "format/journal/journal_payload.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"

namespace holdfast {
namespace {

constexpr std::array<std::string_view, 3> kJournalPayloadKinds{"torn", "lost", "damaged"};

std::optional<JournalRepaired::Kind> parse_kind(std::string_view text) {
  const auto* const found = std::ranges::find(kJournalPayloadKinds, text);
  if (found == kJournalPayloadKinds.end()) return std::nullopt;
  return static_cast<JournalRepaired::Kind>(found - kJournalPayloadKinds.begin());
}

WallTime to_wall(std::int64_t us) {
  // WallTime counts nanoseconds; format_rfc3339 clamps the rest.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1000;
  return WallTime(std::chrono::microseconds(std::clamp(us, -kMost, kMost)));
}

// The fields of one record. What is missing or of another kind is noted, the first of it by name,
// and read as empty, so that a decoder reads straight through and asks once.
class Fields {
 public:
  Fields(std::string_view data, std::string_view type, std::string_view subject)
      : own_(parse_json(data)), object_(&own_), type_(type), subject_(subject) {
    if (!own_.is_object()) miss("it is not one JSON object");
  }

  [[nodiscard]] const Json& json() const { return *object_; }
  [[nodiscard]] bool has(const char* key) const { return object_->contains(key); }

  std::uint64_t count(const char* key) { return value_of(json_count(*object_, key), key); }
  bool flag(const char* key) { return value_of(json_flag(*object_, key), key); }
  std::string text(const char* key) {
    const std::string* const found = json_text(*object_, key);
    if (found == nullptr) miss_key(key);
    return found != nullptr ? *found : std::string();
  }
  Digest base64url(const char* key) { return value_of(parse_digest_base64url(text(key)), key); }
  Digest hex(const char* key) { return value_of(parse_digest_hex(text(key)), key); }
  Id128 id(const char* key) { return value_of(parse_id128(text(key)), key); }
  SeqRange seqs(const char* first, const char* last) {
    const SeqRange range{.first = count(first), .last = count(last)};
    if (range.first > range.last) miss_key(last);
    return range;
  }
  std::optional<SeqRange> seqs_if_any(const char* first, const char* last) {
    if (!has(first) && !has(last)) return std::nullopt;
    return seqs(first, last);
  }

  // Reads the object `inner` with `read` as if it stood alone.
  template <typename Read>
  auto inside(const Json& inner, Read read) {
    const Json* const outer = std::exchange(object_, &inner);
    if (!inner.is_object()) miss("a part of it is not an object");
    auto result = read(*this);
    object_ = outer;
    return result;
  }

  template <typename T>
  T value_of(const std::optional<T>& found, const char* key) {
    if (!found) miss_key(key);
    return found.value_or(T{});
  }
  void miss_key(const char* key) {
    miss("its field '" + std::string(key) + "' is missing or wrong");
  }

  template <typename Payload>
  Result<Payload> result(Payload payload) {
    if (why_.empty()) return payload;
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "read the journal record " + std::string(type_),
                 .subject = std::string(subject_),
                 .cause = "bad-payload",
                 .detail = why_ + "; it was left as it is"});
  }

 private:
  void miss(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }

  Json own_;
  const Json* object_;
  std::string_view type_;
  std::string_view subject_;
  std::string why_;
};

EventData& add_seqs(EventData& data, const std::optional<SeqRange>& seqs, const char* first,
                    const char* last) {
  return seqs ? data.count(first, seqs->first).count(last, seqs->last) : data;
}

}  // namespace

std::string_view to_text(JournalRepaired::Kind kind) {
  return kJournalPayloadKinds[static_cast<std::size_t>(kind)];
}

EventData encode(const SegmentOpened& payload) {
  EventData data;
  data.text("journal", to_hex(payload.journal)).count("segment", payload.number);
  if (payload.previous) {
    data.object("previous", EventData()
                                .text("head", to_base64url(payload.previous->head))
                                .count("last", payload.previous->last_seq)
                                .count("bytes", payload.previous->bytes));
  } else {
    data.null("previous");
  }
  return data.text("boot", to_hex(payload.boot))
      .text("host", payload.host)
      .number("format", SegmentOpened::kFormat);
}

Result<SegmentOpened> decode_segment_opened(std::string_view data, std::string_view subject) {
  Fields fields(data, SegmentOpened::kType, subject);
  // Before all else: of a later format nothing but its number is known.
  if (fields.json().is_object()) {
    HF_TRY(check_format_version("journal segment", subject, json_version(fields.json(), "format"),
                                SegmentOpened::kFormat));
  }
  SegmentOpened payload;
  payload.journal = fields.id("journal");
  payload.number = fields.count("segment");
  const Json* previous = fields.json().find("previous");
  if (previous == nullptr) {
    fields.miss_key("previous");
  } else if (!previous->is_null()) {
    payload.previous = fields.inside(*previous, [](Fields& inner) {
      return SegmentOpened::Previous{.head = inner.base64url("head"),
                                     .last_seq = inner.count("last"),
                                     .bytes = inner.count("bytes")};
    });
  }
  payload.boot = fields.id("boot");
  payload.host = fields.text("host");
  return fields.result(std::move(payload));
}

EventData encode(const SegmentSealed& payload) {
  EventData counts;
  for (const auto& [type, count] : payload.counts) counts.count(type, count);
  return EventData()
      .count("records", payload.records)
      .count("first", payload.seqs.first)
      .count("last", payload.seqs.last)
      .text("head", to_base64url(payload.head))
      .text("root", to_base64url(payload.root))
      .object("counts", counts);
}

Result<SegmentSealed> decode_segment_sealed(std::string_view data, std::string_view subject) {
  Fields fields(data, SegmentSealed::kType, subject);
  SegmentSealed payload;
  payload.records = fields.count("records");
  payload.seqs = fields.seqs("first", "last");
  payload.head = fields.base64url("head");
  payload.root = fields.base64url("root");
  const Json* counts = fields.json().find("counts");
  if (counts == nullptr || !counts->is_object()) {
    fields.miss_key("counts");
    return fields.result(std::move(payload));
  }
  for (const auto& [type, count] : counts->items()) {
    if (!count.count()) {
      fields.miss_key("counts");
      break;
    }
    payload.counts.emplace(type, *count.count());
  }
  return fields.result(std::move(payload));
}

EventData encode(const JournalRepaired& payload) {
  EventData data;
  data.text("kind", to_text(payload.kind))
      .count("segment", payload.segment)
      .count("offset", payload.offset)
      .count("bytes", payload.bytes);
  if (payload.blob) data.text("blob", to_hex(*payload.blob));
  return add_seqs(data, payload.lost, "lost_from", "lost_to")
      .flag("same_boot", payload.same_boot)
      .text("says", payload.says);
}

Result<JournalRepaired> decode_journal_repaired(std::string_view data, std::string_view subject) {
  Fields fields(data, JournalRepaired::kType, subject);
  JournalRepaired payload;
  payload.kind = fields.value_of(parse_kind(fields.text("kind")), "kind");
  payload.segment = fields.count("segment");
  payload.offset = fields.count("offset");
  payload.bytes = fields.count("bytes");
  if (fields.has("blob")) payload.blob = fields.hex("blob");
  payload.lost = fields.seqs_if_any("lost_from", "lost_to");
  payload.same_boot = fields.flag("same_boot");
  payload.says = fields.text("says");
  return fields.result(std::move(payload));
}

EventData encode(const JournalRetention& payload) {
  std::vector<EventData> dropped;
  for (const JournalRetention::Dropped& each : payload.dropped) {
    dropped.push_back(EventData()
                          .count("first", each.seqs.first)
                          .count("last", each.seqs.last)
                          .count("bytes", each.bytes)
                          .text("head", to_base64url(each.head)));
  }
  return EventData().objects("dropped", dropped);
}

Result<JournalRetention> decode_journal_retention(std::string_view data, std::string_view subject) {
  Fields fields(data, JournalRetention::kType, subject);
  JournalRetention payload;
  const Json* dropped = fields.json().find("dropped");
  if (dropped == nullptr || !dropped->is_array()) {
    fields.miss_key("dropped");
    return fields.result(std::move(payload));
  }
  for (const Json& each : *dropped) {
    payload.dropped.push_back(fields.inside(each, [](Fields& inner) {
      return JournalRetention::Dropped{.seqs = inner.seqs("first", "last"),
                                       .bytes = inner.count("bytes"),
                                       .head = inner.base64url("head")};
    }));
  }
  return fields.result(std::move(payload));
}

EventData encode(const JournalSyncError& payload) {
  EventData data;
  data.count("segment", payload.segment).text("error", payload.error);
  return add_seqs(data, payload.unknown, "unknown_from", "unknown_to");
}

Result<JournalSyncError> decode_journal_sync_error(std::string_view data,
                                                   std::string_view subject) {
  Fields fields(data, JournalSyncError::kType, subject);
  JournalSyncError payload;
  payload.segment = fields.count("segment");
  payload.error = fields.text("error");
  payload.unknown = fields.seqs_if_any("unknown_from", "unknown_to");
  return fields.result(std::move(payload));
}

EventData encode(const JournalFull& payload) {
  return EventData()
      .text("state", payload.ended ? "ended" : "began")
      .count("dropped_trace", payload.dropped_trace)
      .count("dropped_event", payload.dropped_event)
      .text("since", format_rfc3339(to_wall(payload.since_us)));
}

Result<JournalFull> decode_journal_full(std::string_view data, std::string_view subject) {
  Fields fields(data, JournalFull::kType, subject);
  JournalFull payload;
  const std::string state = fields.text("state");
  payload.ended = state == "ended";
  if (!payload.ended && state != "began") fields.miss_key("state");
  payload.dropped_trace = fields.count("dropped_trace");
  payload.dropped_event = fields.count("dropped_event");
  const WallTime since = fields.value_of(parse_rfc3339(fields.text("since")), "since");
  payload.since_us =
      std::chrono::floor<std::chrono::microseconds>(since).time_since_epoch().count();
  return fields.result(payload);
}

}  // namespace holdfast
