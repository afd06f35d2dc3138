// SPDX-License-Identifier: Apache-2.0
#include "supervise/pipeline.h"

#include <algorithm>

#include "os/machine/random.h"
#include "os/signal/signals.h"
#include "os/spawn/env.h"
#include "os/sys/os_error.h"
#include "proc/tree/run_id_scan.h"
#include "supervise/front_end.h"

namespace holdfast::supervise {
namespace {

using Input = PipelineRequest::Input;

std::unexpected<Error> bad_pipeline(std::string detail) {
  return fail({.code = ErrorCode::kUsage,
               .op = "run",
               .subject = "the commands",
               .cause = "bad-pipeline",
               .detail = std::move(detail)});
}

Result<> check(const PipelineRequest& request) {
  if (request.stages.empty()) return bad_pipeline("there is none");
  if (request.stages.size() > kMaxCommands) {
    return bad_pipeline("there are more than " + std::to_string(kMaxCommands));
  }
  if (std::ranges::any_of(request.stages, [](const auto& stage) { return stage.empty(); })) {
    return bad_pipeline("one of them has no words");
  }
  if (request.input == Input::kFile && request.input_file == nullptr) {
    return bad_pipeline("the file that they read is missing");
  }
  return {};
}

// What is below a pipeline is ended with it, so it carries a run id, as below any other run: who
// would start something there that is to go on is refused. Inside a run it has that one's.
void mark_as_run(const PipelineRequest& request, TreeRequest& tree) {
  const std::string variable(proc::kRunVariable);
  const bool told = std::ranges::any_of(
      request.environment, [&](const std::string& one) { return one.starts_with(variable + "="); });
  if (told || request.leftovers == Leftovers::kLeave) return;
  if (const auto outer = os::env(variable.c_str()); outer && !outer->empty()) return;
  if (const auto id = os::random_id()) tree.environment.push_back(variable + "=" + to_hex(*id));
}

TreeRequest tree_of(const PipelineRequest& request) {
  TreeRequest tree{.commands = request.stages,
                   .directory = request.directory,
                   .environment = request.environment,
                   .timeout = request.timeout,
                   .grace = request.grace,
                   .outlives_front_end = false};
  tree.leftovers = request.leftovers;
  tree.inherit = request.inherit;
  mark_as_run(request, tree);
  switch (request.input) {
    case Input::kNothing:
      tree.stdin_from = os::StdinFrom::kNothing;
      break;
    case Input::kStdin:
      tree.stdin_from = os::StdinFrom::kStdin;
      break;
    case Input::kFile:
      tree.stdin_from = os::StdinFrom::kHandle;
      tree.input = request.input_file->native();
      break;
  }
  tree.stdout_to = request.output == PipelineRequest::Output::kTaken ? os::StdoutTo::kHandle
                                                                     : os::StdoutTo::kStderr;
  return tree;
}

StageEnd stage_end(const std::string& name, const CommandFacts& facts) {
  StageEnd stage{.command = name, .start_failure = facts.start_failure};
  // The code of a child that did not become the command is holdfast's, not the command's.
  if (facts.end && !facts.start_failure) {
    const bool exited = facts.end->how == os::ChildEnd::How::kExited;
    (exited ? stage.exit_code : stage.signal) = facts.end->value;
  }
  return stage;
}

PipelineReport pipeline_report_of(const PipelineRequest& request, TreeOutcome outcome) {
  PipelineReport report;
  for (std::size_t i = 0; i < request.stages.size(); ++i) {
    const auto& facts = outcome.report.commands;
    const CommandFacts unknown;
    report.stages.push_back(
        stage_end(request.stages[i].front(), i < facts.size() ? facts[i] : unknown));
  }
  report.timed_out = outcome.report.deadline_fired;
  report.by_budget = outcome.report.ended_by == EndedBy::kBudget;
  report.interrupted = outcome.asked_to_end;
  report.empty = outcome.report.empty;
  report.survivors = std::move(outcome.report.survivors);
  report.output_ended = request.output != PipelineRequest::Output::kTaken || outcome.output_ended;
  report.output_cut = outcome.report.output_cut;
  report.bytes = outcome.bytes;
  return report;
}

// Of whoever ended it early: the tree is gone, unless it says otherwise.
Error with_survivors(Error error, const TreeReport& report) {
  if (!report.empty && !report.supervisor_gone && report.started) {
    error.detail += "; processes of the commands are still alive after KILL";
  }
  return error;
}

std::string quoted(const StageEnd& stage) { return "`" + stage.command + "`"; }

std::string describe_start(const StageEnd& stage) {
  using Kind = os::StartFailure::Kind;
  const std::string why = os::os_error("", "", stage.start_failure->os_code).detail;
  switch (stage.start_failure->kind) {
    case Kind::kNotFound:
      return quoted(stage) + " was not found";
    case Kind::kNotExecutable:
      return quoted(stage) + " cannot be executed: " + why;
    case Kind::kNoDirectory:
      return quoted(stage) + " cannot be started in its directory: " + why;
    case Kind::kNotReached:
      break;
  }
  return quoted(stage) + " could not be started: " + why;
}

std::string describe_end(const StageEnd& stage) {
  if (stage.exit_code) return quoted(stage) + " exited with " + std::to_string(*stage.exit_code);
  if (stage.signal) return quoted(stage) + " died of signal " + os::signal_name(*stage.signal);
  return "it is not known how " + quoted(stage) + " ended";
}

std::string describe_survivors(const std::vector<Survivor>& survivors) {
  std::string names;
  for (const Survivor& survivor : survivors) {
    names += (names.empty() ? "" : ", ") + survivor.name + " (pid " +
             std::to_string(os::number(survivor.pid)) + ")";
  }
  if (names.empty()) names = "processes that cannot be seen from here";
  return "still alive after KILL: " + names;
}

}  // namespace

bool PipelineReport::succeeded() const {
  return empty && output_ended && !output_cut && !timed_out && !interrupted &&
         std::ranges::all_of(stages, &StageEnd::succeeded);
}

Result<PipelineReport> run_pipeline(const Clock& clock, const PipelineRequest& request,
                                    const TakeOutput& take) {
  HF_TRY(check(request));
  TreeOutcome outcome = HF_TRY(run_tree(clock, tree_of(request), take));
  if (outcome.output_error) {
    return fail(with_survivors(std::move(*outcome.output_error), outcome.report));
  }
  if (outcome.report.fault) {
    return fail(with_survivors(std::move(*outcome.report.fault), outcome.report));
  }
  return pipeline_report_of(request, std::move(outcome));
}

std::string describe_failure(const PipelineReport& report) {
  if (report.succeeded()) return {};
  const auto first = [&](const auto& which) { return std::ranges::find_if(report.stages, which); };
  const auto none = report.stages.end();
  const auto not_started =
      first([](const StageEnd& stage) { return stage.start_failure.has_value(); });
  if (not_started != none) return describe_start(*not_started);
  if (!report.empty) return describe_survivors(report.survivors);
  if (report.timed_out) {
    return (report.stages.size() == 1 ? quoted(report.stages.front()) : "the pipeline") +
           (report.by_budget ? " did not end within the time of --budget"
                             : " did not end within its time limit");
  }
  if (report.interrupted)
    return "it was interrupted by signal " + os::signal_name(*report.interrupted);
  const auto culprit = first([](const StageEnd& stage) {
    return !stage.succeeded() && stage.signal != os::broken_pipe_signal();
  });
  if (culprit != none) return describe_end(*culprit);
  const auto victim = first([](const StageEnd& stage) { return !stage.succeeded(); });
  if (victim != none) return describe_end(*victim);
  if (!report.output_ended) {
    return "a process outside of the commands' tree can still add to their output";
  }
  return "it left processes behind that still held its output and had to be ended, so the output "
         "may be cut short";
}

}  // namespace holdfast::supervise
