// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "base/cause.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "format/session/process_identity.h"
#include "os/process/pidfd.h"
#include "proc/identity/caller.h"
#include "proc/identity/identity.h"
#include "proc/tree/run_id_scan.h"

namespace holdfast::cli {
namespace {

Result<proc::Pinned> pin_number(const std::string& typed) {
  std::int32_t pid = 0;
  const char* end = typed.data() + typed.size();
  const auto read = std::from_chars(typed.data(), end, pid);
  if (read.ec != std::errc() || read.ptr != end || pid <= 0) {
    return fail(usage_error("bad-value", "identify", "'" + typed + "'",
                            "it is neither the number of a process nor `self` nor `parent`"));
  }
  auto pinned = HF_TRY(proc::pin(os::Pid{pid}));
  if (pinned) return std::move(*pinned);
  return fail({.code = ErrorCode::kNotFound,
               .op = "identify",
               .subject = "process " + typed,
               .cause = "no-such-process",
               .detail = "no process of that number runs"});
}

Result<proc::Pinned> pin_caller() {
  auto owner = proc::calling_owner();
  if (owner || owner.error().cause != cause::kNoOwner) return owner;
  return fail(usage_error("no-owner", "find", "the calling program",
                          "it is gone, or above it is only process 1; name it: `holdfast identify "
                          "$$`"));
}

Result<proc::Pinned> pin_typed(const std::string& typed) {
  if (typed == "self") return pin_caller();
  if (typed == "parent") return proc::parent_process();
  return pin_number(typed);
}

// For people and for `kill --tree`. What may not be read is left out, and so is what was perhaps
// read from a later process of the same number.
std::optional<Id128> run_of(const proc::Pinned& pinned) {
  const auto run_identify = proc::run_id_of(pinned.identity.pid);
  if (!run_identify || !pinned.pidfd.valid()) return std::nullopt;
  const auto ended = os::has_ended(pinned.pidfd);
  return ended && !*ended ? *run_identify : std::nullopt;
}

Result<int> run_identify(Context& context, const Args& args) {
  const proc::Pinned pinned = HF_TRY(pin_typed(args.arguments().front()));
  const IdentityRecord identity{.process = proc::to_record(pinned.identity), .run = run_of(pinned)};
  const std::string line = encode_identity(identity);
  context.print(line + "\n");
  context.emit(parse_json(line));
  return to_int(ExitCode::kDone);
}

constexpr std::array kIdentifyArguments{
    ArgumentSpec{.name = "PID|self|parent",
                 .help = "the number of a process; `self`: the script or program that calls; "
                         "`parent`: the process right above this one"},
};

constexpr std::array kIdentifyExamples{
    Example{.line = "./server & holdfast identify $! >server.id",
            .says = "Keep who was started; it is still this shell's child, so the number is right"},
    Example{.line = "holdfast kill @server.id", .says = "Later: end that process, or nobody"},
    Example{.line = "holdfast identify self", .says = "In a script: the identity of the script"},
};

constexpr std::array kIdentifyExits{
    ExitNote{ExitCode::kDone, "the identity was printed"},
    ExitNote{ExitCode::kUsage,
             "PID is no process number, or with `self` there is no calling program"},
    ExitNote{ExitCode::kNo,
             "no process of that number runs (one that has ended and was not "
             "reaped runs no more)"},
    ExitNote{ExitCode::kCannotTell, "the process may not be looked at, or /proc is not ours"},
    ExitNote{ExitCode::kOsRefused, "there is no /proc"},
};

constexpr std::array kIdentifyFields{
    JsonField{"v", "the version of this format, 1"},
    JsonField{"boot", "the boot of the kernel, 32 hexadecimal digits"},
    JsonField{"machine", "the machine, 32 hexadecimal digits; zeros where nothing names it"},
    JsonField{"pidns", "the pid namespace in which `pid` counts"},
    JsonField{"timens", "the time namespace in which `start` counts"},
    JsonField{"pid", "the number of the process"},
    JsonField{"start", "when it started, in clock ticks since boot"},
    JsonField{"pidfs", "a number that no other process of this boot has (Linux 6.9), else 0"},
    JsonField{"uid", "its effective user, for people"},
    JsonField{"run",
              "the run id that it carries (HOLDFAST_RUN), where that can be read; else null"},
};

}  // namespace

constinit const CommandSpec kIdentifyCommand{
    .name = "identify",
    .summary = "what tells a process from every other one, as a line of JSON",
    .description =
        "Prints the identity of a process: what tells it from every other one, also after its "
        "number was given to another process, after a reboot, and from inside a container. Keep "
        "the line instead of a pid file; `alive` and `kill` take it.\n\n"
        "Identify a process while you know that the number is its own: as its parent, before you "
        "have waited for it, or from inside. A number that you read somewhere may be another "
        "process already.\n\n"
        "`self` is the script or program that calls, also in `$(…)`, a pipe or brackets: the "
        "process that `acquire` binds a lock to. `parent` is the process right above this one: in "
        "a function that runs in the background (`worker &`) the subshell itself, in `$(…)` "
        "perhaps a subshell that is gone right after.",
    .arguments = kIdentifyArguments,
    .examples = kIdentifyExamples,
    .exits = kIdentifyExits,
    .json_fields = kIdentifyFields,
    .run = run_identify,
};

}  // namespace holdfast::cli
