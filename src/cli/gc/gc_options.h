// SPDX-License-Identifier: Apache-2.0
//
// What `gc` is asked to do, from its command line.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "format/session/gc_plan.h"
#include "gc/adopt.h"
#include "gc/options.h"
#include "gc/sweep.h"

namespace holdfast::cli {

inline constexpr std::array kGcOptions{
    OptionSpec{.name = "plan", .help = "only show what would go and why, and keep that plan"},
    OptionSpec{.name = "dry-run", .letter = 'n', .help = "another word for --plan"},
    OptionSpec{.name = "apply",
               .kind = OptionKind::kText,
               .value = "ID",
               .help = "do this plan, or less: each workspace is proved again"},
    OptionSpec{.name = "probe",
               .kind = OptionKind::kText,
               .value = "[POOL=]CMD",
               .help = "a shell command that prints what lives, one name or id per line; it speaks "
                       "for workspaces with the authority `command:…` (of POOL) and for no others",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "probe-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long an authority may take to answer (default 10s)"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "keep workspaces that were made less than D ago (default 5m)"},
    OptionSpec{.name = "rescue",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help =
                   "a shell command that saves what is worth saving; only its 0 lets a workspace "
                   "go"},
    OptionSpec{.name = "rescue-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long one rescue may take (default 5m)",
               .needs = "rescue|apply"},
    OptionSpec{.name = "keep",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "keep the N newest of the dead ones"},
    OptionSpec{.name = "max-age",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "remove only dead ones that are older than D"},
    OptionSpec{.name = "trash-for",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long what this gc removes stays in the trash (default 1d); 0 removes "
                       "it at once. What is there already keeps the time that it was given"},
    OptionSpec{.name = "allow-all",
               .help = "lift the brake: believe an authority that knows none of its workspaces, or "
                       "less than half of them"},
    OptionSpec{.name = "allow",
               .kind = OptionKind::kText,
               .value = "AUTHORITY",
               .help =
                   "lift the brake for this one alone: a kind (`podman`), or an authority as it "
                   "is named where it was braked",
               .repeat = Repeat::kMany,
               .excludes = "allow-all"},
    OptionSpec{.name = "runs", .help = "also sessions (named runs) that are over"},
    OptionSpec{.name = "adopt-dir",
               .kind = OptionKind::kPath,
               .value = "DIR",
               .help = "first give records to directories in DIR that a harness made itself; with "
                       "--plan they are only named"},
    OptionSpec{.name = "pattern",
               .kind = OptionKind::kText,
               .value = "P",
               .help = "which of them: a name in which `*` is any text and `?` any one character"},
    OptionSpec{.name = "authority",
               .kind = OptionKind::kText,
               .value = "KIND:TEMPLATE",
               .help = "who vouches for them; `{*}` is what the `*` stands for, `{name}` the name"},
    OptionSpec{.name = "verbose", .letter = 'v', .help = "also list what is kept, and why"},
};

struct GcRequest {
  bool plan_only = false;
  std::optional<std::string> apply{};  // the id of a plan
  gc::Options options{};
  gc::Overrides overrides{};  // for apply
  std::optional<gc::AdoptRequest> adopt{};
};
// Errors: kUsage.
Result<GcRequest> gc_call(const Args& args);

// The manual text of `gc`.
inline constexpr std::array kGcExamples{
    Example{.line = "holdfast gc --plan", .says = "What would go and why; nothing is removed"},
    Example{.line = "holdfast gc --rescue 'cp -a transcripts \"$HOME/saved/$HOLDFAST_WORKSPACE\"'",
            .says = "Save something of each workspace before it goes"},
    Example{.line = "holdfast gc --probe 'my-harness list --ids'",
            .says = "For workspaces whose authority is `command:…`"},
    Example{.line = "holdfast gc --adopt-dir ~ --pattern '.job-*' --authority 'podman:job-{*}'",
            .says = "Bring the directories of an existing harness under management"},
};

inline constexpr std::array kGcBrief{
    HelpGroup{.title = "First look, then remove", .options = "plan|apply|verbose"},
    HelpGroup{.title = "What is removed", .options = "grace|max-age|keep|runs|rescue|trash-for"},
    HelpGroup{.title = "Who says what lives", .options = "probe"},
};

inline constexpr std::string_view kGcDescription =
    "Moves the directories of dead workspaces to the trash, and removes for good what has been "
    "there for long enough. A workspace goes only on proof: its harness ended it (`workspace "
    "end`) or its ttl has passed; the process that vouches for it is dead by identity; or "
    "the engine that vouches for it answered, in time, as the very daemon, user and machine "
    "of the record, and does not know it. Everything is proved again under the workspace's "
    "lock, right before it goes.\n\n"
    "Kept: `attached` (somebody works in it), `young` (--grace), `listed` or `running` (its "
    "authority knows it), `runs` (a run in it is not over), `series` (its series of "
    "iterations is not over, or its outcome was not told), `loop`, `step` (a loop or step "
    "has not counted its run yet), `ttl-left` (its ttl has not passed), `no-authority` "
    "(nobody vouches, and nobody ended it), `busy`, `changed`, `gone` (somebody else was "
    "there meanwhile), `not-old-enough`, `kept-newest`, `braked`, `holds-another-workspace` "
    "(the directory of another workspace, or the home, would go with it), `other-home` (it "
    "belongs to a workspace of another home). Unknown, and kept: `corrupt-record`, "
    "`newer-record`, `no-record`, `not-a-session` (a link or file in its place, never "
    "followed), `not-asked` (no --probe speaks for it), `unlistable-name` (no line of a "
    "probe can hold its name), `claim-unknown` (the record of a loop, step or series cannot "
    "be read), and what keeps an authority from telling: `no-client`, `failed`, `timed-out`, "
    "`garbled`, `control-missing`, `other-daemon`, `other-endpoint`, `other-user`, "
    "`other-machine`.\n\n"
    "Records of locks that were free for as long as things stay in the trash (--trash-for) "
    "go, too. Nobody loses anything by that: the next one who uses the name makes a new "
    "record, and its fences go on above the old ones.\n\n"
    "podman, docker, systemd and tmux are asked for each workspace by id: it goes only if the "
    "recorded daemon says that there is no such container, unit or session.\n\n"
    "The brake is for authorities that can only list (--probe, and a podman service on another "
    "machine): if one of them knows none of its workspaces, or less than half of five or more, "
    "it is more likely the wrong one. gc then removes nothing of it and exits with 77; --allow "
    "(for one of them) or --allow-all lifts the brake. Deaths that the kernel proved, and "
    "workspaces that were ended, do not count. If one authority is skipped and another braked "
    "the code is 69.\n\n"
    "Failed: `rescue-failed`, `not-confirmed` (its record names a directory outside of the "
    "home that the home's own list does not know as its own: nothing is moved or run there), "
    "`replaced`, `trash-unsafe`, and what the system says.\n\n"
    "--rescue runs in the directory that goes, with HOLDFAST_WORKSPACE and "
    "HOLDFAST_WORKSPACE_DIR (and the same as HOLDFAST_SESSION and HOLDFAST_SESSION_DIR); if it "
    "fails, the workspace stays (`rescue-failed`). It may be run "
    "again for the same workspace.\n\n"
    "What went is in `.holdfast-trash` beside its old place; `holdfast trash` lists it, "
    "brings it back or purges it. The removal follows no link and enters no mount. A plan is "
    "good for one hour, one use and this boot. Ages are counted on the clock that nobody "
    "sets; across boots, since this one began.";

// What `gc` says of what it did.
enum class GcDone : std::uint8_t { kPlanned, kSwept };

// Prints, warns and emits; the exit code. `verbose`: also what is kept. `adopted` may be null.
int answer_gc(Context& context, const gc::Report& report, const gc::Adopted* adopted, GcDone done,
              bool verbose);

}  // namespace holdfast::cli
