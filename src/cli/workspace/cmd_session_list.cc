// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/harness_view.h"
#include "runtime/runtime.h"
#include "session/workspace/harness.h"

namespace holdfast::cli {
namespace {

struct SessionListListing {
  std::vector<HarnessRow> rows{};
  std::size_t over = 0;
  std::optional<Error> trouble{};  // with the first that could not be read
};

// nullopt: it is no session of a harness.
Result<std::optional<HarnessFacts>> session_list_look_at(const session::SessionStore& store,
                                                         const std::string& name) {
  auto record = HF_TRY(session::read_harness(store, name));
  if (!record) return std::nullopt;
  return HF_TRY(facts_of(store, *std::move(record)));
}

void session_list_add(SessionListListing& listing, const session::SessionStore& store,
                      Result<std::optional<HarnessFacts>> found, const std::string& name,
                      const Args& args) {
  if (!found) {
    if (!listing.trouble) listing.trouble = found.error();
    listing.rows.emplace_back(UnreadHarness{.name = name, .why = std::move(found).error()});
    return;
  }
  if (!*found) {
    // It may have gone, or be one of `holdfast run`; else nobody knows what it is.
    const auto dir = store.find(name);
    if (args.text("state") || !dir || !*dir) return;
    const auto run_session_list = (*dir)->read();
    if (run_session_list && !*run_session_list) {
      listing.rows.emplace_back(NoRecord{.name = name, .directory = (*dir)->dir().path()});
    }
    return;
  }
  const HarnessState state = (*found)->record.state;
  const auto wanted = args.text("state");
  if (wanted && *wanted != to_text(state)) return;
  if (!wanted && !args.flag("all") && state == HarnessState::kEnded) {
    ++listing.over;
    return;
  }
  listing.rows.emplace_back(**std::move(found));
}

Result<int> run_session_list(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  SessionListListing listing;
  if (const auto* store = HF_TRY(context.runtime().find_workspaces()); store != nullptr) {
    for (const std::string& name : HF_TRY(store->names())) {
      session_list_add(listing, *store, session_list_look_at(*store, name), name, args);
    }
  }
  Json sessions = Json::array();
  for (const HarnessRow& row : listing.rows) sessions.push_back(harness_row_json(row));
  context.emit({{"sessions", std::move(sessions)}});
  if (!listing.rows.empty()) context.print(harness_table(context, listing.rows, clock.wall()));
  if (listing.over != 0) {
    context.note(std::to_string(listing.over) + " ended not shown; --all does");
  }
  if (listing.rows.empty() && listing.over == 0) context.note("there is no such session here");
  if (!listing.trouble) return to_int(ExitCode::kDone);
  context.report(*listing.trouble);
  return to_int(ExitCode::kCannotTell);
}

constexpr std::array kSessionListOptions{
    OptionSpec{.name = "state",
               .kind = OptionKind::kChoice,
               .value = "reserved|ready|ended",
               .help = "only those in this state",
               .excludes = "all"},
    OptionSpec{.name = "all", .letter = 'a', .help = "also those that have ended"},
};

constexpr std::array kSessionListExamples{
    Example{.line = "holdfast session list", .says = "Those that have not ended"},
    Example{.line = "holdfast session list --json | jq '.sessions[] | select(.owner==null).name'",
            .says = "Those that nobody owns now"},
};

constexpr std::array kSessionListExits{
    ExitNote{ExitCode::kDone, "listed; there may be none"},
    ExitNote{ExitCode::kCannotTell, "one cannot be read; all are listed, that one with the reason"},
};

constexpr std::array kSessionListFields{
    JsonField{
        "sessions",
        "a list of what `holdfast session get` has for each, in the order of their names; of "
        "one that cannot be read `name`, `state` null and `error`; of a directory without any "
        "record `name`, `state` `no-record` and `dir`"},
};

}  // namespace

constinit const CommandSpec kSessionListCommand{
    .name = "session list",
    .summary = "list the sessions of harnesses",
    .description =
        "Shows the sessions that `session new` or `gc --adopt-dir` made, with who owns them now. "
        "Sessions of `holdfast run` alone are not listed here; `holdfast ps` does. What cannot be "
        "read is listed with the reason and never left out; so is a directory without a record "
        "(`no-record`), which `gc` keeps and a person may remove.",
    .options = kSessionListOptions,
    .examples = kSessionListExamples,
    .exits = kSessionListExits,
    .json_fields = kSessionListFields,
    .run = run_session_list,
};

}  // namespace holdfast::cli
