// SPDX-License-Identifier: Apache-2.0
#include "authority/ask.h"

#include <algorithm>
#include <charconv>

#include "authority/engine.h"
#include "proc/identity/identity.h"

namespace holdfast::authority {
namespace {

// Where this process stands, as answers and records say it.
struct Place {
  std::uint32_t uid = 0;
  Id128 machine{};
};

Result<Place> own_place() {
  const auto own = proc::own_identity();
  if (!own) return not_told("failed", "this process", to_sentence(own.error()));
  return Place{.uid = own->uid, .machine = own->machine == Id128{} ? own->boot : own->machine};
}

Result<Listing> list(const Question& question, const Deadline& deadline) {
  switch (question.kind) {
    case AuthorityKind::kPodman:
      return list_podman(deadline);
    case AuthorityKind::kDocker:
      return list_docker(deadline);
    case AuthorityKind::kSystemd:
      return list_systemd(question.endpoint, deadline);
    case AuthorityKind::kTmux:
      return list_tmux(question.endpoint, deadline);
    case AuthorityKind::kCommand:
      return list_command(question.command, deadline);
    case AuthorityKind::kProcess:
      break;
  }
  return not_told("not-asked", "a process", "processes are judged by the kernel");
}

Result<Authority> describe_process(const AuthorityName& name) {
  std::int32_t number = 0;
  const char* const end = name.id.data() + name.id.size();
  const auto [stop, fault] = std::from_chars(name.id.data(), end, number);
  const auto refuse = [&](ErrorCode code, std::string_view cause, std::string_view detail) {
    return fail({.code = code,
                 .op = "take as an authority",
                 .subject = "process:" + name.id,
                 .cause = std::string(cause),
                 .detail = std::string(detail)});
  };
  if (fault != std::errc{} || stop != end || number <= 0) {
    return refuse(ErrorCode::kUsage, "bad-authority", "it is not the number of a process");
  }
  const Place place = HF_TRY(own_place());
  const auto identity = HF_TRY(proc::identity_of(os::Pid{number}));
  if (!identity) return refuse(ErrorCode::kNotFound, "no-such-process", "nobody has that number");
  return Authority{.kind = name.kind,
                   .id = name.id,
                   .uid = place.uid,
                   .machine = place.machine,
                   .process = proc::to_record(*identity)};
}

// The id of what was typed, where it is there already: by its id, by a name, and by the beginning
// of an id that nothing else begins with.
std::string full_id_in(const Listing& listing, const std::vector<std::string>& typed) {
  const auto by = [&](const auto& matches) -> std::string {
    const Thing* found = nullptr;
    for (const Thing& thing : listing.things) {
      if (!matches(thing)) continue;
      if (found != nullptr && found->id != thing.id) return {};
      found = &thing;
    }
    return found == nullptr ? std::string() : found->id;
  };
  const auto is_typed = [&](const std::string& name) {
    return std::ranges::find(typed, name) != typed.end();
  };
  std::string id = by([&](const Thing& thing) {
    return is_typed(thing.id) || std::ranges::any_of(thing.names, is_typed);
  });
  if (id.empty() && could_begin_an_id(typed.front())) {
    id = by([&](const Thing& thing) {
      return is_container_id(thing.id) && thing.id.starts_with(typed.front());
    });
  }
  return id;
}

}  // namespace

std::unexpected<Error> not_told(std::string_view reason, std::string_view client,
                                std::string detail) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "ask",
               .subject = std::string(client),
               .cause = std::string(reason),
               .detail = std::move(detail)});
}

std::unexpected<Error> garbled(std::string_view client, std::string detail) {
  return not_told("garbled", client, std::move(detail));
}

std::optional<Question> question_for(const Authority& authority) {
  if (authority.kind == AuthorityKind::kProcess) return std::nullopt;
  return Question{.kind = authority.kind, .endpoint = authority.endpoint};
}

Answer ask(const Question& question, Duration timeout) {
  const auto not_answered = [](const Error& error) {
    return Answer{.reason = error.cause, .detail = error.subject + ": " + error.detail};
  };
  const auto place = own_place();
  if (!place) return not_answered(place.error());
  auto listing = list(question, Deadline(timeout));
  if (!listing) return not_answered(listing.error());
  Answer answer{.told = true,
                .daemon = std::move(listing->daemon),
                .daemon_before = std::move(listing->daemon_before),
                .endpoint = std::move(listing->endpoint),
                .identified = listing->identified,
                .uid = place->uid,
                .machine = place->machine};
  const bool containers =
      question.kind == AuthorityKind::kPodman || question.kind == AuthorityKind::kDocker;
  for (Thing& thing : listing->things) {
    if (containers) {
      for (const std::string& name : thing.names) answer.ids.emplace(name, thing.id);
    }
    answer.exist.insert(std::move(thing.id));
    for (std::string& name : thing.names) answer.exist.insert(std::move(name));
  }
  return answer;
}

Result<Authority> describe(const AuthorityName& name, Duration timeout) {
  if (name.kind == AuthorityKind::kProcess) return describe_process(name);
  const auto typed = HF_TRY(spellings(name.kind, name.id));
  const Place place = HF_TRY(own_place());
  Authority authority{.kind = name.kind, .id = name.id, .uid = place.uid, .machine = place.machine};
  if (name.kind == AuthorityKind::kCommand) return authority;
  Question question{.kind = name.kind};
  if (name.kind == AuthorityKind::kSystemd) question.endpoint = systemd_endpoint(name.id);
  auto listing = HF_TRY(list(question, Deadline(timeout)));
  authority.full_id = full_id_in(listing, typed);
  authority.daemon = std::move(listing.daemon);
  authority.endpoint = std::move(listing.endpoint);
  authority.process = listing.process;
  return authority;
}

namespace {

// The hostile interleaving: the context is switched, or the daemon is started again with another
// store, between the list and the question about one container. The other daemon then says truly
// that it knows of no such container. So the daemon is asked who it is once more after the last of
// the questions, and only where it is still the recorded one do the denials count.
Verdict not_confirmed(std::string reason, std::string detail = {}) {
  return {.vouched = Vouched::kUnknown, .reason = std::move(reason), .detail = std::move(detail)};
}

Result<bool> engine_has(const Question& question, const std::string& name,
                        const Deadline& deadline) {
  switch (question.kind) {
    case AuthorityKind::kPodman:
      return podman_has(name, deadline);
    case AuthorityKind::kDocker:
      return docker_has(name, deadline);
    case AuthorityKind::kSystemd:
      return systemd_has(question.endpoint, name, deadline);
    case AuthorityKind::kTmux:
      return tmux_has(question.endpoint, name, deadline);
    case AuthorityKind::kCommand:
    case AuthorityKind::kProcess:
      break;
  }
  return not_told("not-asked", "it", "it cannot be asked by id");
}

std::string denial_of(AuthorityKind kind) {
  if (kind == AuthorityKind::kSystemd) return "no-such-unit";
  return kind == AuthorityKind::kTmux ? "no-such-session" : "no-such-container";
}

Verdict confirm_one(const Question& question, const Authority& authority, Duration timeout) {
  auto names = spellings(authority.kind, authority.id);
  if (!names) return not_confirmed(names.error().cause);
  // Tmux reads `.` and `:` in what is typed as its own signs, and lists them as `_`.
  if (authority.kind == AuthorityKind::kTmux) names->erase(names->begin());
  if (!authority.full_id.empty()) names->push_back(authority.full_id);
  const Deadline deadline(timeout);
  for (const std::string& name : *names) {
    const auto has = engine_has(question, name, deadline);
    if (!has)
      return not_confirmed(has.error().cause, has.error().subject + ": " + has.error().detail);
    if (*has) return {.vouched = Vouched::kLive, .reason = "listed"};
  }
  return {.vouched = Vouched::kDead, .reason = denial_of(authority.kind), .by_identity = true};
}

}  // namespace

std::vector<Verdict> confirm(const Question& question, const Answer& answer,
                             const std::vector<Authority>& gone, Duration timeout) {
  std::vector<Verdict> verdicts;
  verdicts.reserve(gone.size());
  for (const Authority& authority : gone) {
    verdicts.push_back(confirm_one(question, authority, timeout));
    // Whoever does not answer any more is not asked again and again.
    if (verdicts.back().vouched == Vouched::kUnknown) break;
  }
  if (verdicts.size() < gone.size()) verdicts.resize(gone.size(), verdicts.back());
  const bool any_dead = std::ranges::any_of(
      verdicts, [](const Verdict& verdict) { return verdict.vouched == Vouched::kDead; });
  if (!any_dead) return verdicts;

  const Answer after = ask(question, timeout);
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (verdicts[i].vouched != Vouched::kDead) continue;
    Verdict now = judge(gone[i], {}, &after);
    if (now.vouched != Vouched::kDead) {
      verdicts[i] = std::move(now);
    } else if (!now.to_confirm || after.daemon != answer.daemon) {
      verdicts[i] = not_confirmed("other-daemon");
    }
  }
  return verdicts;
}

}  // namespace holdfast::authority
