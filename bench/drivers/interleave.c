// SPDX-License-Identifier: Apache-2.0
//
// interleave [-t SECONDS] [-i FILE] ROUNDS NAME CMD… [::: NAME CMD…]…: runs the commands turn by
// turn, ROUNDS times or until SECONDS are over (three rounds at least), and prints a line for each:
//
//   NAME <tab> peak of memory in KiB <tab> microseconds of each run, in order, between blanks
//
// A run is timed from spawn to reaped exit. Turn by turn, so that a change of clock speed or load
// meets all of them alike; every second round goes through them backwards. Their output is
// discarded, FILE is their standard input (else /dev/null); one that fails ends the run.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

enum { kMaxCommands = 24, kFewestRounds = 3 };

struct command {
  const char* name;
  char** argv;
  double* microseconds;
  long peak_kib;
};

static void die(const char* what, const char* subject) {
  fprintf(stderr, "interleave: %s: %s\n", what, subject);
  exit(1);
}

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double run_once(struct command* command, posix_spawn_file_actions_t* quiet) {
  const double began = now_us();
  pid_t pid;
  if (posix_spawnp(&pid, command->argv[0], quiet, NULL, command->argv, environ) != 0) {
    die("cannot start", command->name);
  }
  int status = 0;
  struct rusage used;
  if (wait4(pid, &status, 0, &used) != pid || status != 0) die("failed", command->name);
  const double took = now_us() - began;
  if (used.ru_maxrss > command->peak_kib) command->peak_kib = used.ru_maxrss;
  return took;
}

// Splits the words at ":::" into commands; returns how many there are.
static int read_commands(char** words, int count, int rounds, struct command* commands) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    if (found == kMaxCommands || i + 1 >= count) die("too many commands, or none after", words[i]);
    struct command* command = &commands[found++];
    *command =
        (struct command){words[i], words + i + 1, malloc((size_t)rounds * sizeof(double)), 0};
    if (command->microseconds == NULL) die("no memory for", command->name);
    while (i < count && strcmp(words[i], ":::") != 0) ++i;
    if (i < count) words[i] = NULL;
  }
  return found;
}

int main(int argc, char** argv) {
  double seconds = 1e9;
  const char* input = "/dev/null";
  int option;
  while ((option = getopt(argc, argv, "+t:i:")) != -1) {
    if (option == 't') {
      seconds = atof(optarg);
    } else if (option == 'i') {
      input = optarg;
    } else {
      return 64;
    }
  }
  const int rounds = argc - optind > 2 ? atoi(argv[optind]) : 0;
  if (rounds < 1) die("usage", "interleave [-t SECONDS] [-i FILE] ROUNDS NAME CMD… [::: …]");
  struct command commands[kMaxCommands];
  const int count = read_commands(argv + optind + 1, argc - optind - 1, rounds, commands);

  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 0, input, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);

  for (int c = 0; c < count; ++c) run_once(&commands[c], &quiet);  // warms the caches
  const double until = now_us() + seconds * 1e6;
  int round = 0;
  for (; round < rounds && (round < kFewestRounds || now_us() < until); ++round) {
    for (int i = 0; i < count; ++i) {
      struct command* command = &commands[round % 2 == 0 ? i : count - 1 - i];
      command->microseconds[round] = run_once(command, &quiet);
    }
  }
  for (int c = 0; c < count; ++c) {
    printf("%s\t%ld\t", commands[c].name, commands[c].peak_kib);
    for (int i = 0; i < round; ++i) printf("%s%.1f", i > 0 ? " " : "", commands[c].microseconds[i]);
    printf("\n");
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
