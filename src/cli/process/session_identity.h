// SPDX-License-Identifier: Apache-2.0
//
// The process that a session's record names: its command, or its supervisor while no command was
// started, with the run id.
//
// Errors: kNotFound `no-such-session`; of reading the record (session/record/store.h), which is never
// taken for "no session".
#pragma once

#include <string>

#include "base/result.h"
#include "cli/frame/context.h"
#include "format/session/process_identity.h"
#include "format/session/session_record.h"

namespace holdfast::cli {

// Its newest record.
Result<SessionRecord> session_record(const Context& context, const std::string& name);

Result<IdentityRecord> session_identity(const Context& context, const std::string& name);

}  // namespace holdfast::cli
