// SPDX-License-Identifier: Apache-2.0
#include "cli/health/metrics.h"

#include "format/journal/journal_payload.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

class Text {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    out_.append("# HELP ").append(name).append(" ").append(help).append("\n");
    out_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  void sample(std::uint64_t value) {
    out_.append(name_).append(" ").append(std::to_string(value)).append("\n");
  }
  void sample(std::string_view label, std::string_view text, std::uint64_t value) {
    out_.append(name_).append("{").append(label).append("=\"").append(label_value(text));
    out_.append("\"} ").append(std::to_string(value)).append("\n");
  }
  void samples(std::string_view label, const Metrics::Counts& counts) {
    for (const auto& [text, value] : counts) sample(label, text, value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string_view name_;
  std::string out_;
};

}  // namespace

std::string label_value(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '"') {
      out += "\\\"";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string metrics_text(const Metrics& metrics) {
  Text text;
  text.family("holdfast_journal_readable", "gauge",
              "1 where all of the journal could be read and no damage in it is unexplained.");
  text.sample(metrics.readable ? 1 : 0);
  text.family("holdfast_events_total", "counter",
              "Events in the journal, by type. Starts anew where retention drops segments.");
  text.samples("type", metrics.events);
  text.family("holdfast_lock_fail_open_total", "counter",
              "Commands that ran without their lock, by lock.");
  text.samples("lock", metrics.fail_open);
  text.family("holdfast_journal_head_seq", "gauge", "The number of the last event.");
  text.sample(metrics.head_seq);
  text.family("holdfast_journal_bytes", "gauge", "The bytes of all segments.");
  text.sample(metrics.bytes);
  text.family("holdfast_journal_segments", "gauge", "The number of segments.");
  text.sample(metrics.segments);
  text.family("holdfast_journal_dropped_total", "counter",
              "Events that a full disk made the journal leave out, by class.");
  text.sample("class", "trace", metrics.dropped_trace);
  text.sample("class", "event", metrics.dropped_event);
  text.family("holdfast_journal_repaired_total", "counter",
              "Times that something was wrong with the journal and was put on record.");
  text.sample(metrics.count_of(JournalRepaired::kType));
  text.family("holdfast_journal_sync_errors_total", "counter",
              "Times that the system failed to bring events to stable storage.");
  text.sample(metrics.count_of(JournalSyncError::kType));
  return text.take();
}

namespace {

Json counts_json(const Metrics::Counts& counts) {
  Json json = Json::object();
  for (const auto& [what, count] : counts) json[what] = count;
  return json;
}

}  // namespace

Json metrics_json(const Metrics& metrics) {
  return {{"readable", metrics.readable},
          {"events", counts_json(metrics.events)},
          {"lock_fail_open", counts_json(metrics.fail_open)},
          {"head_seq", metrics.head_seq},
          {"bytes", metrics.bytes},
          {"segments", metrics.segments},
          {"dropped", {{"trace", metrics.dropped_trace}, {"event", metrics.dropped_event}}},
          {"repaired", metrics.count_of(JournalRepaired::kType)},
          {"sync_errors", metrics.count_of(JournalSyncError::kType)}};
}

}  // namespace holdfast::cli
