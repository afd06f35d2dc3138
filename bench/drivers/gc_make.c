// SPDX-License-Identifier: Apache-2.0
//
// gc_make TEMPLATE DIR COUNT FILES: COUNT copies of the session s-000000, whose record TEMPLATE is,
// as DIR/s-000001 and so on, each with harness.lock and FILES small files beside its record. A
// hundred thousand `workspace new` would take minutes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char kName[] = "s-000000";

static void put(int dir, const char* name, const char* bytes, size_t size) {
  const int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0) {
    perror(name);
    exit(1);
  }
}

int main(int argc, char** argv) {
  static char record[65536];
  if (argc != 5) return 64;
  const int from = open(argv[1], O_RDONLY | O_CLOEXEC);
  const ssize_t size = from < 0 ? -1 : read(from, record, sizeof record);
  if (size <= 0) return 66;
  for (int i = 1; i <= atoi(argv[3]); ++i) {
    char name[32];
    snprintf(name, sizeof name, "s-%06d", i);
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", argv[2], name);
    if (mkdir(path, 0700) != 0) {
      perror(path);
      return 1;
    }
    static char copy[65536];
    memcpy(copy, record, (size_t)size);
    for (char* at = copy; (at = memmem(at, (size_t)(copy + size - at), kName, 8)) != NULL;
         at += 8) {
      memcpy(at, name, 8);
    }
    char* id = memmem(copy, (size_t)size, "\"id\":\"", 6);
    if (id != NULL) {
      char digits[16];
      snprintf(digits, sizeof digits, "%06d", i);
      memcpy(id + 6, digits, 6);
    }
    const int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    put(dir, "harness.json", copy, (size_t)size);
    put(dir, "harness.lock", "", 0);
    for (int f = 0; f < atoi(argv[4]); ++f) {
      snprintf(name, sizeof name, "file-%d", f);
      put(dir, name, "some bytes\n", 11);
    }
    close(dir);
  }
  return 0;
}
