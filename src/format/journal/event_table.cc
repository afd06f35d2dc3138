// SPDX-License-Identifier: Apache-2.0
//
// The table of event types. To add one: a row in its place, and its fields. A decision is what must
// be on stable storage before the act that it announces: force that nobody announced otherwise,
// taking from a live holder, running without the lock, deleting. (The removals of a gc are covered
// by the one gc.planned; the end of an own tree at its deadline by the start record that named it.)
#include <algorithm>
#include <array>

#include "format/journal/event_type.h"

namespace holdfast {
namespace {

using enum EventClass;
using enum DataKind;

constexpr EventField must(std::string_view name, DataKind kind = kText) {
  return {.name = name, .kind = kind, .required = true};
}
constexpr EventField may(std::string_view name, DataKind kind = kText) {
  return {.name = name, .kind = kind, .required = false};
}

// Never a token: whoever reads the journal could release with it.
constexpr std::array kLock{must("lock"),
                           may("mode"),
                           may("owner"),
                           may("fence", kNumber),
                           may("holder", kObject),
                           may("waited_ms", kNumber),
                           may("reason"),
                           may("evidence"),
                           may("ttl_ms", kNumber),
                           may("overrun_ms", kNumber),
                           may("by"),
                           may("pid", kNumber)};
constexpr std::array kLockBecause{must("lock"),           must("reason"),
                                  may("owner"),           may("fence", kNumber),
                                  may("holder", kObject), may("waited_ms", kNumber),
                                  may("evidence")};
constexpr std::array kSession{must("name"),
                              may("pid", kNumber),
                              may("dir"),
                              may("state"),
                              may("exit_code", kNumber),
                              may("signal", kNumber),
                              may("reason"),
                              may("by"),
                              may("evidence")};
// Of a workspace. Never a token, and never the value of a field.
constexpr std::array kWorkspace{must("name"),        may("dir"),           may("authority"),
                                may("pid", kNumber), may("what"),          may("guest", kFlag),
                                may("keys", kList),  may("left", kNumber), may("resumes", kNumber)};
constexpr std::array kWorkspaceEnded{must("name"),     may("dir"),    may("state"),
                                     may("authority"), may("reason"), may("evidence")};
constexpr std::array kProcess{must("pid", kNumber),
                              may("identity", kObject),
                              may("name"),
                              may("run"),
                              may("signal", kNumber),
                              may("outcome"),
                              may("reason"),
                              may("by"),
                              may("evidence"),
                              may("survivors", kList),
                              may("processes", kNumber)};
constexpr std::array kEventTableFile{
    must("path"),          may("old_sha256"), may("new_sha256"),    may("durable", kFlag),
    may("bytes", kNumber), may("lock"),       may("fence", kNumber)};
constexpr std::array kFileRefused{must("path"), must("reason"), may("lock"), may("fence", kNumber)};
constexpr std::array kBlock{must("path"), must("id"), may("old_sha256"), may("new_sha256")};
constexpr std::array kBlockRefused{must("path"), must("id"), must("reason"), may("line", kNumber)};
constexpr std::array kGcPlanned{must("plan_id"), must("remove", kList), may("kept", kNumber),
                                may("evidence")};
constexpr std::array kGcEntry{must("name"), may("plan_id"), may("reason"), may("evidence")};
constexpr std::array kGcFailed{must("name"), must("reason"), may("plan_id")};
constexpr std::array kGcSkipped{must("reason"), may("authority")};
constexpr std::array kGcBraked{must("reason"), may("authority"), may("gone", kNumber),
                               may("known", kNumber)};
constexpr std::array kTrash{must("name"), may("id"), may("dir"), may("as"), may("reason")};
constexpr std::array kLayers{must("file"), must("count", kNumber), must("digest")};
constexpr std::array kLayersRefused{must("file"), must("reason"), may("layer")};
constexpr std::array kEnsured{must("path"), may("type"), may("mode"), may("owner")};
constexpr std::array kDrift{must("path"), may("field"), may("expected"), may("found")};
constexpr std::array kLoop{must("loop"),
                           may("item"),
                           may("state"),
                           may("cause"),
                           may("attempt", kNumber),
                           may("result"),
                           may("reason"),
                           may("next"),
                           may("exit_code", kNumber)};
constexpr std::array kStep{
    must("step"),           must("key"),   may("state"), may("exit_code", kNumber),
    may("signal", kNumber), may("reason"), may("next"),  may("evidence")};
constexpr std::array kSeries{must("session"), may("done", kNumber), may("reason")};
constexpr std::array kHook{
    must("id"),           must("command"),        may("pid", kNumber), may("budget_ms", kNumber),
    may("code", kNumber), may("status", kNumber), may("by"),           may("cause"),
    may("reason"),        may("took_ms", kNumber)};
constexpr std::array kOpened{
    must("journal"), must("segment", kNumber), may("previous", kObject), must("boot"),
    must("host"),    must("format", kNumber)};
constexpr std::array kSealed{must("records", kNumber),
                             must("first", kNumber),
                             must("last", kNumber),
                             must("head"),
                             must("root"),
                             must("counts", kObject)};
constexpr std::array kRepaired{must("kind"),
                               must("segment", kNumber),
                               must("offset", kNumber),
                               must("bytes", kNumber),
                               must("same_boot", kFlag),
                               must("says"),
                               may("blob"),
                               may("lost_from", kNumber),
                               may("lost_to", kNumber)};
constexpr std::array kFull{must("state"), must("dropped_trace", kNumber),
                           must("dropped_event", kNumber), must("since")};
constexpr std::array kSyncError{must("segment", kNumber), must("error"),
                                may("unknown_from", kNumber), may("unknown_to", kNumber)};
constexpr std::array kRetention{must("dropped", kList)};
constexpr std::array kAnchored{must("to")};
constexpr std::array kAnchorFailed{must("to"), must("reason"), may("seq", kNumber)};

constexpr std::array kTypes{
    EventType{"block.changed", kEvent, kBlock, "A managed block got other content."},
    EventType{"block.refused", kEvent, kBlockRefused, "A managed block was left as it is."},
    EventType{"ensure.created", kEvent, kEnsured, "A path of a manifest was absent and was made."},
    EventType{"ensure.drift", kEvent, kDrift, "A path differs from its manifest."},
    EventType{"file.refused", kEvent, kFileRefused, "A file was not replaced."},
    EventType{"file.replaced", kEvent, kEventTableFile, "A file was replaced in one step."},
    EventType{"gc.braked", kEvent, kGcBraked,
              "Too much looked dead at once, so nothing was collected."},
    EventType{"gc.failed", kEvent, kGcFailed, "A dead workspace or session could not be removed."},
    EventType{"gc.kept", kEvent, kGcEntry, "A workspace or session was looked at and kept."},
    EventType{"gc.planned", kDecision, kGcPlanned,
              "These workspaces and sessions will be removed."},
    EventType{"gc.removed", kEvent, kGcEntry, "A workspace or session of a plan was removed."},
    EventType{"gc.skipped", kEvent, kGcSkipped,
              "It could not be told what is alive, so nothing was collected."},
    EventType{"hook.allowed", kDecision, kHook,
              "An answer that blocks a hook is let through, as somebody has allowed."},
    EventType{"hook.ended", kEvent, kHook, "A command under --hook has its answer."},
    EventType{"hook.started", kEvent, kHook, "A command under --hook begins."},
    EventType{"journal.anchor_failed", kEvent, kAnchorFailed,
              "The end of the journal could not be pinned elsewhere."},
    EventType{"journal.anchored", kDecision, kAnchored,
              "The end of the journal was pinned elsewhere."},
    EventType{"journal.full", kEvent, kFull, "The disk became full, or has room again."},
    EventType{"journal.opened", kEvent, kOpened, "A segment of the journal begins."},
    EventType{"journal.repaired", kEvent, kRepaired,
              "Something was wrong with the journal, and this is what."},
    EventType{"journal.retention", kDecision, kRetention,
              "The oldest segments of the journal will be dropped."},
    EventType{"journal.sealed", kEvent, kSealed, "A segment of the journal is complete."},
    EventType{"journal.sync_error", kDecision, kSyncError,
              "The system failed to bring records to stable storage."},
    EventType{"layers.assembled", kEvent, kLayers, "A command line was assembled from its layers."},
    EventType{"layers.refused", kEvent, kLayersRefused,
              "A layer failed, so nothing was assembled."},
    EventType{"lock.acquired", kTrace, kLock, "A free lock was taken."},
    EventType{"lock.broken", kDecision, kLock, "A lock is broken by order of a person."},
    EventType{"lock.busy", kEvent, kLock, "A lock was busy: somebody else held it."},
    EventType{
        "lock.expired", kDecision, kLock,
        "A lock will be taken from its holder: its lease ran out, or `evidence` says why else."},
    EventType{"lock.fail_open", kDecision, kLockBecause,
              "A command runs without its lock, for a reason that was allowed."},
    EventType{"lock.lost", kEvent, kLock, "A holder found that it holds its lock no more."},
    EventType{"lock.recovered", kEvent, kLock, "A lock was taken over from a dead holder."},
    EventType{"lock.release_refused", kEvent, kLock,
              "Somebody who does not hold a lock tried to release it."},
    EventType{"lock.released", kTrace, kLock, "A lock was released."},
    EventType{"lock.skipped", kEvent, kLock,
              "A command was left out: its lock was taken (`--if-busy skip`)."},
    EventType{"lock.taken", kDecision, kLock, "A lock was taken from a holder that is not dead."},
    EventType{"loop.attempt", kEvent, kLoop, "An item of a loop was tried."},
    EventType{"loop.claimed", kEvent, kLoop, "An item of a loop was taken up."},
    EventType{"loop.done", kEvent, kLoop, "An item of a loop is done."},
    EventType{"loop.failed", kEvent, kLoop, "An attempt at an item of a loop failed."},
    EventType{"loop.gave_up", kEvent, kLoop, "An item of a loop is not tried any more."},
    EventType{"loop.notified", kEvent, kLoop, "Somebody was told about an item of a loop."},
    EventType{"loop.paused", kEvent, kLoop, "A loop begins nothing new from now on."},
    EventType{"loop.resumed", kEvent, kLoop, "A paused loop goes on."},
    EventType{"loop.retried", kEvent, kLoop, "A person lets a loop try an item again."},
    EventType{"loop.settled", kEvent, kLoop, "A person says that an item of a loop is done."},
    EventType{"loop.source_failed", kEvent, kLoop, "What a loop has to do could not be told."},
    EventType{"loop.suppressed", kEvent, kLoop, "A repeated notice was held back."},
    EventType{"loop.unknown", kEvent, kLoop,
              "Nobody can tell what an act of a loop did; a person has to."},
    EventType{"loop.verified", kEvent, kLoop, "The result of an item of a loop was verified."},
    EventType{"process.kill_refused", kEvent, kProcess,
              "A process was not signalled: it is gone, another one, or may not or must not be."},
    EventType{"process.killed", kDecision, kProcess, "A process is ended by force."},
    EventType{"process.survivors", kEvent, kProcess, "Processes are left after a kill."},
    EventType{"process.unproven", kEvent, kProcess,
              "A tree was ended as far as it was found, and nothing proves that it was all."},
    EventType{"series.began", kEvent, kSeries, "A series of iterations was begun."},
    EventType{"series.ended", kEvent, kSeries, "A series of iterations is over, or has stopped."},
    EventType{"session.adopted", kEvent, kSession, "A session without supervisor got a new one."},
    EventType{"session.ended", kEvent, kSession, "A session has come to its end."},
    EventType{"session.log_lost", kEvent, kSession,
              "A part of what a session printed could not be kept in its log."},
    EventType{"session.on_end_failed", kEvent, kSession,
              "What was to be done at the end of a session failed."},
    EventType{"session.orphaned", kEvent, kSession, "A session runs without its supervisor."},
    EventType{"session.reserved", kEvent, kSession, "The name of a session was taken."},
    EventType{"session.running", kEvent, kSession, "The command of a session runs."},
    EventType{"session.skipped", kEvent, kSession,
              "A run was left out: its name or one of its locks was taken (`--if-busy skip`)."},
    EventType{"session.starting", kEvent, kSession, "The command of a session is being started."},
    EventType{"session.stopping", kEvent, kSession, "A session is being ended."},
    EventType{"session.unverified", kEvent, kSession, "The verification of a session failed."},
    EventType{"session.verified", kEvent, kSession, "The verification of a session succeeded."},
    EventType{"step.claimed", kEvent, kStep, "A step was taken up."},
    EventType{"step.done", kEvent, kStep, "A step has succeeded."},
    EventType{"step.failed", kEvent, kStep, "A run of a step has failed, or nobody saw its end."},
    EventType{"step.forgotten", kDecision, kStep,
              "What is known of a step is dropped, by order of a person."},
    EventType{"step.repeated", kEvent, kStep,
              "A step begins again, although an earlier run of it may have done it."},
    EventType{"step.skipped", kEvent, kStep,
              "A step was not run: another works on it, it is used up, or nobody can tell."},
    EventType{"step.suppressed", kEvent, kStep,
              "A notice was held back: the same was sent before, or one waits after a failure."},
    EventType{"tick.skipped", kEvent, kStep,
              "Until 0.1: a tick was left out, because the one before still worked."},
    EventType{"trash.purge", kDecision, kTrash,
              "What is in the trash is removed for good, by order of a person."},
    EventType{"trash.purged", kEvent, kTrash, "What was in the trash is gone for good."},
    EventType{"trash.restored", kEvent, kTrash,
              "A workspace or session was brought back from the trash."},
    EventType{"workspace.attached", kEvent, kWorkspace,
              "Somebody works in a workspace from now on."},
    EventType{"workspace.changed", kEvent, kWorkspace, "The record of a workspace was changed."},
    EventType{"workspace.created", kEvent, kWorkspace, "A workspace was made."},
    EventType{"workspace.detached", kEvent, kWorkspace, "Somebody has left a workspace."},
    EventType{"workspace.ended", kEvent, kWorkspaceEnded, "A workspace has come to its end."},
    EventType{"workspace.forgotten", kDecision, kWorkspace,
              "The record of a workspace is dropped, by order of a person; its directory stays."},
    EventType{"workspace.resumed", kEvent, kWorkspace,
              "Somebody goes on with a workspace; its resume id was handed out."},
};

static_assert(std::ranges::adjacent_find(kTypes, std::ranges::greater_equal{}, &EventType::name) ==
                  kTypes.end(),
              "sorted by name, each once");

}  // namespace

std::span<const EventType> event_types() { return kTypes; }

}  // namespace holdfast
