/* SPDX-License-Identifier: Apache-2.0
 * Locks: what each call answers, and what it answers to bad calls. */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

static void a_lock_comes_and_goes(holdfast_home* hf) {
  holdfast_lock* lock = open_lock(hf, HOLDFAST_NAMED, "deploy");
  holdfast_grant grant = holdfast_grant_init();
  uint64_t fence;
  char* json = NULL;

  ANSWERS(66, "not-held", holdfast_lock_check(lock, &error));
  ANSWERS(66, "not-held", holdfast_lock_release(lock, &error));
  ANSWERS(66, "not-held", holdfast_lock_grant(lock, &grant, &error));
  DONE(holdfast_lock_acquire(lock, NULL, &error));
  DONE(holdfast_lock_grant(lock, &grant, &error));
  CHECK(strlen(grant.token) == 32 && grant.fence > 0 && !grant.reentered && !grant.shared);
  CHECK(strcmp(grant.cause, "fresh") == 0 && grant.ttl_ms == 0);
  fence = grant.fence;
  ANSWERS(64, "already-held", holdfast_lock_acquire(lock, NULL, &error));
  DONE(holdfast_lock_check(lock, &error));
  DONE(holdfast_lock_info(hf, HOLDFAST_NAMED, "deploy", &json, &error));
  CHECK(says(json, "\"state\":\"held\""));
  DONE(holdfast_lock_list(hf, &json, &error));
  CHECK(says(json, "\"name\":\"deploy\""));
  DONE(holdfast_lock_release(lock, &error));
  ANSWERS(66, "not-held", holdfast_lock_release(lock, &error));
  DONE(holdfast_lock_try(lock, NULL, &error));
  DONE(holdfast_lock_grant(lock, &grant, &error));
  CHECK(grant.fence > fence);
  holdfast_lock_close(&lock);
  CHECK(lock == NULL);
  holdfast_lock_close(&lock);
  DONE(holdfast_lock_info(hf, HOLDFAST_NAMED, "deploy", &json, &error));
  CHECK(says(json, "\"state\":\"free\""));
}

static void two_seats_exclude_each_other(holdfast_home* hf, int kind, const char* name) {
  holdfast_lock* first = open_lock(hf, kind, name);
  holdfast_lock* second = open_lock(hf, kind, name);
  holdfast_lock_options wait = waiting(50);
  DONE(holdfast_lock_acquire(first, NULL, &error));
  ANSWERS(75, "timeout", holdfast_lock_try(second, &wait, &error));
  CHECK(strstr(error.message, "held by pid") != NULL);
  ANSWERS(75, "timeout", holdfast_lock_acquire(second, &wait, &error));
  DONE(holdfast_lock_release(first, &error));
  DONE(holdfast_lock_acquire(second, &wait, &error));
  holdfast_lock_close(&second); /* releases */
  DONE(holdfast_lock_try(first, NULL, &error));
  holdfast_lock_close(&first);
}

/* The next grant notices that its file has gone; it must not find itself as the holder of the new one. */
static void a_removed_lock_file_is_made_again(holdfast_home* hf, int kind, const char* name,
                                              const char* file) {
  holdfast_lock* lock = open_lock(hf, kind, name);
  holdfast_lock_options shared = holdfast_lock_options_init();
  shared.flags = HOLDFAST_LOCK_SHARED;
  DONE(holdfast_lock_try(lock, NULL, &error));
  DONE(holdfast_lock_release(lock, &error));
  CHECK(unlink(file) == 0);
  DONE(holdfast_lock_try(lock, NULL, &error));
  DONE(holdfast_lock_check(lock, &error));
  DONE(holdfast_lock_release(lock, &error));
  CHECK(unlink(file) == 0);
  DONE(holdfast_lock_try(lock, &shared, &error));
  DONE(holdfast_lock_release(lock, &error));
  DONE(holdfast_lock_try(lock, NULL, &error));
  holdfast_lock_close(&lock);
}

static void readers_share(holdfast_home* hf) {
  holdfast_lock* first = open_lock(hf, HOLDFAST_NAMED, "readers");
  holdfast_lock* second = open_lock(hf, HOLDFAST_NAMED, "readers");
  holdfast_lock* writer = open_lock(hf, HOLDFAST_NAMED, "readers");
  holdfast_lock_options shared = holdfast_lock_options_init();
  holdfast_grant grant = holdfast_grant_init();
  shared.flags = HOLDFAST_LOCK_SHARED;
  DONE(holdfast_lock_acquire(first, &shared, &error));
  DONE(holdfast_lock_acquire(second, &shared, &error));
  DONE(holdfast_lock_grant(second, &grant, &error));
  CHECK(grant.shared);
  ANSWERS(75, "timeout", holdfast_lock_try(writer, NULL, &error));
  holdfast_lock_close(&first);
  holdfast_lock_close(&second);
  DONE(holdfast_lock_try(writer, NULL, &error));
  holdfast_lock_close(&writer);
}

static void a_lease_is_renewed_and_lost(holdfast_home* hf) {
  holdfast_lock* holder = open_lock(hf, HOLDFAST_NAMED, "lease");
  holdfast_lock* taker = open_lock(hf, HOLDFAST_NAMED, "lease");
  holdfast_lock_options lease = holdfast_lock_options_init();
  holdfast_lock_options take = waiting(HOLDFAST_FOREVER);
  holdfast_grant grant = holdfast_grant_init();
  lease.ttl_ms = 200;
  take.on_expired = HOLDFAST_ON_EXPIRED_TAKE;
  DONE(holdfast_lock_acquire(holder, &lease, &error));
  DONE(holdfast_lock_renew(holder, &error));
  DONE(holdfast_lock_grant(holder, &grant, &error));
  CHECK(grant.ttl_ms == 200 && grant.left_ms <= 200);
  DONE(holdfast_lock_acquire(taker, &take, &error));
  DONE(holdfast_lock_grant(taker, &grant, &error));
  CHECK(strcmp(grant.cause, "expired") == 0 && grant.evidence[0] != 0);
  ANSWERS(77, "lost", holdfast_lock_check(holder, &error));
  ANSWERS(77, "lost", holdfast_lock_renew(holder, &error));
  ANSWERS(77, "lost", holdfast_lock_release(holder, &error));
  DONE(holdfast_lock_release(taker, &error));
  lease.ttl_ms = 99;
  ANSWERS(64, "bad-value", holdfast_lock_acquire(holder, &lease, &error));
  lease.ttl_ms = 0;
  lease.yields = HOLDFAST_YIELDS_TAKE;
  ANSWERS(64, "conflict", holdfast_lock_acquire(holder, &lease, &error));
  holdfast_lock_close(&holder);
  holdfast_lock_close(&taker);
}

static void a_token_does_it_from_outside(holdfast_home* hf) {
  holdfast_lock* lock = open_lock(hf, HOLDFAST_NAMED, "by token");
  holdfast_lock_options lease = holdfast_lock_options_init();
  holdfast_grant grant = holdfast_grant_init();
  char* json = NULL;
  const char* other = "00000000000000000000000000000001";
  lease.ttl_ms = 60000;
  DONE(holdfast_lock_acquire(lock, &lease, &error));
  DONE(holdfast_lock_grant(lock, &grant, &error));
  DONE(holdfast_lock_check_token(hf, HOLDFAST_NAMED, "by token", grant.token, &json, &error));
  CHECK(says(json, "\"expired\":false"));
  DONE(
      holdfast_lock_renew_token(hf, HOLDFAST_NAMED, "by token", grant.token, 30000, &json, &error));
  CHECK(says(json, "\"ttl_ms\":30000"));
  ANSWERS(77, "not-the-holder",
          holdfast_lock_check_token(hf, HOLDFAST_NAMED, "by token", other, NULL, &error));
  ANSWERS(77, "not-the-holder",
          holdfast_lock_release_token(hf, HOLDFAST_NAMED, "by token", other, &error));
  ANSWERS(66, "no-such-lock",
          holdfast_lock_release_token(hf, HOLDFAST_NAMED, "nobody's", other, &error));
  ANSWERS(64, "bad-token",
          holdfast_lock_check_token(hf, HOLDFAST_NAMED, "by token", "x", NULL, &error));
  DONE(holdfast_lock_release_token(hf, HOLDFAST_NAMED, "by token", grant.token, &error));
  DONE(holdfast_lock_release(lock, &error)); /* it is what was wanted */
  holdfast_lock_close(&lock);
}

static void a_hold_is_broken_by_its_id(holdfast_home* hf) {
  holdfast_lock* lock = open_lock(hf, HOLDFAST_NAMED, "broken");
  char* json = NULL;
  char id[17];
  const char* at;
  DONE(holdfast_lock_acquire(lock, NULL, &error));
  DONE(holdfast_lock_info(hf, HOLDFAST_NAMED, "broken", &json, &error));
  at = strstr(json, "\"break_id\":\"");
  CHECK(at != NULL);
  snprintf(id, sizeof id, "%s", at + strlen("\"break_id\":\""));
  holdfast_free(json);
  ANSWERS(77, "other-hold",
          holdfast_lock_break(hf, HOLDFAST_NAMED, "broken", "0123456789abcdef", "test", &error));
  ANSWERS(64, "bad-value", holdfast_lock_break(hf, HOLDFAST_NAMED, "broken", id, "", &error));
  DONE(holdfast_lock_break(hf, HOLDFAST_NAMED, "broken", id, "test", &error));
  ANSWERS(77, "lost", holdfast_lock_check(lock, &error));
  ANSWERS(77, "lost", holdfast_lock_release(lock, &error));
  holdfast_lock_close(&lock);
}

/* ---- threads ---- */

struct contender {
  holdfast_home* hf;
  long* count;
  int rounds;
};

static void* contend(void* argument) {
  struct contender* own = argument;
  holdfast_lock* lock = NULL;
  holdfast_lock_options wait = waiting(HOLDFAST_FOREVER);
  int i;
  if (holdfast_lock_open(own->hf, HOLDFAST_NAMED, "threads", &lock, NULL)) return "open";
  for (i = 0; i < own->rounds; ++i) {
    if (holdfast_lock_acquire(lock, &wait, NULL)) return "acquire";
    ++*own->count; /* not atomic: the lock must do */
    if (holdfast_lock_release(lock, NULL)) return "release";
  }
  holdfast_lock_close(&lock);
  return NULL;
}

static void threads_exclude_each_other(holdfast_home* hf) {
  enum { kThreads = 4, kRounds = 200 };
  pthread_t threads[kThreads];
  long count = 0;
  struct contender own;
  int i;
  own.hf = hf;
  own.count = &count;
  own.rounds = kRounds;
  for (i = 0; i < kThreads; ++i) CHECK(pthread_create(&threads[i], NULL, contend, &own) == 0);
  for (i = 0; i < kThreads; ++i) {
    void* failed = NULL;
    CHECK(pthread_join(threads[i], &failed) == 0);
    CHECK(failed == NULL);
  }
  CHECK(count == (long)kThreads * kRounds);
}

struct waiter {
  holdfast_lock* lock;
  holdfast_cancel* cancel;
  int code;
  holdfast_error error;
};

static void* wait_for_it(void* argument) {
  struct waiter* own = argument;
  holdfast_lock_options wait = waiting(HOLDFAST_FOREVER);
  wait.cancel = own->cancel;
  own->code = holdfast_lock_acquire(own->lock, &wait, &own->error);
  return NULL;
}

static void a_cancel_ends_a_wait(holdfast_home* hf) {
  holdfast_lock* holder = open_lock(hf, HOLDFAST_NAMED, "cancelled");
  struct waiter own;
  pthread_t thread;
  char* json = NULL;
  int seen = 0;
  own.lock = open_lock(hf, HOLDFAST_NAMED, "cancelled");
  own.cancel = NULL;
  own.code = -1;
  own.error = holdfast_error_init();
  DONE(holdfast_cancel_new(&own.cancel, &error));
  DONE(holdfast_lock_acquire(holder, NULL, &error));
  CHECK(pthread_create(&thread, NULL, wait_for_it, &own) == 0);
  while (!seen) { /* until it waits */
    DONE(holdfast_lock_info(hf, HOLDFAST_NAMED, "cancelled", &json, &error));
    seen = strstr(json, "\"waiters\":[]") == NULL;
    holdfast_free(json);
  }
  ANSWERS(64, "in-use", holdfast_lock_check(own.lock, &error));
  ANSWERS(64, "in-use", holdfast_lock_release(own.lock, &error));
  ANSWERS(64, "in-use", holdfast_lock_acquire(own.lock, NULL, &error));
  holdfast_cancel_raise(own.cancel);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(own.code == 75 && strcmp(own.error.cause, "cancelled") == 0);
  holdfast_cancel_free(&own.cancel);
  CHECK(own.cancel == NULL);
  holdfast_cancel_free(&own.cancel);
  DONE(holdfast_lock_release(holder, &error));
  DONE(holdfast_lock_try(own.lock, NULL, &error)); /* the seat is good */
  holdfast_lock_close(&own.lock);
  holdfast_lock_close(&holder);
}

/* ---- bad calls ---- */

struct newer_options {
  holdfast_lock_options known;
  uint64_t unknown;
};

static void bad_calls_are_64(holdfast_home* hf) {
  holdfast_lock* lock = NULL;
  holdfast_home* none = NULL;
  holdfast_options options = holdfast_options_init();
  holdfast_lock_options locking = holdfast_lock_options_init();
  holdfast_grant grant = holdfast_grant_init();
  holdfast_error old = holdfast_error_init();
  struct newer_options newer;
  char* json = NULL;
  char name[5000];

  ANSWERS(64, "null-argument", holdfast_open(NULL, NULL, NULL, &error));
  options.flags = 1U << 31;
  ANSWERS(64, "bad-flags", holdfast_open(NULL, &options, &none, &error));
  options = holdfast_options_init();
  options.size = 3;
  ANSWERS(64, "bad-size", holdfast_open(NULL, &options, &none, &error));
  options.size = 1U << 30;
  ANSWERS(64, "bad-size", holdfast_open(NULL, &options, &none, &error));
  CHECK(none == NULL);
  old.size = 8; /* an error that is none is not written to */
  CHECK(holdfast_open(NULL, NULL, &none, &old) == 64 && none == NULL && old.code == 0);

  ANSWERS(64, "null-argument", holdfast_lock_open(NULL, HOLDFAST_NAMED, "x", &lock, &error));
  ANSWERS(64, "null-argument", holdfast_lock_open(hf, HOLDFAST_NAMED, NULL, &lock, &error));
  ANSWERS(64, "null-argument", holdfast_lock_open(hf, HOLDFAST_NAMED, "x", NULL, &error));
  ANSWERS(64, "bad-value", holdfast_lock_open(hf, 7, "x", &lock, &error));
  ANSWERS(64, "bad-value", holdfast_lock_open(hf, HOLDFAST_NAMED, "", &lock, &error));
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = 0;
  CHECK(holdfast_lock_open(hf, HOLDFAST_NAMED, name, &lock, &error) == 64 && lock == NULL);
  CHECK(holdfast_lock_open(hf, HOLDFAST_FILE, "/no/such/directory/file", &lock, &error) == 66);
  CHECK(holdfast_lock_open(hf, HOLDFAST_FILE, name, &lock, &error) != 0 && lock == NULL);

  ANSWERS(64, "null-argument", holdfast_lock_acquire(NULL, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_lock_try(NULL, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_lock_check(NULL, &error));
  ANSWERS(64, "null-argument", holdfast_lock_renew(NULL, &error));
  ANSWERS(64, "null-argument", holdfast_lock_release(NULL, &error));
  ANSWERS(64, "null-argument", holdfast_lock_fail_open(NULL, "timeout", &error));
  ANSWERS(64, "null-argument", holdfast_lock_info(hf, HOLDFAST_NAMED, "x", NULL, &error));
  ANSWERS(64, "null-argument", holdfast_lock_info(NULL, HOLDFAST_NAMED, "x", &json, &error));
  ANSWERS(64, "null-argument", holdfast_lock_list(hf, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_cancel_new(NULL, &error));
  CHECK(holdfast_lock_acquire(NULL, NULL, NULL) == 64); /* without an error, too */
  holdfast_lock_close(NULL);
  holdfast_cancel_free(NULL);
  holdfast_cancel_raise(NULL);
  holdfast_free(NULL);

  lock = open_lock(hf, HOLDFAST_NAMED, "n\xc3\xa4me \xe2\x9c\x93/..");
  ANSWERS(64, "null-argument", holdfast_lock_grant(lock, NULL, &error));
  grant.size = 1;
  ANSWERS(64, "bad-size", holdfast_lock_grant(lock, &grant, &error));
  locking.wait_ms = -3;
  ANSWERS(64, "bad-value", holdfast_lock_acquire(lock, &locking, &error));
  locking = holdfast_lock_options_init();
  locking.on_expired = 9;
  ANSWERS(64, "bad-value", holdfast_lock_acquire(lock, &locking, &error));
  locking = holdfast_lock_options_init();
  locking.yields = -1;
  ANSWERS(64, "bad-value", holdfast_lock_acquire(lock, &locking, &error));
  locking = holdfast_lock_options_init();
  locking.presume_dead_ms = 5000;
  ANSWERS(64, "conflict", holdfast_lock_acquire(lock, &locking, &error));
  memset(&newer, 0, sizeof newer);
  newer.known.size = sizeof newer;
  newer.unknown = 1;
  ANSWERS(64, "newer-struct", holdfast_lock_acquire(lock, &newer.known, &error));
  newer.unknown = 0; /* a caller that was built for a later version, and asks for nothing new */
  DONE(holdfast_lock_acquire(lock, &newer.known, &error));
  ANSWERS(64, "bad-value", holdfast_lock_fail_open(lock, "because", &error));
  DONE(holdfast_lock_fail_open(lock, "timeout", &error));
  holdfast_lock_close(&lock);
}

/* With a word, without waits: valgrind stands still where one thread waits in the kernel for another's lock. */
int main(int argc, char** argv) {
  holdfast_home* hf = open_home();
  int waits = argc < 2;
  (void)argv;
  CHECK(holdfast_abi() == HOLDFAST_ABI && holdfast_version()[0] != 0);
  a_lock_comes_and_goes(hf);
  readers_share(hf);
  a_token_does_it_from_outside(hf);
  a_hold_is_broken_by_its_id(hf);
  bad_calls_are_64(hf);
  if (waits) {
    two_seats_exclude_each_other(hf, HOLDFAST_NAMED, "two");
    two_seats_exclude_each_other(hf, HOLDFAST_FILE, "some file");
    two_seats_exclude_each_other(hf, HOLDFAST_PATH, "any file");
    a_removed_lock_file_is_made_again(hf, HOLDFAST_PATH, "removed", "removed");
    a_removed_lock_file_is_made_again(hf, HOLDFAST_FILE, "guarded", ".guarded.lock");
    two_seats_exclude_each_other(hf, HOLDFAST_NAMED, "./a path");
    a_lease_is_renewed_and_lost(hf);
    threads_exclude_each_other(hf);
    a_cancel_ends_a_wait(hf);
  }
  DONE(holdfast_flush(hf, &error));
  DONE(holdfast_close(&hf, &error));
  CHECK(hf == NULL);
  DONE(holdfast_close(&hf, &error));
  ANSWERS(64, "null-argument", holdfast_flush(hf, &error));
  return 0;
}
