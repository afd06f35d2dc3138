// SPDX-License-Identifier: Apache-2.0
//
// WorkspaceRecord: what is known of a workspace whose processes or containers a harness starts
// itself, as `harness.json` in the workspace's directory keeps it. (A `session.json` beside it is
// of `holdfast run`; a workspace may have both.)
//
// One JSON object with `v` and `kind`; keys that are not known are ignored on reading. A newer
// version is kCannotTell (format_version.h); anything else that is not such a record is kCorrupt,
// cause `bad-workspace-record`: it is kept and reported, and never taken for "no workspace". At
// most kMaxWorkspaceRecordBytes. Bytes that are no text are kept as they are (json.h).
//
// States: kReserved while the directory is being made (only where it lies outside of the home);
// kReady; kEnded, when somebody said so. Whether it lives is not a state: it is asked for
// (src/gc), from the processes that are attached, the authority and the ttl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/session/authority.h"
#include "format/session/process_identity.h"

namespace holdfast {

enum class WorkspaceState : std::uint8_t { kReserved, kReady, kEnded };
inline constexpr std::size_t kWorkspaceStates = 3;
std::string_view to_text(WorkspaceState state);  // "ready"

// A moment that a clock step does not move: the boot clock, and of which boot. Across boots its age
// counts from when this boot began (rule G4). A time namespace shifts the boot clock of who is in
// it: moments of two of them are not comparable.
struct BootMoment {
  Id128 boot{};
  std::int64_t boot_ns = 0;
  std::uint64_t timens = 0;  // the boot clock (os/machine/namespaces.h); 0: the kernel has one only
  // Whose boot it is. Another boot of another machine is not an earlier one of this. Zeros: not
  // known.
  Id128 machine{};

  bool operator==(const BootMoment&) const = default;
};

// Somebody who works in the workspace. The first that is no guest is its owner.
struct Attachment {
  Id128 token{};  // a secret: never shown but to whom it was given
  // Whose end ends it; nullopt (`--owner none`): it lasts until `detach`.
  std::optional<ProcessIdentity> process{};
  bool guest = false;
  WallTime since{};
  std::string what{};  // for people: the terminal, or what they said

  bool operator==(const Attachment&) const = default;
};

struct WorkspaceEnd {
  WallTime at{};
  std::string reason{};

  bool operator==(const WorkspaceEnd&) const = default;
};

struct WorkspaceRecord {
  static constexpr std::int64_t kVersion = 1;

  std::string name{};
  Id128 id{};                // of this workspace and of no later one of the same name
  std::uint64_t change = 1;  // rises with every write, so that a plan can say what it saw
  WorkspaceState state = WorkspaceState::kReady;
  WallTime created{};
  BootMoment born{};

  // Where the harness has its files, absolute. Inside of the home it is the directory of the record
  // itself, and is not compared: a home may be moved.
  bool outside = false;
  std::string directory{};
  // Of a directory outside: which one it is. One that was put in its place is another.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool adopted = false;  // it was there before its record: made by the harness, not by us

  std::optional<Authority> authority{};
  std::optional<Authority> former_authority{};  // of one that was brought back from the trash
  std::optional<std::string> resume_id{};
  std::uint64_t resumes = 0;  // how often it was handed out
  // Without a sign of life (attach, resume, set) for so long, it counts as ended.
  std::optional<Duration> ttl{};
  BootMoment renewed{};  // the last one
  std::vector<Attachment> attached{};
  std::optional<WorkspaceEnd> ended{};
  std::vector<std::pair<std::string, std::string>> fields{};  // the harness's own, in their order

  bool operator==(const WorkspaceRecord&) const = default;
};

inline constexpr std::size_t kMaxWorkspaceRecordBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxAttached = 64;

std::string encode_workspace_record(const WorkspaceRecord& record);
// `subject` names the file in errors.
Result<WorkspaceRecord> decode_workspace_record(std::string_view bytes, std::string_view subject);

// A quick way to read the usual workspace record: for who reads a hundred thousand of them.
//
// Guarantee: what it reads is what decode_workspace_record reads. It takes exactly the bytes that
// encode_workspace_record writes, in their order and without a blank, of a record in which nobody
// is attached, without fields of the harness, and whose texts are ASCII without escapes. Anything
// else (damage, a newer version, a key that is not known) is nothing, and is for the library to
// judge.
std::optional<WorkspaceRecord> read_plain_workspace_record(std::string_view bytes);

// OutsideEntry: that a directory outside of the home belongs to a workspace, as one file of
// `sessions/.holdfast-outside/` says it (session/workspace/outside.h says why the workspace's
// record does not).
//
// One JSON object with `v` and `kind`. A newer version is kCannotTell; anything else that is no
// such entry is kCorrupt `bad-outside-entry`, and never taken for "no entry".
struct OutsideEntryRecord {
  static constexpr std::int64_t kVersion = 1;

  Id128 id{};
  std::string name{};
  std::string directory{};
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t birth_ns = 0;

  bool operator==(const OutsideEntryRecord&) const = default;
};

inline constexpr std::size_t kMaxOutsideEntryBytes = std::size_t{64} * 1024;

std::string encode_outside_entry(const OutsideEntryRecord& entry);
// `subject` names the file in errors.
Result<OutsideEntryRecord> decode_outside_entry(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
