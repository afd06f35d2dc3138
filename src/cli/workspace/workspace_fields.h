// SPDX-License-Identifier: Apache-2.0
//
// What a harness may say of its workspace: the options that `workspace new` and `workspace set`
// share, and its own fields.
//
// A KEY is 1 to 64 letters, digits, `.`, `_`, `-`; some are words for facts of the record and no
// fields (fact_of).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/workspace/workspace_view.h"
#include "format/session/workspace_record.h"

namespace holdfast::cli {

inline constexpr OptionSpec kResumeIdOption{
    .name = "resume-id",
    .kind = OptionKind::kText,
    .value = "ID",
    .help = "what the harness needs to go on with it later; `workspace resume` hands it out"};
inline constexpr OptionSpec kTtlOption{
    .name = "ttl",
    .kind = OptionKind::kDuration,
    .value = "D",
    .help = "after D without a sign of life (attach, resume, set) it counts as ended"};

// kUsage where it is empty, longer than 1 KiB, or holds a control character.
Result<std::optional<std::string>> resume_id_option(const Args& args);
// kUsage where --prefix is empty, or comes with a NAME.
Result<> check_prefix(const Args& args);
// From --ttl; 64 for 0, which would be over at once.
Result<std::optional<Duration>> ttl_option(const Args& args);

// `dir`, `resume-id`, `authority`, `state`, or a field. nullopt: there is none.
std::optional<std::string> fact_of(const WorkspaceFacts& facts, std::string_view key);

// What one `workspace set` changes of a record.
struct WorkspaceChanges {
  std::vector<std::pair<std::string, std::string>> set{};
  std::vector<std::string> unset{};
  std::optional<Authority> authority{};
  std::optional<std::string> resume_id{};
  std::optional<Duration> ttl{};
  bool no_authority = false;
  bool no_ttl = false;

  void apply(WorkspaceRecord& record) const;
  // What it touches, for the journal: never a value.
  [[nodiscard]] std::vector<std::string> keys() const;
};

// From KEY=VALUE, --unset and the options. The engine of --authority is asked. Errors: kUsage;
// those of workspace_authority.h.
Result<WorkspaceChanges> changes_of(const Args& args);

}  // namespace holdfast::cli
