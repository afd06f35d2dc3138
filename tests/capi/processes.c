/* SPDX-License-Identifier: Apache-2.0
 * Identities, kills, the journal. */
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start_sleeper(void) {
  pid_t child;
  fflush(NULL);
  child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    for (;;) pause();
  }
  return child;
}

static void a_process_is_its_identity(holdfast_home* hf) {
  pid_t child = start_sleeper();
  char* identity = NULL;
  char* json = NULL;
  char number[32];
  int status = 0;
  DONE(holdfast_identify(child, &identity, &error));
  DONE(holdfast_alive(identity, &json, &error));
  CHECK(says(json, "\"verdict\":\"live\""));
  DONE(holdfast_kill(hf, identity, NULL, &json, &error));
  CHECK(says(json, "\"outcome\":\"killed\""));
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  CHECK(holdfast_alive(identity, &json, &error) == 66);
  CHECK(says(json, "\"verdict\":\"dead\""));
  CHECK(holdfast_kill(hf, identity, NULL, &json, &error) == 66);
  CHECK(says(json, "\"outcome\":\"gone\""));
  snprintf(number, sizeof number, "%ld", (long)child);
  ANSWERS(64, "bare-pid", holdfast_alive(number, NULL, &error));
  ANSWERS(64, "bare-pid", holdfast_kill(hf, number, NULL, NULL, &error));
  ANSWERS(66, "no-such-process", holdfast_identify(child, &json, &error));
  holdfast_free(identity);
}

static void who_must_not_be_killed_is_not(holdfast_home* hf) {
  char* identity = NULL;
  char* json = NULL;
  holdfast_kill_options options = holdfast_kill_options_init();
  DONE(holdfast_identify(0, &identity, &error));
  ANSWERS(77, "caller", holdfast_kill(hf, identity, NULL, &json, &error));
  CHECK(says(json, "\"outcome\":\"refused\""));
  options.signal = 65;
  ANSWERS(64, "bad-value", holdfast_kill(hf, identity, &options, NULL, &error));
  options.signal = 1;
  options.grace_ms = 5;
  ANSWERS(64, "conflict", holdfast_kill(hf, identity, &options, NULL, &error));
  ANSWERS(65, "bad-identity", holdfast_alive("{\"v\":1}", NULL, &error));
  ANSWERS(64, "null-argument", holdfast_alive(NULL, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_identify(0, NULL, &error));
  ANSWERS(64, "bad-value", holdfast_identify(-1, &json, &error));
  holdfast_free(identity);
}

static void a_signal_alone_is_sent_once(holdfast_home* hf) {
  pid_t child = start_sleeper();
  char* identity = NULL;
  char* json = NULL;
  int status = 0;
  holdfast_kill_options options = holdfast_kill_options_init();
  DONE(holdfast_identify(child, &identity, &error));
  options.signal = SIGUSR1;
  DONE(holdfast_kill(hf, identity, &options, &json, &error));
  CHECK(says(json, "\"outcome\":\"signalled\""));
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
  holdfast_free(identity);
}

static void the_journal_says_what_happened(holdfast_home* hf) {
  holdfast_query query = holdfast_query_init();
  const char* types[] = {"x.c.*", NULL};
  const char* where[] = {"data.n=2", NULL};
  const char* bad[] = {"no path", NULL};
  const char* locks[] = {"lock.*", NULL};
  holdfast_lock* lock = open_lock(hf, HOLDFAST_NAMED, "journaled");
  char* json = NULL;
  uint64_t seq = 0;
  DONE(holdfast_journal_append(hf, "x.c.one", "{\"n\":1}", HOLDFAST_CLASS_OF_TYPE, &seq, &error));
  CHECK(seq > 0);
  DONE(holdfast_journal_append(hf, "x.c.two", "{\"n\":2}", HOLDFAST_CLASS_DECISION, NULL, &error));
  query.types = types;
  DONE(holdfast_journal_query(hf, &query, &json, &error));
  CHECK(strstr(json, "\"x.c.one\"") != NULL && strstr(json, "\"class\":\"decision\"") != NULL);
  holdfast_free(json);
  query.where = where;
  DONE(holdfast_journal_query(hf, &query, &json, &error));
  CHECK(strstr(json, "x.c.one") == NULL && strstr(json, "x.c.two") != NULL);
  holdfast_free(json);
  query.where = NULL;
  query.newest_first = 1;
  query.limit = 1;
  DONE(holdfast_journal_query(hf, &query, &json, &error));
  CHECK(strstr(json, "x.c.one") == NULL && strstr(json, "x.c.two") != NULL);
  holdfast_free(json);
  query.where = bad;
  CHECK(holdfast_journal_query(hf, &query, &json, &error) == 64 && json == NULL);
  DONE(holdfast_lock_acquire(lock, NULL, &error));
  DONE(holdfast_lock_release(lock, &error));
  query = holdfast_query_init();
  query.types = locks;
  DONE(holdfast_journal_query(hf, &query, &json, &error)); /* what was put off, too */
  CHECK(strstr(json, "lock.acquired") != NULL && strstr(json, "lock.released") != NULL);
  holdfast_free(json);
  holdfast_lock_close(&lock);
  ANSWERS(64, "reserved-type",
          holdfast_journal_append(hf, "journal.sealed", NULL, 0, NULL, &error));
  CHECK(holdfast_journal_append(hf, "no.such.type", NULL, 0, NULL, &error) == 64);
  CHECK(holdfast_journal_append(hf, "x.c", "[1]", 0, NULL, &error) == 65);
  ANSWERS(64, "bad-value", holdfast_journal_append(hf, "x.c", "{}", 9, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_journal_append(hf, NULL, "{}", 0, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_journal_query(hf, NULL, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_journal_query(NULL, NULL, &json, &error));
}

/* With a word, without what needs pidfds, which valgrind does not know. */
int main(int argc, char** argv) {
  holdfast_home* hf = open_home();
  (void)argv;
  if (argc < 2) a_process_is_its_identity(hf);
  if (argc < 2) who_must_not_be_killed_is_not(hf);
  if (argc < 2) a_signal_alone_is_sent_once(hf);
  the_journal_says_what_happened(hf);
  DONE(holdfast_close(&hf, &error));
  return 0;
}
