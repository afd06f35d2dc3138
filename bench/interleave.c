// SPDX-License-Identifier: Apache-2.0
//
// interleave [-o FILE] ROUNDS NAME CMD… [::: NAME CMD…]…: runs the commands turn by turn, ROUNDS
// times, and prints for each the median wall time from spawn to reaped exit, the spread (10th and
// 90th percentile), the ratio of the medians to the first command, and the most memory that any of
// its runs had resident. Turn by turn, so that a change of clock speed or load meets all of them
// alike. The commands' output is discarded; one that fails ends the run.
//
// -o FILE: also appends a line `NAME <tab> median in us <tab> peak in KiB` for each to FILE.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char** environ;

enum { kMaxCommands = 16 };

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

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  FILE* lines = NULL;
  if (argc > 3 && strcmp(argv[1], "-o") == 0) {
    lines = fopen(argv[2], "a");
    if (lines == NULL) die("cannot open", argv[2]);
    argc -= 2;
    argv += 2;
  }
  const int rounds = argc > 3 ? atoi(argv[1]) : 0;
  if (rounds < 1) die("usage", "interleave [-o FILE] ROUNDS NAME CMD… [::: NAME CMD…]…");

  struct command commands[kMaxCommands];
  int count = 0;
  for (int i = 2; i < argc; ++i) {
    if (count == kMaxCommands || i + 1 >= argc) die("too many commands, or none after", argv[i]);
    struct command* command = &commands[count++];
    *command = (struct command){argv[i], argv + i + 1, malloc((size_t)rounds * sizeof(double)), 0};
    if (command->microseconds == NULL) die("no memory for", command->name);
    while (i < argc && strcmp(argv[i], ":::") != 0) ++i;
    if (i < argc) argv[i] = NULL;
  }

  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);

  for (int c = 0; c < count; ++c) run_once(&commands[c], &quiet);  // warms the caches
  for (int round = 0; round < rounds; ++round) {
    for (int c = 0; c < count; ++c) {
      commands[c].microseconds[round] = run_once(&commands[c], &quiet);
    }
  }

  double first = 0;
  printf("%-24s %10s %21s %8s %10s   (%d rounds)\n", "", "median", "10% .. 90%", "ratio", "peak",
         rounds);
  for (int c = 0; c < count; ++c) {
    double* us = commands[c].microseconds;
    qsort(us, (size_t)rounds, sizeof(double), compare);
    const double median = us[rounds / 2];
    if (c == 0) first = median;
    const double peak_mib = (double)commands[c].peak_kib / 1024;
    printf("%-24s %7.0f us %7.0f .. %7.0f us %8.2f %6.1f MiB\n", commands[c].name, median,
           us[rounds / 10], us[rounds * 9 / 10], median / first, peak_mib);
    if (lines != NULL) {
      fprintf(lines, "%s\t%.0f\t%ld\n", commands[c].name, median, commands[c].peak_kib);
    }
  }
  if (lines != NULL && fclose(lines) != 0) die("cannot write", "the lines");
  return 0;
}
