// SPDX-License-Identifier: Apache-2.0
//
// The processes that /proc shows.
//
// Three answers: a table is returned only if /proc shows the caller itself under the caller's own
// number. A /proc that is missing or of another pid namespace (a container that kept the outer
// mount) is kCannotTell, cause `no-proc`, never an empty table: its numbers would name other
// processes.
//
// A row that cannot be read does not vanish and does not spoil the others: it is in `unread`. Were
// it to fail the whole table, one stranger's process under hidepid=1 would keep a tree from being
// killed; were it dropped, "may not look" would read as "not there". Under hidepid=2 such processes
// are not even listed, so no table can claim to be whole.
//
// Limit: that is why nothing is ever proven by a table, least of all that somebody is *not* there.
// It is read row by row while processes come and go, and says whom to look at. Force needs proof of
// its own (proc/tree/tree.h), and that a tree is empty is said by ECHILD alone (os/spawn/child.h).
//
// Windows: the list of processes and what each says of itself (os/process/process_list.h). Who may not be
// asked is in `unread`. `parent` is told only where that process is there and not younger than its
// child: the number of a parent that ended may be another's by now. One that has ended and is still
// kept by somebody's handle is a zombie. There are no sessions and no forks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "os/process/pid.h"
#include "proc/identity/process_facts.h"

namespace holdfast::proc {

// Does /proc show the caller's own processes?
Result<> check_proc();

struct UnreadRow {
  os::Pid pid{};
  Error why;  // not permitted (hidepid), no descriptors left, a line that is no stat line
};

struct ProcessTable {
  std::vector<ProcessFacts> rows;
  std::vector<UnreadRow> unread;  // listed, perhaps alive; nothing is known but the number
};

Result<ProcessTable> read_process_table();

// nullopt: there is no such process. A line that cannot be understood is kCannotTell, cause
// `odd-stat-line`.
Result<std::optional<ProcessFacts>> read_process(os::Pid pid);

// When this process started.
Result<std::uint64_t> own_start_ticks();

// nullopt: there is no such process. A text that cannot be understood is kCannotTell, cause
// `odd-status`.
Result<std::optional<StatusFacts>> read_status(os::Pid pid);

// Is a pid namespace gone, with everybody in it?
//
// The proof: the first process of a namespace is there from its first moment to its last, under one
// number outside; when it ends, the kernel ends and reaps all others first, and nobody can enter
// any more. A listing of /proc shows everybody who is there from its beginning to its end. So a
// listing of the machine's own /proc, in which nobody belongs to the namespace, is a proof,
// although it is no snapshot; and who vanishes while it is read was not that first process, or was
// the last. Zombies do not count: the first process becomes one only after the kernel has ended all
// others, and stays one for as long as its parent pleases.
//
// Guarantee: true is said only on that proof, from the initial pid namespace, which alone sees all
// processes. Whoever may not be looked at might be the one: then it is an Error. A process of the
// initial namespace is told from its status, which everybody may read, so that an ordinary user
// gets an answer, too, unless other users' containers run beside.
//
// Errors: kCannotTell, cause `other-pid-namespace`: this is no place to see it from, /proc hides
// processes, or one may not be looked at. Windows has no such namespaces: always that error.
Result<bool> pid_namespace_is_gone(std::uint64_t pidns);

}  // namespace holdfast::proc
