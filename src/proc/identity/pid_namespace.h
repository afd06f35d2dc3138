// SPDX-License-Identifier: Apache-2.0
//
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
#pragma once

#include <cstdint>

#include "base/result.h"

namespace holdfast::proc {

Result<bool> pid_namespace_is_gone(std::uint64_t pidns);

}  // namespace holdfast::proc
