// SPDX-License-Identifier: Apache-2.0
//
// How the outcome of `run` is said: the fields of --json, the line of --status-fd, and the
// sentences for people.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "format/session/session_record.h"
#include "os/sys/handle.h"
#include "supervise/verdict.h"

namespace holdfast::cli {

// Of a session; all are empty for a run without one, and null in the document then.
struct RunSession {
  std::string name;
  std::string log{};      // its path; empty where none is kept
  std::string step{};     // of a profile: the one that failed before the start
  bool skipped = false;   // --if-busy skip
  bool replaced = false;  // --if-busy replace: there was a run to stop
};

Json run_fields(const supervise::RunReport& report, const supervise::Verdict& verdict,
                const RunSession& session = {});

// {"by":…,"code":…,"signal":…,"reason":…} and a newline.
std::string status_line(const supervise::Verdict& verdict);
// Writes it to the descriptor of --status-fd, if there is one.
Result<> say_status(os::Handle status, const supervise::Verdict& verdict);

// Why the command could not be started, who is left alive, or what went wrong in holdfast; nothing
// where nothing did.
std::optional<Error> run_error(const supervise::RunReport& report,
                               const supervise::Verdict& verdict, const std::string& command);

// What was ended by force; empty where there is nothing to say.
std::string run_note(const supervise::RunReport& report, const supervise::Verdict& verdict,
                     const SessionOrder& order);

}  // namespace holdfast::cli
