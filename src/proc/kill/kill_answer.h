// SPDX-License-Identifier: Apache-2.0
//
// What every surface says of a kill (kill.h): its code, its JSON and its sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/exit_code.h"
#include "format/json/json.h"
#include "proc/kill/kill.h"

namespace holdfast::proc {

ExitCode exit_of(KillOutcome outcome);

// `outcome survivors pid evidence ended unread`
Json kill_fields(std::int32_t pid, const KillReport& report);
// Of a report whose code is not kDone. For survivors, which have no ErrorCode, exit_of() has it.
Error kill_error(std::int32_t pid, const KillReport& report);
// "process 4711 (agent)"
std::string process_text(std::int32_t pid, const KillReport& report);

// What is missing where a pid file proves too little, by its evidence; empty for other words.
std::string missing_evidence(std::string_view evidence);

}  // namespace holdfast::proc
