/* SPDX-License-Identifier: Apache-2.0
 * A fork with held locks: the child holds nothing, keeps nothing of a dead parent, and can go on. */
#include "check.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(pid_t child) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void a_child_holds_nothing(holdfast_home* hf, int kind, const char* name) {
  holdfast_lock* lock = open_lock(hf, kind, name);
  pid_t child;
  DONE(holdfast_lock_acquire(lock, NULL, &error));
  fflush(NULL);
  child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    holdfast_grant grant = holdfast_grant_init();
    holdfast_lock_options wait = waiting(10);
    holdfast_lock* other = NULL;
    ANSWERS(77, "forked", holdfast_lock_check(lock, &error));
    ANSWERS(77, "forked", holdfast_lock_renew(lock, &error));
    ANSWERS(77, "forked", holdfast_lock_release(lock, &error));
    ANSWERS(77, "forked", holdfast_lock_grant(lock, &grant, &error));
    ANSWERS(75, "timeout", holdfast_lock_acquire(lock, &wait, &error)); /* the parent has it */
    other = open_lock(hf, HOLDFAST_NAMED, "of the child");
    DONE(holdfast_lock_acquire(other, NULL, &error));
    DONE(holdfast_lock_release(other, &error));
    holdfast_lock_close(&lock); /* which releases nothing */
    holdfast_lock_close(&other);
    DONE(holdfast_close(&hf, &error));
    _exit(0);
  }
  CHECK(status_of(child) == 0);
  DONE(holdfast_lock_check(lock, &error));
  DONE(holdfast_lock_release(lock, &error));
  fflush(NULL);
  child = fork();
  if (child == 0) { /* free now: the child's copy of the handle can acquire it */
    DONE(holdfast_lock_acquire(lock, NULL, &error));
    DONE(holdfast_lock_check(lock, &error));
    _exit(0); /* and dies with it */
  }
  CHECK(status_of(child) == 0);
  DONE(holdfast_lock_try(lock, NULL, &error));
  holdfast_lock_close(&lock);
}

/* A parent that dies with the lock, and a child of it that lives on. */
static void a_child_does_not_keep_it_for_a_dead_parent(holdfast_home* hf, int kind,
                                                       const char* name) {
  int told[2];
  int gate[2];
  pid_t parent;
  char byte = 0;
  holdfast_lock* lock = NULL;
  holdfast_lock_options wait = waiting(20000);
  CHECK(pipe(told) == 0 && pipe(gate) == 0);
  fflush(NULL);
  parent = fork();
  CHECK(parent >= 0);
  if (parent == 0) {
    lock = open_lock(hf, kind, name);
    DONE(holdfast_lock_acquire(lock, NULL, &error));
    fflush(NULL);
    if (fork() == 0) { /* lives until the test lets it go */
      close(gate[1]);
      close(told[0]);
      close(told[1]);
      _exit(read(gate[0], &byte, 1) == 0 ? 0 : 1);
    }
    CHECK(write(told[1], "x", 1) == 1);
    close(gate[1]);
    for (;;) pause();
  }
  CHECK(read(told[0], &byte, 1) == 1);
  lock = open_lock(hf, kind, name);
  ANSWERS(75, "timeout", holdfast_lock_try(lock, NULL, &error));
  CHECK(kill(parent, SIGKILL) == 0);
  CHECK(status_of(parent) == 128);
  DONE(holdfast_lock_acquire(lock, &wait, &error));
  DONE(holdfast_lock_check(lock, &error));
  holdfast_lock_close(&lock);
  close(gate[1]);
  close(gate[0]);
  close(told[0]);
  close(told[1]);
}

/* Threads use the home while another one forks: no child may meet a mutex of theirs. */
struct busy {
  holdfast_home* hf;
  volatile int stop;
};

static void* lock_and_unlock(void* argument) {
  struct busy* own = argument;
  holdfast_lock* lock = NULL;
  if (holdfast_lock_open(own->hf, HOLDFAST_NAMED, "busy", &lock, NULL)) return "open";
  while (!own->stop) {
    holdfast_lock_options wait = waiting(HOLDFAST_FOREVER);
    if (holdfast_lock_acquire(lock, &wait, NULL)) return "acquire";
    if (holdfast_lock_release(lock, NULL)) return "release";
  }
  holdfast_lock_close(&lock);
  return NULL;
}

static void children_of_a_busy_process_can_go_on(holdfast_home* hf) {
  pthread_t threads[2];
  struct busy own;
  int i;
  own.hf = hf;
  own.stop = 0;
  for (i = 0; i < 2; ++i) CHECK(pthread_create(&threads[i], NULL, lock_and_unlock, &own) == 0);
  for (i = 0; i < 30; ++i) {
    pid_t child;
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      holdfast_lock* lock = NULL;
      alarm(60); /* a deadlock is a failure */
      if (holdfast_lock_open(hf, HOLDFAST_NAMED, "of children", &lock, &error)) _exit(2);
      if (holdfast_lock_acquire(lock, NULL, &error)) _exit(3);
      if (holdfast_journal_append(hf, "x.child", NULL, 0, NULL, &error)) _exit(4);
      if (holdfast_lock_release(lock, &error)) _exit(5);
      _exit(0);
    }
    CHECK(status_of(child) == 0);
  }
  own.stop = 1;
  for (i = 0; i < 2; ++i) {
    void* failed = NULL;
    CHECK(pthread_join(threads[i], &failed) == 0 && failed == NULL);
  }
}

static void an_exec_keeps_nothing(holdfast_home* hf) {
  holdfast_lock* lock = open_lock(hf, HOLDFAST_FILE, "exec");
  int own;
  DONE(holdfast_lock_acquire(lock, NULL, &error));
  /* 3 and up; the shell's own are 0 to 2 */
  CHECK(system("for d in /proc/self/fd/*; do case $(readlink $d) in *.exec.lock|*.exec.hold) exit "
               "9;; esac; done") == 0);
  own = open(".exec.lock", O_RDWR | O_CLOEXEC);
  CHECK(own >= 0 && flock(own, LOCK_EX | LOCK_NB) != 0);
  holdfast_lock_close(&lock);
  CHECK(flock(own, LOCK_EX | LOCK_NB) == 0);
  close(own);
}

int main(void) {
  holdfast_home* hf = open_home();
  a_child_holds_nothing(hf, HOLDFAST_NAMED, "fork");
  a_child_holds_nothing(hf, HOLDFAST_FILE, "fork.txt");
  a_child_holds_nothing(hf, HOLDFAST_PATH, "fork.lock");
  a_child_does_not_keep_it_for_a_dead_parent(hf, HOLDFAST_PATH, "dead.lock");
  a_child_does_not_keep_it_for_a_dead_parent(hf, HOLDFAST_NAMED, "dead");
  a_child_does_not_keep_it_for_a_dead_parent(hf, HOLDFAST_FILE, "dead.txt");
  children_of_a_busy_process_can_go_on(hf);
  an_exec_keeps_nothing(hf);
  DONE(holdfast_close(&hf, &error));
  return 0;
}
