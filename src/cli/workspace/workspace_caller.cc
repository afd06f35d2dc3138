// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/workspace_caller.h"

#include <algorithm>
#include <charconv>

#include "cli/frame/option_value.h"
#include "cli/lock/lock_by_token.h"
#include "cli/lock/lock_owner.h"
#include "os/process/proc_fs.h"
#include "os/spawn/env.h"
#include "proc/identity/caller.h"
#include "proc/identity/identity.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kMaxWhat = 200;

// The fields of /proc/PID/stat behind the name, which is in brackets and may hold anything.
std::string_view after_name(std::string_view stat) {
  const std::size_t bracket = stat.rfind(") ");
  return bracket == stat.npos ? std::string_view() : stat.substr(bracket + 2);
}

// "pts/3"; empty where a process has no terminal, or it cannot be told.
std::string terminal_of(std::int32_t pid) {
  constexpr int kFieldsBefore = 4;  // state, parent, group, session
  constexpr std::uint32_t kConsole = 4;
  constexpr std::uint32_t kFirstPts = 136;
  constexpr std::uint32_t kLastPts = 143;
  const auto stat = os::read_proc_file(os::Pid{pid}, "stat");
  if (!stat || !*stat) return "";
  std::string_view fields = after_name(**stat);
  for (int i = 0; i < kFieldsBefore && !fields.empty(); ++i) {
    fields.remove_prefix(std::min(fields.find(' '), fields.size() - 1) + 1);
  }
  std::int32_t number = 0;
  const auto [end, bad] = std::from_chars(fields.data(), fields.data() + fields.size(), number);
  if (bad != std::errc() || number <= 0) return "";
  // The kernel's own packing of a device number.
  const auto device = static_cast<std::uint32_t>(number);
  const std::uint32_t kind = (device >> 8U) & 0xFFFU;
  const std::uint32_t which = (device & 0xFFU) | ((device >> 12U) & 0xFFF00U);
  if (kind >= kFirstPts && kind <= kLastPts) {
    return "pts/" + std::to_string((kind - kFirstPts) * 256 + which);
  }
  return kind == kConsole ? "tty" + std::to_string(which) : std::string();
}

}  // namespace

Result<session::AttachRequest> caller_of(const Args& args) {
  session::AttachRequest request;
  if (args.trailing().empty()) {
    const auto owner = HF_TRY(owner_option(args));
    if (owner) request.process = proc::to_record(owner->identity);
  } else if (const auto typed = args.text("owner")) {
    return bad_value("owner", *typed, "a command is the owner itself");
  } else {
    // Until the command is there, it is this very process: if it dies, nobody is attached.
    request.process = proc::to_record(HF_TRY(proc::own_identity()));
  }
  if (const auto what = args.text("what")) {
    if (what->size() > kMaxWhat) return bad_value("what", *what, "it has at most 200 bytes");
    request.what = *what;
  } else if (request.process) {
    request.what = terminal_of(request.process->pid);
  }
  return request;
}

Result<session::Claim> claim_of(const Args& args, const std::string& name) {
  session::Claim claim;
  if (const auto typed = args.text("token")) {
    claim.token = HF_TRY(typed_token(*typed));
    return claim;
  }
  if (const auto token = os::env("HOLDFAST_TOKEN")) {
    claim.token = HF_TRY(typed_token(*token));
    const auto workspace = os::env("HOLDFAST_WORKSPACE");
    claim.maybe_other = os::env("HOLDFAST_LOCK").has_value() || (workspace && *workspace != name);
  }
  // Who cannot be told (a child of process 1) has no attachment of its own.
  if (const auto caller = proc::calling_owner()) claim.process = proc::to_record(caller->identity);
  return claim;
}

}  // namespace holdfast::cli
