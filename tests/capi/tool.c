/* SPDX-License-Identifier: Apache-2.0
 * One call of the library, for shell scripts: tool hold|drop|try|open named|file|path NAME
 *
 *   hold   acquires, waiting; says its token; releases at the end of its input
 *   drop   the same, and ends without a release
 *   try    acquires if it is free, and ends */
#include "check.h"

#include <unistd.h>

int main(int argc, char** argv) {
  holdfast_home* hf = NULL;
  holdfast_lock* lock = NULL;
  holdfast_lock_options wait = waiting(20000);
  holdfast_grant grant = holdfast_grant_init();
  int code;
  char byte;
  error = holdfast_error_init();
  if (argc < 2) return 64;
  code = holdfast_open(NULL, NULL, &hf, &error);
  if (code == 0 && argc == 4) {
    int kind = strcmp(argv[2], "file") == 0   ? HOLDFAST_FILE
               : strcmp(argv[2], "path") == 0 ? HOLDFAST_PATH
                                              : HOLDFAST_NAMED;
    int at_once = strcmp(argv[1], "try") == 0;
    code = holdfast_lock_open(hf, kind, argv[3], &lock, &error);
    if (code == 0)
      code = (at_once ? holdfast_lock_try : holdfast_lock_acquire)(lock, &wait, &error);
    if (code == 0) code = holdfast_lock_grant(lock, &grant, &error);
    if (code == 0 && !at_once) {
      printf("%s %s\n", grant.token, grant.cause);
      fflush(stdout);
      while (read(0, &byte, 1) > 0) continue;
      if (strcmp(argv[1], "drop") == 0) _exit(0);
      code = holdfast_lock_release(lock, &error);
    } else if (code == 0) {
      printf("%s reentered=%u\n", grant.cause, (unsigned)grant.reentered);
    }
  }
  if (code != 0) fprintf(stderr, "%d %s: %s\n", code, error.cause, error.message);
  holdfast_lock_close(&lock);
  holdfast_close(&hf, NULL);
  return code;
}
