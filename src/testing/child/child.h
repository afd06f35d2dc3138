// SPDX-License-Identifier: Apache-2.0
//
// hf_test_child: one program with odd behaviours by name, instead of shell tricks in tests.
//
//   exit N, die N                      ends with code N, of signal N
//   sleep-forever, ignore-term         waits for a signal; without or with TERM ignored
//   stop-self                          stops itself (SIGSTOP)
//   hold-fd N                          fails unless N is open, then waits
//   shut-down-file-system PATH         as a power cut would (ext4, xfs)
//   fork-chain N                       N chains of processes that fork and exit, for at most 60 s
//   child|setsid-child|double-fork|daemon BEHAVIOUR…
//                                      starts BEHAVIOUR that way, waits until it is ready, exits 0
//   stay KIND BEHAVIOUR…               the same, but waits for a signal instead of exiting
//   become-root BEHAVIOUR…             of a set-user-id copy: its starter may not signal it
//   report-signals                     prints `got NAME` for each signal; USR1 ends it
//   print-fds, print-signals           its open descriptors; its signal mask and ignored signals
//   pty KEYS -- CMD…                   CMD as a shell's job on a new terminal; see pty.cc
//   with-job FILE -- CMD…              has a child of its own (pid in FILE), then becomes CMD
//   flip-link PATH VICTIM              PATH is in turn a file and a link to VICTIM; see flip.cc
//   flip-names ONE OTHER               the two names change places again and again
//   deny CALL,CALL… -- CMD…            becomes CMD under a filter that denies those system calls
//   words WORD…, env NAME, count N     prints [WORD]…, the value of NAME, the numbers up to N
//   cat, cat-and-exit N                copies its stdin; reads it to its end and ends with code N
//   mark PATH                          makes the file PATH
//   exit-code HEX, has-handle N        Windows: ends with that code; ends with 0 if N is open
//   in-job BEHAVIOUR…                  Windows: starts it in a job object that ends with this one
//
// Each waiting behaviour first prints `ready PID` on its stdout, and waits at most kLongest
// seconds, so that a failing test leaves nobody behind for good.
#pragma once

#include <string>
#include <vector>

namespace holdfast::testing::child {

inline constexpr unsigned kLongest = 120;

using Words = std::vector<std::string>;

[[noreturn]] void die_with(const std::string& what);
[[noreturn]] void wait_forever();
// Prints the line, and tells the process that started this behaviour, if one waits for it.
void ready();
[[noreturn]] void become(const Words& command);
Words after_dashes(const Words& words);

[[noreturn]] void behave(const Words& words);
// Does not return for the behaviours that are the same everywhere.
void behave_plainly(const Words& words);

[[noreturn]] void start_tree(const Words& words, bool stay);
[[noreturn]] void fork_chain(int chains);
[[noreturn]] void report_signals();
[[noreturn]] void print_fds();
[[noreturn]] void print_signals();
[[noreturn]] void run_on_pty(const Words& words);
[[noreturn]] void flip_link(const std::string& path, const std::string& victim);
[[noreturn]] void flip_names(const std::string& one, const std::string& other);
[[noreturn]] void deny_calls(const Words& words);

extern int g_ready_fd;

}  // namespace holdfast::testing::child
