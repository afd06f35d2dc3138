// SPDX-License-Identifier: Apache-2.0
//
// KnownSample: a few of those that an authority knew when the plan was made, to hold its later
// answers against.
//
// The brake (rule G3) is about one answer: of all workspaces of an authority, how many does it
// know? The proof under the lock asks once more, about a few, and cannot count. An engine that has
// lost its memory since, or a probe that prints nothing now, would be believed there. So an answer
// is a proof only where it still lists one of the sample.
//
// Workspaces are grouped as the brake counts them: by who is asked, and for commands by pool, so
// that a probe that speaks for several pools is held against each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "authority/ask.h"
#include "format/session/authority.h"
#include "gc/options.h"

namespace holdfast::gc {

struct Group {
  authority::Question question{};
  std::string pool{};  // of kCommand, where the id names one
  auto operator<=>(const Group&) const = default;
};
Group group_of(const authority::Question& question, const Authority& authority);
// For people, and for --allow: "podman local", "command: CMD (pool beta)".
std::string name_of(const Group& group);
std::string name_on_record(const Group& group);  // for events: "command (pool beta)"
// Is the brake lifted for it, by --allow-all, its kind or its name?
bool is_allowed(const Group& group, const Options& options);

class KnownSample {
 public:
  // Of each group a few are kept.
  void saw(const Group& group, const Authority& authority, const std::string& session);
  // Does the answer list one of them? True where the first answer listed none: then the brake held,
  // or was lifted.
  [[nodiscard]] bool hold(const Group& group, const authority::Answer& answer) const;

 private:
  struct Seen {
    Authority authority{};
    std::string session{};
  };
  std::map<Group, std::vector<Seen>> seen_;
};

}  // namespace holdfast::gc
