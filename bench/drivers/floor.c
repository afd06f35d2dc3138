// SPDX-License-Identifier: Apache-2.0
//
// floor WHAT …: the least that any tool has to do for a job, as bare system calls in a static
// program. No checks, no records, no names for people: what a tool costs above this is the price of
// its promises.
//
//   lock FILE CMD…     open, flock, exec
//   run CMD…           spawn, wait
//   lstat LIST         lstat of each path of LIST; a mode other than 0644 is an error
//   create LIST        each path of LIST is made, empty, 0644
//   copy FROM TO       copied inside the kernel (copy_file_range) beside TO, renamed over it
//   count FILE TIMES   open FILE.lock, flock, read a number, write it plus one beside, rename
//   read FILE…         every byte is read
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static char buffer[1 << 20];

static void must(int good, const char* what) {
  if (good) return;
  perror(what);
  exit(1);
}

static int spawn_and_wait(char** argv) {
  pid_t pid;
  must(posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) == 0, argv[0]);
  int status = 0;
  must(waitpid(pid, &status, 0) == pid, "waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int under_lock(const char* path, char** argv) {
  const int fd = open(path, O_RDWR | O_CREAT, 0600);
  must(fd >= 0 && flock(fd, LOCK_EX) == 0, path);
  execvp(argv[0], argv);
  return 127;
}

static int for_each_line(const char* list, void (*act)(const char*)) {
  FILE* lines = fopen(list, "r");
  must(lines != NULL, list);
  char path[4096];
  while (fgets(path, sizeof path, lines)) {
    path[strcspn(path, "\n")] = 0;
    act(path);
  }
  return 0;
}

static void look(const char* path) {
  struct stat info;
  must(lstat(path, &info) == 0 && (info.st_mode & 07777) == 0644, path);
}

static void create(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  must(fd >= 0 && close(fd) == 0, path);
}

static void copy_bytes(int from, int to) {
  const size_t most = (size_t)1 << 30;
  ssize_t size;
  while ((size = copy_file_range(from, NULL, to, NULL, most, 0)) > 0) {
  }
  must(size == 0, "copy_file_range");
}

static int copy(const char* from_path, const char* to_path) {
  char beside[4096];
  snprintf(beside, sizeof beside, "%s.new", to_path);
  const int from = open(from_path, O_RDONLY | O_CLOEXEC);
  const int to = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  must(from >= 0 && to >= 0, from_path);
  copy_bytes(from, to);
  must(close(to) == 0 && rename(beside, to_path) == 0, to_path);
  return 0;
}

static void count_once(const char* path, const char* lock, const char* beside) {
  const int held = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  must(held >= 0 && flock(held, LOCK_EX) == 0, lock);
  char digits[32] = {0};
  const int old = open(path, O_RDONLY | O_CLOEXEC);
  must(old >= 0 && read(old, digits, sizeof digits - 1) > 0 && close(old) == 0, path);
  const int size = snprintf(digits, sizeof digits, "%ld\n", atol(digits) + 1);
  const int new = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  must(new >= 0 && write(new, digits, (size_t)size) == size&& close(new) == 0, beside);
  must(rename(beside, path) == 0 && close(held) == 0, path);
}

static int count(const char* path, int times) {
  char lock[4096];
  char beside[4096];
  snprintf(lock, sizeof lock, "%s.lock", path);
  snprintf(beside, sizeof beside, "%s.new", path);
  for (int i = 0; i < times; ++i) count_once(path, lock, beside);
  return 0;
}

static int read_all(char** paths) {
  for (; *paths != NULL; ++paths) {
    const int fd = open(*paths, O_RDONLY | O_CLOEXEC);
    must(fd >= 0, *paths);
    while (read(fd, buffer, sizeof buffer) > 0) {
    }
    close(fd);
  }
  return 0;
}

int main(int argc, char** argv) {
  const char* what = argc > 2 ? argv[1] : "";
  if (strcmp(what, "lock") == 0 && argc > 3) return under_lock(argv[2], argv + 3);
  if (strcmp(what, "run") == 0) return spawn_and_wait(argv + 2);
  if (strcmp(what, "lstat") == 0) return for_each_line(argv[2], look);
  if (strcmp(what, "create") == 0) return for_each_line(argv[2], create);
  if (strcmp(what, "copy") == 0 && argc == 4) return copy(argv[2], argv[3]);
  if (strcmp(what, "count") == 0 && argc == 4) return count(argv[2], atoi(argv[3]));
  if (strcmp(what, "read") == 0) return read_all(argv + 2);
  return 64;
}
