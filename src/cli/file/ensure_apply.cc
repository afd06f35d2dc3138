// SPDX-License-Identifier: Apache-2.0
#include "cli/file/ensure_apply.h"

#include "base/printable.h"
#include "cli/file/file_lock.h"
#include "cli/file/file_options.h"
#include "file/ensure/ensure.h"
#include "format/json/json.h"
#include "run/lock/lock_environment.h"

namespace holdfast::cli {
namespace {

using Differing = file::EnsureDone::Differing;

Json differences(const std::vector<Differing>& things) {
  Json list = Json::array();
  for (const Differing& thing : things) {
    for (const file::Difference& one : thing.differences) {
      list.push_back({{"path", thing.path},
                      {"field", one.what},
                      {"found", one.is},
                      {"declared", one.declared}});
    }
  }
  return list;
}

Json ensure_answer_fields_of(const EnsureAnswer& answer) {
  Json created = Json::array();
  for (const auto& made : answer.done.created) {
    created.push_back(
        {{"path", made.path}, {"type", to_text(made.type)}, {"mode", format_mode(made.mode)}});
  }
  Json wrong = Json::array();
  for (const Error& error : answer.refused) {
    wrong.push_back({{"path", error.subject}, {"cause", error.cause}, {"detail", error.detail}});
  }
  return {{"created", created},
          {"present", answer.done.present},
          {"missing", answer.missing},
          {"pinned", differences(answer.done.pinned)},
          {"drift", differences(answer.done.drift)},
          {"wrong", wrong}};
}

std::string lines_of(std::string_view word, const std::vector<Differing>& things) {
  std::string lines;
  for (const Differing& thing : things) {
    for (const file::Difference& one : thing.differences) {
      lines += std::string(word) + " " + printable(thing.path) + ": " + one.what + " " + one.is +
               ", declared " + one.declared + "\n";
    }
  }
  return lines;
}

void add_events(std::vector<Event>& events, const std::vector<Differing>& things) {
  for (const Differing& thing : things) {
    for (const file::Difference& one : thing.differences) {
      events.push_back({.type = "ensure.drift",
                        .data = EventData()
                                    .text("path", thing.path)
                                    .text("field", one.what)
                                    .text("expected", one.declared)
                                    .text("found", one.is)});
    }
  }
}

}  // namespace

EnsureAnswer answer_of(const std::vector<ManifestEntry>& entries, const file::EnsurePlan& plan) {
  EnsureAnswer answer;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const file::Finding& finding = plan.findings[i];
    switch (finding.found) {
      case file::Found::kMissing:
        answer.missing.push_back(entries[i].path);
        break;
      case file::Found::kPresent:
        ++answer.done.present;
        break;
      case file::Found::kDrift:
        answer.done.drift.push_back({entries[i].path, finding.differences});
        break;
      case file::Found::kRefused:
        answer.refused.push_back(*finding.refusal);
        break;
    }
  }
  return answer;
}

void show(Context& context, const EnsureAnswer& answer) {
  context.emit(ensure_answer_fields_of(answer));
  std::string lines;
  for (const auto& made : answer.done.created) lines += "created " + printable(made.path) + "\n";
  for (const std::string& path : answer.missing) lines += "missing " + printable(path) + "\n";
  lines += lines_of("pinned", answer.done.pinned);
  lines += lines_of("drift", answer.done.drift);
  for (const Error& error : answer.refused) {
    lines += "refused " + printable(error.subject) + ": " + printable(error.detail) + "\n";
  }
  context.print(lines);
}

void record(Context& context, const file::EnsureDone& done) {
  std::vector<Event> events;
  for (const auto& made : done.created) {
    events.push_back({.type = "ensure.created",
                      .data = EventData()
                                  .text("path", made.path)
                                  .text("type", std::string(to_text(made.type)))
                                  .text("mode", format_mode(made.mode))});
  }
  add_events(events, done.pinned);
  add_events(events, done.drift);
  record_events(context, events);
}

Result<> apply_entries(Context& context, const std::vector<ManifestEntry>& entries,
                       const ApplyOptions& asked, EnsureAnswer& answer) {
  file::EnsureOptions options;
  if (asked.wait) options.wait = *asked.wait;
  options.gate = HF_TRY(gate_of_environment());
  FileLocks::Request locks{.path = {}, .links = asked.links};
  locks.lock = {.wait = options.wait,
                .chain = HF_TRY(run::chain_of_environment()),
                .any = lock::AnyFileSystem::kAllow,
                .command = "holdfast ensure"};
  options.edit_lock = edit_lock(context.runtime(), std::move(locks));
  const file::EnsurePlan plan =
      plan_ensure(entries, file::Purpose::kApply, asked.trust, asked.links);
  if (const Error* refusal = plan.refusal()) {
    answer = answer_of(entries, plan);
    answer.missing.clear();
    return fail(record_refused(context, refusal->subject, *refusal));
  }
  const auto applied = apply_ensure(entries, plan, options, answer.done);
  record(context, answer.done);
  if (!applied) return fail(record_refused(context, applied.error().subject, applied.error()));
  return {};
}

}  // namespace holdfast::cli
