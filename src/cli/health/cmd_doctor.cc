// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/printable.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "runtime/doctor.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

using DoctorVerdict = Finding::Verdict;

// The worst finding decides: a hazard is "no", what could not be examined is "cannot tell".
ExitCode doctor_answer(const std::vector<Finding>& findings) {
  const auto any = [&](DoctorVerdict verdict) {
    return std::ranges::any_of(findings, [&](const Finding& f) { return f.verdict == verdict; });
  };
  if (any(DoctorVerdict::kHazard)) return ExitCode::kNo;
  return any(DoctorVerdict::kCannotTell) ? ExitCode::kCannotTell : ExitCode::kDone;
}

Context::Paint doctor_colour_of(DoctorVerdict verdict) {
  switch (verdict) {
    case DoctorVerdict::kGood:
      return Context::Paint::kGreen;
    case DoctorVerdict::kNote:
      return Context::Paint::kDim;
    case DoctorVerdict::kHazard:
      return Context::Paint::kRed;
    case DoctorVerdict::kCannotTell:
      return Context::Paint::kYellow;
  }
  __builtin_unreachable();
}

void print_text(Context& context, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    std::string verdict(to_text(finding.verdict));
    const std::string padding(13 - verdict.size(), ' ');
    context.print(context.paint(doctor_colour_of(finding.verdict), verdict) + padding +
                  finding.check + ": " + printable(finding.subject) + "\n" + std::string(13, ' ') +
                  printable(finding.says) + "\n");
  }
}

Json to_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"verdict", to_text(finding.verdict)},
                    {"check", finding.check},
                    {"subject", finding.subject},
                    {"says", finding.says}});
  }
  return {{"findings", std::move(list)}};
}

Result<int> run_doctor(Context& context, const Args& args) {
  if (args.flag("sweep") && args.arguments().empty()) {
    return fail(usage_error("missing-argument", "use", "--sweep", "it requires a PATH"));
  }
  std::vector<Finding> findings;
  if (args.arguments().empty() || args.flag("init")) {
    const HomeLocation location = HF_TRY(context.runtime().location());
    if (args.flag("init")) HF_TRY(context.runtime().home());
    findings = examine_home(location);
    std::ranges::move(examine_runs(), std::back_inserter(findings));
  }
  for (const std::string& path : args.arguments()) {
    std::ranges::move(examine_path(path, args.flag("sweep") ? Stages::kRemove : Stages::kCount),
                      std::back_inserter(findings));
  }
  print_text(context, findings);
  context.emit(to_json(findings));
  return to_int(doctor_answer(findings));
}

constexpr std::array kDoctorOptions{
    OptionSpec{.name = "init", .help = "make the home first, if it is not there yet"},
    OptionSpec{.name = "sweep",
               .help = "remove the temporary files in each PATH that a crash in the middle of a "
                       "replacement has left, if they are an hour old"},
};

constexpr std::array kDoctorArguments{
    ArgumentSpec{.name = "PATH",
                 .help =
                     "a directory or file where locks or state are to be kept; without one, the "
                     "home is examined",
                 .arity = Arity::kAny},
};

constexpr std::array kDoctorExamples{
    Example{.line = "holdfast doctor", .says = "Is my home safe to use?"},
    Example{.line = "holdfast doctor /mnt/share",
            .says = "Can locks in this directory be trusted?"},
    Example{.line = "holdfast --home /srv/hf doctor --init",
            .says = "Make a home for a service, then examine it"},
};

constexpr std::array kDoctorExits{
    ExitNote{ExitCode::kDone, "no hazard was found"},
    ExitNote{ExitCode::kNo, "a hazard was found; each says how to mend it"},
    ExitNote{ExitCode::kCannotTell, "no hazard was found, but something could not be examined"},
};

constexpr std::array kDoctorFields{
    JsonField{"findings",
              "a list of what was looked at, each with `verdict` (`good`, `note`, `hazard` or "
              "`cannot-tell`), `check` (a stable word), `subject` (a path) and `says`"},
};

}  // namespace

constinit const CommandSpec kDoctorCommand{
    .name = "doctor",
    .summary = "look for hazards that would make the promises hollow",
    .description =
        "Examines the home, or each PATH: is it a real directory of yours that others cannot write "
        "to, of a format that this program knows, on a file system whose locks can be trusted, "
        "with room, "
        "where files can be made, below directories that nobody else can swap? Each finding is "
        "`good`, a `note`, a "
        "`hazard` or `cannot-tell`; what could not be examined is never called good.\n\n"
        "With the home goes what a run can be promised here: a control group for its tree, and "
        "each "
        "limit (`--memory`, `--pids`, `--cpu`, `--nofile`), by what it is enforced or why it is "
        "refused. That is tried with an empty control group, which is removed again.\n\n"
        "Else nothing is changed, but for the home that `--init` makes and what `--sweep` clears "
        "away.",
    .options = kDoctorOptions,
    .arguments = kDoctorArguments,
    .examples = kDoctorExamples,
    .exits = kDoctorExits,
    .json_fields = kDoctorFields,
    .run = run_doctor,
};

}  // namespace holdfast::cli
