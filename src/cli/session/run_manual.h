// SPDX-License-Identifier: Apache-2.0
//
// The words of `run`'s manual page.
#pragma once

#include <array>
#include <string_view>

#include "cli/frame/command.h"

namespace holdfast::cli {

inline constexpr std::string_view kRunDescription =
    "Runs the command, without a shell, in this terminal and with this standard input. Options end "
    "at its first word; in scripts, put `--` before it. "
    "Its exit code passes through; if it dies of signal n, the code is 128+n.\n\n"
    "When the deadline passes, every process that the command has started gets TERM and, after the "
    "grace, KILL, also those that left its process group or session or outlived their parent; then "
    "the code is 124. When the command ends by itself, what it left behind is ended in the same "
    "way. The run is over when the kernel confirms that nothing is left.\n\n"
    "With --name it is a session. Of one name only one runs at a time; a second `run` answers 75. "
    "A supervisor of its own stands between: if this program is killed, the run goes on to its "
    "end; a terminal that closes hangs up on the command as on any other, which --detach avoids. "
    "`ps`, `show`, `logs`, `wait` and `stop` find it by its name. What it prints passes through "
    "the supervisor into `sessions/NAME/out.log` and on to this terminal, so the command sees "
    "pipes and no terminal; with --no-log it sees the terminal. With --detach the run begins in "
    "the background, without a standard input (--stdin FILE gives it one). Its name, made up if "
    "there is none, is printed first; if it cannot be written, nothing is started. A detached run "
    "may outlive the locks of its caller: it does not enter them again, and is told nothing of "
    "them. Inside another run, which ends everything below it, --detach is refused with 64. If "
    "whoever reads the output goes away (`| head`), a session goes on all the same.\n\n"
    "--if-busy says what to do if the name or a --lock is taken. `wait` waits for the name as well "
    "as for locks, each for at most --wait (default 10 seconds). `skip` exits with 0, records "
    "`session.skipped` first, and with -q prints nothing, which suits cron. `replace` stops the "
    "run that has the name as `holdfast stop` does and starts once its end is proven; if it cannot "
    "be proven, the code is 69 and nothing is started. Of two that replace it at once, one "
    "starts.\n\n"
    "An exit status is a claim. With --verify the run counts as done only if that line succeeds "
    "after exit 0: its exit 0 confirms; 69, 125 and above, a signal or a time-out mean that nobody "
    "can tell; anything else refutes. In both cases the state is `unverified` and the code 76.\n\n"
    "When the run is over, --on-failure or --on-success runs, and then --on-end, each with "
    "HOLDFAST_NAME, HOLDFAST_STATE, HOLDFAST_CODE (the exit code of this program), "
    "HOLDFAST_REASON, HOLDFAST_LOG and HOLDFAST_STREAK (failures in a row). A start that failed is "
    "a failure; a run that somebody stopped is neither a failure nor a success. With "
    "--once-per-streak there is one mail when a job breaks, and one when it works again; a line "
    "that fails is tried again by the next run of the streak.\n\n"
    "The command is told HOLDFAST_RUN (the id of this run) and, in a session, HOLDFAST_SESSION and "
    "HOLDFAST_SESSION_DIR; under --lock what `holdfast lock` tells. The locks are taken in the "
    "order in which they are named and held until the whole tree has ended.\n\n"
    "--slots NAME=N holds one of N slots of NAME, so that up to N such runs go on at once; "
    "`holdfast locks` shows them as NAME/1ofN and so on. Slots are taken after the locks.\n\n"
    "With --owner the whole tree ends when that process ends, in whatever way and whoever keeps "
    "its streams open: the reason is `owner-gone`, the code that of a run that was stopped, such "
    "as 143. After an exec it is the same owner; a process that gets its number later is another. "
    "`parent` is the process that calls holdfast. An owner that is dead is 66, one that nobody can "
    "judge from here 69. Without --owner, a run with a name goes on when its caller is killed.\n\n"
    "--memory, --pids and --cpu hold for the whole tree, by a control group of the kernel. A limit "
    "that cannot be enforced here keeps the command from being started (125), unless "
    "--limits-best-effort is given; with --memory-fallback rlimit the address space of each "
    "process is limited instead, under which Node, Go and Java may not even start.\n\n"
    "--contain pidns runs the command in a pid namespace of its own, for a user without control "
    "groups: if the supervisor dies, the kernel ends the whole tree. In it the command sees only "
    "its own processes; for an ordinary user it is a user namespace as well, in which sudo does "
    "not work. If the kernel does not allow that, nothing is started (125).\n\n"
    "Signals that are sent to holdfast go to the command. Ctrl-C reaches the command from the "
    "terminal, once, and holdfast waits for what it does. Under --json the command's standard "
    "output goes to standard error.\n\n"
    "--status-fd gets one line of JSON: `by` (`holdfast` or `command`: whose word it is), `code`, "
    "`signal` and `reason`. It tells a command's own 124 from a deadline.\n\n"
    "With --profile the command, and what goes before it, come from `[session.NAME]` of a TOML "
    "file (`holdfast help profile`): missing files are made, others refreshed, layers assembled, "
    "and then the command starts; if any of that fails, nothing is started, and the step is named. "
    "The session is called NAME. Options that are typed win over the profile, and words behind "
    "NAME or `--` "
    "are added to its command.\n\n"
    "With --iterations the command is run up to K times, one after the other, each a run of "
    "session N with its own record and log, and is told HOLDFAST_ITERATION and "
    "HOLDFAST_ITERATIONS. Before the first and after each, --until is asked: 0 ends the series, "
    "the goal is reached; 69, 125 and above, a signal or a time-out: nobody can tell, and the "
    "series stops with 69; anything else: not yet. --progress prints a mark of the work; "
    "iterations that leave it as it was are idle. An iteration that does anything but exit with 0 "
    "has failed. `sessions/N/series.json` has the true end of each. Without --until the answer is "
    "the last iteration's own code. If this program is killed, an iteration under way goes on to "
    "its end; the same command line then goes on behind it, and no iteration is lost or run twice. "
    "The same is so after Ctrl-C, `stop N` and a goal that could not be told; an iteration that "
    "was asked to end is not done, and its number is run again. An unfinished series of another "
    "command is 77, unless --fresh leaves it behind. A finished one begins anew; if this program "
    "was killed before it could tell, the next call first tells how it ended. A damaged "
    "series.json is 65; --fresh moves it aside. The records and logs of the last ten runs are kept "
    "beside that of the newest.\n\n"
    "A name without a slash is looked up in PATH; an empty entry of PATH is skipped and does not "
    "mean the current directory.";

inline constexpr std::array kRunExamples{
    Example{.line = "holdfast run --name fix-160 --timeout 1h -- ./agent",
            .says = "One agent at a time under this name; after an hour end all that it started"},
    Example{.line = "holdfast run --name nightly -d --idle-timeout 10m -- ./agent",
            .says = "In the background; ended when it prints nothing for ten minutes"},
    Example{.line = "holdfast run --name pr-7 --stdin task.md --verify 'make test' -- ./agent",
            .says = "The agent's exit is a claim, the check is the outcome"},
    Example{.line = "holdfast run --name db --once-per-streak --on-failure ./report -- ./nightly",
            .says = "One mail when it breaks, not one each night"},
    Example{.line = "* * * * * holdfast run -q --name sync --if-busy skip -- ./sync",
            .says = "In a crontab: a sync that takes longer than a minute is not started twice"},
    Example{.line = "holdfast run --owner parent -- npx some-mcp-server",
            .says = "In the configuration of an agent: the server never outlives the agent"},
    Example{.line = "holdfast run -d --name pr-7 --slots agents=3 --wait 1h -- ./agent",
            .says = "At most three agents at once; the fourth waits for a slot"},
    Example{.line = "holdfast run --name fix --iterations 20 --until 'make test' -- ./agent",
            .says = "Again and again until the tests pass, or three in a row failed; typed again "
                    "after a crash it goes on"},
};

inline constexpr std::array kRunExits{
    ExitNote{
        ExitCode::kUsage,
        "the command line is wrong, or --detach is used inside another run; nothing was started"},
    ExitNote{ExitCode::kCorrupt,
             "the session's record is damaged, or new content for a file of the profile was "
             "refused; nothing was started"},
    ExitNote{ExitCode::kNo,
             "there is no such profile, or a path that it declares differs, or --owner has ended; "
             "nothing was started"},
    ExitNote{
        ExitCode::kCannotTell,
        "the supervisor was killed, so how the command ended is unknown; or whether the last "
        "run of this name is over cannot be told, or --if-busy replace could not prove its end, "
        "and nothing was started; --iterations: --until "
        "could not tell"},
    ExitNote{ExitCode::kSurvivors, "processes of the command survived KILL; the output names them"},
    ExitNote{ExitCode::kIo,
             "--detach: its name could not be written, and nothing was started; with --json it "
             "runs, and a name that was made up is on stderr"},
    ExitNote{ExitCode::kBusy,
             "the session runs already, or a lock was not to be had in time (see --if-busy); "
             "--iterations: somebody "
             "drives the series, or an iteration is under way without its driver"},
    ExitNote{
        ExitCode::kUnproven,
        "it exited with 0, and --verify did not confirm it; --iterations with --until: all are "
        "used up, or nothing moves any more, and the goal is not reached"},
    ExitNote{ExitCode::kRefused,
             "an unsafe file lies in the session's place; another user could change the profile; "
             "--iterations: a series of another command is unfinished; nothing was started"},
    ExitNote{ExitCode::kConfig, "the profile is wrong; nothing was done"},
    ExitNote{ExitCode::kDeadline,
             "the deadline or the idle limit fired, whatever the command did then"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

inline constexpr std::array kRunFields{
    JsonField{"name", "of the session; null for a run without one"},
    JsonField{"state",
              "`exited`, `killed` (by a signal), `timed_out`, `unverified`, `failed` (not started) "
              "or `lost` (nobody knows); `running` under --detach; null if it was skipped"},
    JsonField{"exit_code", "the command's own; null where it has none"},
    JsonField{"signal", "the number of the signal that the command died of; else null"},
    JsonField{"pid", "of the command; null where it was not started"},
    JsonField{"supervisor", "--detach: the pid of the session's supervisor; else null"},
    JsonField{"started", "when; null where it was not started"},
    JsonField{"ended", "when the whole tree was gone, or given up"},
    JsonField{"log", "the path of what it printed; null where none is kept"},
    JsonField{"verified", "whether --verify confirmed it; null where it was not asked"},
    JsonField{
        "containment",
        "how the tree was held: `cgroup`, `pidns`, `subreaper`, or `subreaper-by-number` without "
        "pidfds"},
    JsonField{"limits", "a list that says of each limit how it is enforced"},
    JsonField{"oom_killed", "how many processes the kernel killed at the memory limit"},
    JsonField{"terminated", "how many processes were sent TERM"},
    JsonField{"killed", "how many processes were sent KILL"},
    JsonField{"survivors", "a list of who is left after KILL, each with `pid` and `name`"},
    JsonField{"survivors_total",
              "how many are left; more than the list names where there are many"},
    JsonField{"step",
              "with --profile: the step that failed, so that nothing was started; else null"},
    JsonField{"skipped", "with --if-busy skip: it was busy, and nothing was started"},
    JsonField{"replaced", "with --if-busy replace: a run was stopped for this one"},
    JsonField{"iterations",
              "with --iterations: how many at most; the other fields are of the last one. This and "
              "all below are null without"},
    JsonField{"done", "how many came to their end, in this call and before"},
    JsonField{"reason",
              "`reached`, `iterations` (all used up), `plateau`, `errors`, `deadline` (of the "
              "series); `cannot-tell` and `interrupted` can be resumed; null where nothing "
              "was begun"},
    JsonField{"errors", "how many failed in a row"},
    JsonField{"idle", "how many were idle in a row"},
    JsonField{
        "history",
        "a list of the last 1000, each with `n`, `state`, `exit_code`, `signal`, `idle` "
        "(null where the progress was not asked or could not be told) and `asked`: to end, so "
        "that it is not done, and its number comes again"},
};

}  // namespace holdfast::cli
