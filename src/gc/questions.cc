// SPDX-License-Identifier: Apache-2.0
#include "gc/questions.h"

#include <algorithm>

#include "base/printable.h"

namespace holdfast::gc {
namespace {

// What a line of a probe can say (authority/ask.h).
bool fits_a_line(std::string_view name) {
  return is_utf8(name) && std::ranges::none_of(name, [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte < 0x20U || byte == 0x7FU;
         });
}

}  // namespace

std::optional<authority::Question> question_of(const Authority& authority,
                                               const std::vector<GcProbe>& probes) {
  auto question = authority::question_for(authority);
  if (!question || authority.kind != AuthorityKind::kCommand) return question;
  const auto speaks = [&](std::string_view pool) {
    return std::ranges::find(probes, pool, &GcProbe::pool);
  };
  auto probe = speaks(pool_of(authority.id));
  if (probe == probes.end()) probe = speaks("");
  if (probe == probes.end()) return std::nullopt;
  question->command = probe->command;
  return question;
}

std::string name_of(const authority::Question& question) {
  if (question.kind == AuthorityKind::kCommand) return "command: " + question.command;
  const std::string kind(to_text(question.kind));
  return question.endpoint.empty() ? kind : kind + " " + question.endpoint;
}

std::string name_on_record(const authority::Question& question) {
  return question.kind == AuthorityKind::kCommand ? "command" : name_of(question);
}

authority::Verdict judged(const Authority& authority, const std::string& session,
                          const authority::Answer* answer) {
  authority::Verdict verdict = authority::judge(authority, session, answer);
  if (authority.kind != AuthorityKind::kCommand) return verdict;
  if (verdict.vouched != authority::Vouched::kDead || fits_a_line(session)) return verdict;
  return {.vouched = authority::Vouched::kUnknown, .reason = "unlistable-name"};
}

bool is_to_confirm(const authority::Verdict& verdict) {
  return verdict.vouched == authority::Vouched::kDead && verdict.to_confirm;
}

bool is_skip(const authority::Verdict& verdict) {
  return verdict.vouched == authority::Vouched::kUnknown && verdict.reason != "not-asked" &&
         verdict.reason != "unlistable-name";
}

const authority::Answer& Answers::ask(const authority::Question& question, Duration timeout) {
  const auto known = answers_.find(question);
  if (known != answers_.end()) return known->second;
  const auto& answer = answers_.emplace(question, authority::ask(question, timeout)).first->second;
  interrupted_ = interrupted_ || answer.reason == "interrupted";
  return answer;
}

const authority::Answer* Answers::find(const authority::Question& question) const {
  const auto known = answers_.find(question);
  return known != answers_.end() ? &known->second : nullptr;
}

void note_braked(const Services& services, const Group& group, Braked braked, Report& report) {
  braked.authority = name_of(group);
  if (std::ranges::find(report.braked, braked.authority, &Braked::authority) !=
      report.braked.end()) {
    return;
  }
  const auto recorded =
      services.events.record({.type = "gc.braked",
                              .data = EventData()
                                          .text("reason", braked.reason)
                                          .text("authority", name_on_record(group))
                                          .count("gone", braked.gone)
                                          .count("known", braked.known)});
  if (!recorded) report.warnings.push_back(to_sentence(recorded.error()));
  report.braked.push_back(std::move(braked));
}

void note_skipped(const Services& services, const authority::Question* question,
                  const std::string& reason, const std::string& detail, Report& report) {
  const std::string name = question != nullptr ? name_of(*question) : "process";
  const bool known = std::ranges::any_of(report.skipped, [&](const Skipped& skipped) {
    return skipped.authority == name && skipped.reason == reason;
  });
  if (known) return;
  report.skipped.push_back({.authority = name, .reason = reason, .detail = detail});
  const std::string recorded_name = question != nullptr ? name_on_record(*question) : name;
  const auto recorded = services.events.record(
      {.type = "gc.skipped",
       .data = EventData().text("reason", reason).text("authority", recorded_name)});
  if (!recorded) report.warnings.push_back(to_sentence(recorded.error()));
}

}  // namespace holdfast::gc
