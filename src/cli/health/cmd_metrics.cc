// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/health/metrics.h"
#include "cli/journal/journal_damage.h"
#include "cli/journal/journal_reading.h"
#include "format/journal/journal_payload.h"
#include "journal/read/count.h"
#include "journal/write/state_file.h"

namespace holdfast::cli {
namespace {

Result<journal::CountResult> count_by(const journal::Snapshot& snapshot, std::string by,
                                      std::vector<std::string> types) {
  journal::CountRequest request;
  request.filter.types = std::move(types);
  request.by = {std::move(by)};
  return journal::count(snapshot, request);
}

Metrics::Counts to_counts(const journal::CountResult& result) {
  Metrics::Counts counts;
  for (const auto& group : result.groups) counts[group.key.front()] = group.count;
  return counts;
}

// What a full disk has cost, each time that it ended.
Result<> add_dropped(Context& context, const os::Dir& dir, Metrics& metrics) {
  journal::QueryRequest request;
  request.filter.types = {std::string(JournalFull::kType)};
  HF_TRY(read_records(context, dir, request, [&](const journal::QueriedRecord& record) {
    const auto full = decode_journal_full(record.data, "journal.full");
    if (full && full->ended) {
      metrics.dropped_trace += full->dropped_trace;
      metrics.dropped_event += full->dropped_event;
    }
    return Result<os::Visit>(os::Visit::kContinue);
  }));
  return {};
}

// And what it costs now. The note is disposable: without it nobody knows, and it is not counted.
void add_pending_drops(const os::Dir& dir, Metrics& metrics) {
  const auto state = journal::StateFile::open_existing(dir);
  if (!state || !*state) return;
  if (const auto notes = (*state)->read()) {
    metrics.dropped_trace += notes->drop.dropped_trace;
    metrics.dropped_event += notes->drop.dropped_event;
  }
}

Result<std::vector<journal::Damage>> gather(Context& context, const os::Dir& dir,
                                            Metrics& metrics) {
  const auto counted = HF_TRY(
      with_snapshot(dir, [&](const journal::Snapshot& snapshot) -> Result<journal::CountResult> {
        metrics.bytes = snapshot.bytes();
        metrics.segments = snapshot.segments().size();
        metrics.fail_open = to_counts(HF_TRY(count_by(snapshot, "data.lock", {"lock.fail_open"})));
        return count_by(snapshot, "type", {});
      }));
  metrics.events = to_counts(counted);
  journal::QueryRequest newest;
  newest.reverse = true;
  newest.limit = 1;
  HF_TRY(read_records(context, dir, newest, [&](const journal::QueriedRecord& record) {
    metrics.head_seq = record.at.record.fields.seq;
    return Result<os::Visit>(os::Visit::kContinue);
  }));
  if (metrics.count_of(JournalFull::kType) > 0) HF_TRY(add_dropped(context, dir, metrics));
  add_pending_drops(dir, metrics);
  return counted.damaged;
}

Result<int> run_metrics(Context& context, const Args& /*args*/) {
  Metrics metrics;
  std::vector<journal::Damage> damaged;
  Result<> read;
  if (const auto dir = HF_TRY(journal_to_read(context))) {
    const auto gathered = gather(context, *dir, metrics);
    if (gathered) {
      damaged = *gathered;
    } else {
      read = fail(gathered.error());
    }
  }
  metrics.readable = read.has_value() && !journal::any_unexplained(damaged);
  context.print(metrics_text(metrics));
  context.emit(metrics_json(metrics));
  if (!read) return fail(read.error());
  return tell_damage(context, worth_telling(damaged, 0, 0));  // retention is no news here
}

constexpr std::array kMetricsExamples{
    Example{.line = "holdfast write holdfast.prom -m 0644 -- holdfast metrics",
            .says = "For the text file collector of Prometheus' node exporter"},
    Example{.line = "holdfast metrics --json | jq .lock_fail_open",
            .says = "How often did each lock fail open?"},
};

constexpr std::array kMetricsExits{
    ExitNote{ExitCode::kDone, "all of the journal was read"},
    ExitNote{ExitCode::kCorrupt,
             "some of it is damaged: `holdfast_journal_readable` is 0, and the "
             "numbers are of the rest"},
    ExitNote{ExitCode::kCannotTell, "a newer holdfast wrote it: `holdfast_journal_readable` is 0"},
};

constexpr std::array kMetricsFields{
    JsonField{"readable", "true where all of the journal was read and no damage is unexplained"},
    JsonField{"events", "how many events there are, an object by type"},
    JsonField{"lock_fail_open", "how often commands ran without their lock, an object by lock"},
    JsonField{"head_seq", "the number of the last event"},
    JsonField{"bytes", "of all segments"},
    JsonField{"segments", "how many there are"},
    JsonField{"dropped", "what a full disk made the journal leave out: `trace` and `event`"},
    JsonField{"repaired", "how often something was wrong with the journal and put on record"},
    JsonField{"sync_errors", "how often the system failed to bring events to stable storage"},
};

}  // namespace

constinit const CommandSpec kMetricsCommand{
    .name = "metrics",
    .summary = "print counters from the journal for Prometheus",
    .description =
        "Prometheus' text format 0.0.4. Everything comes from the journal of the home and its "
        "index, so the numbers outlive reboots; they fall where retention drops segments. A home "
        "without a journal has zeros.",
    .examples = kMetricsExamples,
    .exits = kMetricsExits,
    .json_fields = kMetricsFields,
    .run = run_metrics,
};

}  // namespace holdfast::cli
