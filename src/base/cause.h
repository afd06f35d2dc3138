// SPDX-License-Identifier: Apache-2.0
//
// The causes of errors (base/error.h) that the program itself compares. A word that is only told to
// others may stay a literal where it is said; one that decides something is named here, so that who
// says it and who asks for it cannot part.
#pragma once

namespace holdfast::cause {

// Of the operating system; os/sys/os_error.h spells them all.
inline constexpr const char* kEacces = "eacces";
inline constexpr const char* kEbusy = "ebusy";
inline constexpr const char* kEconnrefused = "econnrefused";
inline constexpr const char* kEdquot = "edquot";
inline constexpr const char* kEio = "eio";
inline constexpr const char* kEisdir = "eisdir";
inline constexpr const char* kEmfile = "emfile";
inline constexpr const char* kEnfile = "enfile";
inline constexpr const char* kEnoent = "enoent";
inline constexpr const char* kEnoexec = "enoexec";
inline constexpr const char* kEnomem = "enomem";
inline constexpr const char* kEnospc = "enospc";
inline constexpr const char* kEnotdir = "enotdir";
inline constexpr const char* kEopnotsupp = "eopnotsupp";
inline constexpr const char* kEperm = "eperm";
inline constexpr const char* kEpipe = "epipe";
inline constexpr const char* kErofs = "erofs";

// holdfast's own.
inline constexpr const char* kBadBlob = "bad-blob";
inline constexpr const char* kBadData = "bad-data";
inline constexpr const char* kBudget = "budget";
inline constexpr const char* kChangedMeanwhile = "changed-meanwhile";
inline constexpr const char* kDiskFull = "disk-full";
inline constexpr const char* kHeldOpen = "held-open";
inline constexpr const char* kIsLink = "is-link";
inline constexpr const char* kLimitNotEnforceable = "limit-not-enforceable";
inline constexpr const char* kLockBusy = "lock-busy";
inline constexpr const char* kLockedMeanwhile = "locked-meanwhile";
inline constexpr const char* kLoopLogGone = "loop-log-gone";
inline constexpr const char* kMetaNotKept = "meta-not-kept";
inline constexpr const char* kNameTaken = "name-taken";
inline constexpr const char* kNewerVersion = "newer-version";
inline constexpr const char* kNoLedger = "no-ledger";
inline constexpr const char* kNoOwner = "no-owner";
inline constexpr const char* kNoSuchLoop = "no-such-loop";
inline constexpr const char* kNoSuchSession = "no-such-session";
inline constexpr const char* kNoSuchWorkspace = "no-such-workspace";
inline constexpr const char* kNoToken = "no-token";
inline constexpr const char* kNotADirectory = "not-a-directory";
inline constexpr const char* kNotALedger = "not-a-ledger";
inline constexpr const char* kNotARegularFile = "not-a-regular-file";
inline constexpr const char* kNotAttached = "not-attached";
inline constexpr const char* kNotSealed = "not-sealed";
inline constexpr const char* kNotYet = "not-yet";
inline constexpr const char* kPathTaken = "path-taken";
inline constexpr const char* kReadersFull = "readers-full";
inline constexpr const char* kSegmentRemoved = "segment-removed";
inline constexpr const char* kSeriesBusy = "series-busy";
inline constexpr const char* kSessionLive = "session-live";
inline constexpr const char* kStepClaimed = "step-claimed";
inline constexpr const char* kTimeout = "timeout";
inline constexpr const char* kTooLarge = "too-large";
inline constexpr const char* kUntrustedDir = "untrusted-dir";
inline constexpr const char* kWorkspaceBusy = "workspace-busy";

}  // namespace holdfast::cause
