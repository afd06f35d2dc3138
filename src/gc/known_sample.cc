// SPDX-License-Identifier: Apache-2.0
#include "gc/known_sample.h"

#include <algorithm>

#include "gc/questions.h"

namespace holdfast::gc {
namespace {

// Some of them may end between the two answers; all of them at once is what is looked for.
constexpr std::size_t kControls = 16;

std::string with_pool(const std::string& name, const Group& group) {
  return group.pool.empty() ? name : name + " (pool " + group.pool + ")";
}

}  // namespace

Group group_of(const authority::Question& question, const Authority& authority) {
  Group group{.question = question};
  const bool pooled =
      authority.kind == AuthorityKind::kCommand && authority.id.find('/') != std::string::npos;
  if (pooled) group.pool = pool_of(authority.id);
  return group;
}

std::string name_of(const Group& group) { return with_pool(name_of(group.question), group); }

std::string name_on_record(const Group& group) {
  return with_pool(name_on_record(group.question), group);
}

bool is_allowed(const Group& group, const Options& options) {
  const auto named = [&](std::string_view name) {
    return std::ranges::find(options.allow, name) != options.allow.end();
  };
  return options.allow_all || named(to_text(group.question.kind)) || named(name_of(group)) ||
         (!group.pool.empty() && named("command:" + group.pool));
}

void KnownSample::saw(const Group& group, const Authority& authority, const std::string& session) {
  std::vector<Seen>& seen = seen_[group];
  if (seen.size() < kControls) seen.push_back({.authority = authority, .session = session});
}

bool KnownSample::hold(const Group& group, const authority::Answer& answer) const {
  const auto found = seen_.find(group);
  if (found == seen_.end()) return true;
  return std::ranges::any_of(found->second, [&](const Seen& one) {
    return judged(one.authority, one.session, &answer).vouched == authority::Vouched::kLive;
  });
}

}  // namespace holdfast::gc
