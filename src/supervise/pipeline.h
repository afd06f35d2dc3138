// SPDX-License-Identifier: Apache-2.0
//
// run_pipeline: runs one or several commands, each one's stdout the next one's stdin, takes in what
// the last one prints, and answers with how every one of them ended.
//
// Guarantees:
//   - The output reaches `take` in order while the commands run, through a pipe: what the disk does
//     to the bytes is the caller's business, and a command that ignores a full disk cannot hide it.
//   - It is over only when every process of every stage is gone (proof as in run.h) and all that
//     they have written is taken. A background process that a stage left behind is ended like a
//     leftover of `run`, so it cannot add bytes later.
//   - Where such a process held the output for longer than kLetGo after the last of the stages had
//     ended, the output may lack what it had yet to write: a failure (`output_cut`), whatever the
//     exit codes and whatever it writes on its TERM. One that lets go of the output, a daemon say,
//     is ended and no failure.
//   - Each stage's status is known; nothing like a shell's "only the last counts".
//   - A stage that cannot start, `take` answering with an Error, and the death of this process end
//     the whole tree: TERM, `grace`, KILL. `take` is not called again after its Error.
//   - Signals are passed on as in run.h. One that asks to end (HUP, INT, QUIT, TERM, Ctrl-C too)
//     makes the whole a failure, whatever exit code the commands make of it: half an output must
//     not pass for a whole one.
//   - The commands get no descriptor of holdfast's but 0, 1 and 2.
//
// Limits: as run.h. A stage that stops reading early (`head`) may make the one before it die of
// SIGPIPE: that is reported as it is, and it is the caller who judges. A command that leaves the
// printing to a background process must wait for it: kLetGo is for letting go, not for work. Where
// a stage handed its output to a process outside of its tree, what that one writes after the end is
// not taken, and it is said that it might (`output_ended`).
//
// Signals: held back while it runs, in `take` too; as the caller had them on return.
// Errors: nothing was started (kUsage `bad-pipeline`, kRefused, kOsRefused); or `take`'s own; or
// the supervisor's: kCannotTell where it was lost, else the tree was ended with KILL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/file/file.h"
#include "os/spawn/spawn.h"
#include "supervise/output.h"
#include "supervise/report.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

struct PipelineRequest {
  std::vector<std::vector<std::string>> stages;  // one to kMaxCommands; each at least the name
  // What the first stage reads: an open file (read from its position, which moves), or nothing
  // (/dev/null), or the caller's own stdin.
  enum class Input : std::uint8_t { kNothing, kStdin, kFile };
  Input input = Input::kNothing;
  const os::File* input_file = nullptr;  // for kFile
  // Where the last stage's stdout goes: to `take`, or to the caller's stderr (checks, conditions).
  enum class Output : std::uint8_t { kTaken, kStderr };
  Output output = Output::kTaken;
  // Where the commands run, and where their relative paths start; else where the caller is.
  std::optional<std::string> directory{};
  // Added to the environment of every stage, NAME=VALUE, over what is there.
  std::vector<std::string> environment{};
  std::optional<Duration> timeout{};
  Duration grace = kDefaultGrace;
  // What the stages leave behind is ended, or is a part of the work and waited for.
  Leftovers leftovers = Leftovers::kEnd;
  std::vector<os::NativeHandle> inherit{};  // of every stage; the supervisor keeps them, too
};

struct StageEnd {
  std::string command{};  // its first word
  std::optional<os::StartFailure> start_failure{};
  std::optional<int> exit_code{};  // none where it did not start, or lives
  std::optional<int> signal{};     // that it died of

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
};

struct PipelineReport {
  std::vector<StageEnd> stages;  // in the order of the request
  bool timed_out = false;
  bool by_budget = false;           // timed out with the whole program (base/budget.h)
  std::optional<int> interrupted;   // a signal that asks to end came meanwhile
  bool empty = false;               // proven: nothing of the tree is left
  std::vector<Survivor> survivors;  // where it is not: who was seen
  bool output_ended = true;         // nobody can add to it
  bool output_cut = false;          // processes that were left behind held it and had to be ended
  std::uint64_t bytes = 0;          // that were given to `take`

  // Every stage exited with 0, in time, without being interrupted, nothing is left, and the output
  // is whole.
  [[nodiscard]] bool succeeded() const;
};

// `take` (supervise/output.h) may be empty where the output goes elsewhere.
Result<PipelineReport> run_pipeline(const Clock& clock, const PipelineRequest& request,
                                    const TakeOutput& take);

// What went wrong, in one sentence that names the stage to blame: "`jq` exited with 5". A stage
// that died of SIGPIPE is named only where no other failed: it is the victim of the one after it.
// Empty where it succeeded.
std::string describe_failure(const PipelineReport& report);

}  // namespace holdfast::supervise
