/* SPDX-License-Identifier: Apache-2.0
 * What the program does for the library: sessions, ensure, layers, any command. */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_session_runs_and_ends(holdfast_home* hf) {
  const char* argv[] = {"sh", "-c", "test \"$WORD\" = 'two words' && exit 7", NULL};
  const char* env[] = {"WORD=two words", NULL};
  holdfast_session_options options = holdfast_session_options_init();
  char* json = NULL;
  options.env = env;
  options.timeout_ms = 60000;
  DONE(holdfast_session_start(hf, "seven", argv, &options, &json, &error));
  CHECK(says(json, "\"name\":\"seven\""));
  CHECK(holdfast_session_wait(hf, "seven", 60000, NULL, &json, &error) == 7);
  holdfast_free(json);
  DONE(holdfast_session_get(hf, "seven", &json, &error));
  CHECK(says(json, "\"exit_code\":7"));
  DONE(holdfast_session_list(hf, &json, &error));
  CHECK(says(json, "\"name\":\"seven\""));
  ANSWERS(66, "no-such-session", holdfast_session_get(hf, "none", &json, &error));
  holdfast_free(json);
}

static void* raise_soon(void* argument) {
  holdfast_cancel_raise(argument);
  return NULL;
}

static void a_session_is_stopped(holdfast_home* hf) {
  const char* argv[] = {"sleep", "1000", NULL};
  char* json = NULL;
  holdfast_cancel* cancel = NULL;
  pthread_t thread;
  DONE(holdfast_session_start(hf, "sleeper", argv, NULL, NULL, &error));
  CHECK(holdfast_session_start(hf, "sleeper", argv, NULL, &json, &error) == 75);
  holdfast_free(json);
  CHECK(holdfast_session_wait(hf, "sleeper", HOLDFAST_AT_ONCE, NULL, NULL, &error) == 75);
  DONE(holdfast_cancel_new(&cancel, &error));
  CHECK(pthread_create(&thread, NULL, raise_soon, cancel) == 0);
  ANSWERS(75, "cancelled",
          holdfast_session_wait(hf, "sleeper", HOLDFAST_FOREVER, cancel, NULL, &error));
  CHECK(pthread_join(thread, NULL) == 0);
  holdfast_cancel_free(&cancel);
  DONE(holdfast_session_stop(hf, "sleeper", 1000, NULL, &error));
}

static void commands_answer_as_the_program_does(holdfast_home* hf) {
  const char* locks[] = {"locks", "nobody's", NULL};
  const char* wrong[] = {"frobnicate", NULL};
  const char* none[] = {NULL};
  char* json = NULL;
  FILE* file;
  DONE(holdfast_command(hf, locks, NULL, &json, &error));
  CHECK(says(json, "\"state\":\"free\""));
  CHECK(holdfast_command(hf, wrong, NULL, NULL, &error) == 64);
  ANSWERS(64, "bad-value", holdfast_command(hf, none, NULL, NULL, &error));
  ANSWERS(64, "bad-value", holdfast_command(hf, NULL, NULL, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_command(NULL, locks, NULL, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_session_get(hf, NULL, NULL, &error));
  ANSWERS(64, "bad-value", holdfast_session_get(hf, "", NULL, &error));
  ANSWERS(64, "bad-value", holdfast_session_start(hf, "x", none, NULL, NULL, &error));
  file = fopen("manifest.toml", "w");
  CHECK(file != NULL &&
        fputs("[[path]]\npath = \"made\"\ntype = \"dir\"\nmode = \"0700\"\n", file) >= 0);
  CHECK(fclose(file) == 0);
  CHECK(holdfast_ensure(hf, "manifest.toml", 1, &json, &error) == 66);
  holdfast_free(json);
  DONE(holdfast_ensure(hf, "manifest.toml", 0, NULL, &error));
  CHECK(access("made", F_OK) == 0);
  DONE(holdfast_ensure(hf, "manifest.toml", 1, NULL, &error));
  file = fopen("plan.toml", "w");
  CHECK(file != NULL && fputs("[[layer]]\nname = \"one\"\nargs = [\"-f\", \"x y\"]\n", file) >= 0);
  CHECK(fclose(file) == 0);
  DONE(holdfast_layers(hf, "plan.toml", &json, &error));
  CHECK(says(json, "x y"));
}

static void a_missing_program_is_78(void) {
  holdfast_options options = holdfast_options_init();
  holdfast_home* hf = NULL;
  char* json = NULL;
  options.program = "/no/such/holdfast";
  DONE(holdfast_open(NULL, &options, &hf, &error));
  ANSWERS(78, "no-program", holdfast_session_list(hf, &json, &error));
  DONE(holdfast_close(&hf, &error));
}

/* A host that reaps every child, or has none: its own children are not ours, and ours not its. */
static void a_host_may_ignore_its_children(holdfast_home* hf) {
  char* json = NULL;
  pid_t own;
  int status = 0;
  own = fork();
  if (own == 0) _exit(3);
  DONE(holdfast_session_list(hf, &json, &error));
  holdfast_free(json);
  CHECK(waitpid(own, &status, 0) == own && WEXITSTATUS(status) == 3);
  signal(SIGCHLD, SIG_IGN);
  DONE(holdfast_session_list(hf, &json, &error));
  holdfast_free(json);
  ANSWERS(66, "no-such-session", holdfast_session_get(hf, "none", NULL, &error));
  signal(SIGCHLD, SIG_DFL);
}

int main(void) {
  holdfast_home* hf = open_home();
  a_session_runs_and_ends(hf);
  a_session_is_stopped(hf);
  commands_answer_as_the_program_does(hf);
  a_missing_program_is_78();
  a_host_may_ignore_its_children(hf);
  DONE(holdfast_close(&hf, &error));
  return 0;
}
