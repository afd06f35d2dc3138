// SPDX-License-Identifier: Apache-2.0
//
// Which question decides about a workspace, and the answers that were given, one per question.
//
// `--probe` speaks for authorities of the kind `command` only, `--probe POOL=CMD` for those of one
// pool (rule G1). Where nobody speaks for a workspace, it is `not-asked`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "authority/ask.h"
#include "gc/known_sample.h"
#include "gc/options.h"

namespace holdfast::gc {

// nullopt: nobody is to be asked (a process), or nobody can be.
std::optional<authority::Question> question_of(const Authority& authority,
                                               const std::vector<GcProbe>& probes);

std::string name_of(const authority::Question& question);  // for people: "podman local"
// The same for events, which never hold the shell line of a probe (rule J4): "command".
std::string name_on_record(const authority::Question& question);

// As authority::judge, but `unlistable-name` of a workspace that a probe could not have listed by
// its name: a line cannot hold it. Then "not listed" says nothing.
authority::Verdict judged(const Authority& authority, const std::string& session,
                          const authority::Answer* answer);
// What confirm() proves of a workspace that the answer does not list.
bool is_to_confirm(const authority::Verdict& verdict);
// It could not be told, and that is the authority's doing: the pass is skipped.
bool is_skip(const authority::Verdict& verdict);

class Answers {
 public:
  // Asks, where it was not asked before. What was not told is in skipped(), once per question.
  const authority::Answer& ask(const authority::Question& question, Duration timeout);
  // nullptr: it was not asked.
  [[nodiscard]] const authority::Answer* find(const authority::Question& question) const;
  [[nodiscard]] bool interrupted() const { return interrupted_; }

 private:
  std::map<authority::Question, authority::Answer> answers_;
  bool interrupted_ = false;
};

// Notes, once per authority, that the brake holds, in the report and the journal.
void note_braked(const Services& services, const Group& group, Braked braked, Report& report);

// Notes once per authority and reason that nothing of it was judged, in the report and the journal.
void note_skipped(const Services& services, const authority::Question* question,
                  const std::string& reason, const std::string& detail, Report& report);

}  // namespace holdfast::gc
