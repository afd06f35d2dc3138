/* SPDX-License-Identifier: Apache-2.0
 * What the tests of the C library share. A failed check says where, and ends the program with 1. */
#ifndef CHECK_H
#define CHECK_H

#include <holdfast/holdfast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static holdfast_error error;

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "%s:%d: not so: %s\n    last error: %d %s: %s\n", __FILE__, __LINE__, \
              #condition, (int)error.code, error.cause, error.message);                     \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

/* The answer of a call, and the cause that goes with it; "" for none. */
#define ANSWERS(wanted, word, call)                                                          \
  do {                                                                                       \
    int got_ = (call);                                                                       \
    if (got_ != (wanted) || strcmp(error.cause, (word)) != 0) {                              \
      fprintf(stderr, "%s:%d: %s\n    answered %d %s (%s), not %d %s\n", __FILE__, __LINE__, \
              #call, got_, error.cause, error.message, (int)(wanted), (word));               \
      exit(1);                                                                               \
    }                                                                                        \
  } while (0)

#define DONE(call) ANSWERS(HOLDFAST_OK, "", call)

/* Does the document have this text? And it is freed. */
static inline int says(char* json, const char* text) {
  int found = json != NULL && strstr(json, text) != NULL;
  if (!found) fprintf(stderr, "    document: %s\n", json != NULL ? json : "(none)");
  holdfast_free(json);
  return found;
}

static inline holdfast_home* open_home(void) {
  holdfast_home* hf = NULL;
  error = holdfast_error_init();
  DONE(holdfast_open(NULL, NULL, &hf, &error));
  return hf;
}

static inline holdfast_lock* open_lock(holdfast_home* hf, int kind, const char* name) {
  holdfast_lock* lock = NULL;
  DONE(holdfast_lock_open(hf, kind, name, &lock, &error));
  return lock;
}

static inline holdfast_lock_options waiting(int64_t milliseconds) {
  holdfast_lock_options options = holdfast_lock_options_init();
  options.wait_ms = milliseconds;
  return options;
}

#endif
