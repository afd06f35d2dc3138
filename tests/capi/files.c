/* SPDX-License-Identifier: Apache-2.0
 * Files: replaced whole, updated without a lost change, blocks, ledgers. */
#include "check.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static void put_file(const char* path, const char* content) {
  FILE* file = fopen(path, "w");
  CHECK(file != NULL && fputs(content, file) >= 0 && fclose(file) == 0);
}

static int file_is(const char* path, const char* content) {
  char bytes[4096];
  FILE* file = fopen(path, "r");
  size_t length;
  if (file == NULL) return content == NULL;
  length = fread(bytes, 1, sizeof bytes - 1, file);
  fclose(file);
  bytes[length] = 0;
  if (content != NULL && strcmp(bytes, content) == 0) return 1;
  fprintf(stderr, "    %s: %s\n", path, bytes);
  return 0;
}

static int replace(holdfast_home* hf, const char* path, const char* content,
                   const holdfast_file_options* options, char** json) {
  return holdfast_replace(hf, path, content, content != NULL ? strlen(content) : 0, options, json,
                          &error);
}

static void a_file_is_replaced_whole(holdfast_home* hf) {
  holdfast_file_options options = holdfast_file_options_init();
  struct stat info;
  char* json = NULL;
  DONE(replace(hf, "a.json", "{\"a\":1}", NULL, &json));
  CHECK(says(json, "\"changed\":true,\"committed\":true,\"durable\":true,\"old_sha256\":null"));
  CHECK(file_is("a.json", "{\"a\":1}"));
  DONE(replace(hf, "a.json", "{\"a\":1}", NULL, &json));
  CHECK(says(json, "\"changed\":false"));
  options.check = "json";
  ANSWERS(65, "check-json", replace(hf, "a.json", "{\"a\":", &options, &json));
  CHECK(json == NULL && file_is("a.json", "{\"a\":1}"));
  options = holdfast_file_options_init();
  ANSWERS(65, "empty", replace(hf, "a.json", NULL, NULL, NULL));
  options.flags = HOLDFAST_ALLOW_EMPTY;
  DONE(replace(hf, "a.json", NULL, &options, NULL));
  options = holdfast_file_options_init();
  options.if_hash = "absent";
  ANSWERS(75, "if-hash", replace(hf, "a.json", "x", &options, NULL));
  DONE(replace(hf, "b", "x", &options, NULL));
  options = holdfast_file_options_init();
  options.mode = 0640;
  options.durability = HOLDFAST_DURABLE_NONE;
  options.backups = 2;
  DONE(replace(hf, "b", "y", &options, &json));
  CHECK(says(json, "\"durable\":false"));
  CHECK(stat("b", &info) == 0 && (info.st_mode & 07777) == 0640);
  /* content may hold anything, a NUL too */
  DONE(holdfast_replace(hf, "nul", "a\0b", 3, NULL, NULL, &error));
  CHECK(stat("nul", &info) == 0 && info.st_size == 3);
  DONE(replace(hf, "\xc3\xa4\xff name", "any bytes are a path", NULL, NULL));
  CHECK(symlink("b", "link") == 0);
  ANSWERS(77, "is-link", replace(hf, "link", "z", NULL, NULL));
  options = holdfast_file_options_init();
  options.flags = HOLDFAST_LINKS_FOLLOW;
  DONE(replace(hf, "link", "z", &options, NULL));
  CHECK(file_is("b", "z"));
}

static int add_one(void* user, const void* old, size_t length, holdfast_output* out) {
  char text[32];
  long number = 0;
  (void)user;
  snprintf(text, sizeof text, "%.*s", (int)length, (const char*)old);
  number = atol(text);
  snprintf(text, sizeof text, "%ld", number + 1);
  return holdfast_output_write(out, text, strlen(text));
}

static int refuse(void* user, const void* old, size_t length, holdfast_output* out) {
  (void)old;
  (void)length;
  (void)out;
  ++*(int*)user;
  return 7;
}

static void* add_many(void* argument) {
  holdfast_file_options options = holdfast_file_options_init();
  int i;
  options.flags = HOLDFAST_CREATE;
  options.wait_ms = HOLDFAST_FOREVER;
  options.durability = HOLDFAST_DURABLE_NONE;
  for (i = 0; i < 25; ++i) {
    if (holdfast_update(argument, "counter", add_one, NULL, &options, NULL, NULL)) return "failed";
  }
  return NULL;
}

static void no_update_is_lost(holdfast_home* hf) {
  pthread_t threads[4];
  int i;
  int calls = 0;
  ANSWERS(66, "enoent", holdfast_update(hf, "counter", add_one, NULL, NULL, NULL, &error));
  for (i = 0; i < 4; ++i) CHECK(pthread_create(&threads[i], NULL, add_many, hf) == 0);
  for (i = 0; i < 4; ++i) {
    void* failed = NULL;
    CHECK(pthread_join(threads[i], &failed) == 0 && failed == NULL);
  }
  CHECK(file_is("counter", "100"));
  ANSWERS(65, "stopped", holdfast_update(hf, "counter", refuse, &calls, NULL, NULL, &error));
  CHECK(calls == 1 && file_is("counter", "100"));
  ANSWERS(64, "null-argument", holdfast_update(hf, "counter", NULL, NULL, NULL, NULL, &error));
  CHECK(holdfast_output_write(NULL, "x", 1) == 64);
}

/* Under the file's own lock, which another process could have. */
static void a_change_is_fenced_by_a_held_lock(holdfast_home* hf) {
  holdfast_lock* lock = open_lock(hf, HOLDFAST_FILE, "fenced");
  holdfast_file_options options = holdfast_file_options_init();
  char* json = NULL;
  put_file("fenced", "old");
  DONE(holdfast_lock_acquire(lock, NULL, &error));
  options.wait_ms = HOLDFAST_AT_ONCE;
  ANSWERS(75, "file-busy",
          replace(hf, "fenced", "new", &options, NULL)); /* by us, but who says so? */
  options.fence = lock;
  DONE(replace(hf, "fenced", "new", &options, &json));
  CHECK(says(json, "\"fenced\":true"));
  DONE(holdfast_update(hf, "fenced", add_one, NULL, &options, NULL, &error));
  DONE(holdfast_lock_check(lock, &error));
  DONE(holdfast_lock_release(lock, &error));
  ANSWERS(66, "not-held", replace(hf, "fenced", "late", &options, NULL));
  CHECK(file_is("fenced", "1"));
  holdfast_lock_close(&lock);
}

static void blocks_are_put_and_taken_out(holdfast_home* hf) {
  holdfast_file_options options = holdfast_file_options_init();
  char* content = NULL;
  char* json = NULL;
  size_t length = 0;
  ANSWERS(66, "enoent", holdfast_block_put(hf, "rc.sh", "tool/a", "A=1\n", 4, NULL, NULL, &error));
  options.flags = HOLDFAST_CREATE;
  DONE(holdfast_block_put(hf, "rc.sh", "tool/a", "A=1\n", 4, &options, &json, &error));
  CHECK(says(json, "\"changed\":true"));
  DONE(holdfast_block_get(hf, "rc.sh", "tool/a", &content, &length, &error));
  CHECK(length == 4 && strcmp(content, "A=1\n") == 0);
  holdfast_free(content);
  DONE(holdfast_block_list(hf, "rc.sh", &json, &error));
  CHECK(says(json, "\"id\":\"tool/a\""));
  ANSWERS(66, "no-such-block",
          holdfast_block_get(hf, "rc.sh", "tool/b", &content, &length, &error));
  DONE(holdfast_block_remove(hf, "rc.sh", "tool/a", NULL, &json, &error));
  CHECK(says(json, "\"changed\":true"));
  put_file("rc.sh", "x\n# <<< tool/a <<<\n# >>> tool/a >>>\n");
  CHECK(holdfast_block_get(hf, "rc.sh", "bad id\n", &content, &length, &error) == 64);
  ANSWERS(64, "null-argument", holdfast_block_get(hf, "rc.sh", NULL, &content, NULL, &error));
}

static void a_ledger_keeps_its_caps_and_its_damage(holdfast_home* hf) {
  holdfast_ledger_options options = holdfast_ledger_options_init();
  const char* where[] = {"k=b", NULL};
  const char* nowhere[] = {"k=z", NULL};
  char* json = NULL;
  options.cap = 2;
  options.cap_per = "k=1";
  DONE(holdfast_ledger_append(hf, "l.json", "{\"k\":\"a\",\"n\":1}", &options, &json, &error));
  CHECK(says(json, "\"entries\":1"));
  DONE(holdfast_ledger_append(hf, "l.json", "{\"k\":\"b\",\"n\":2}", &options, NULL, &error));
  DONE(holdfast_ledger_append(hf, "l.json", "{\"k\":\"b\",\"n\":3}", &options, &json, &error));
  CHECK(says(json, "\"dropped\":1"));
  DONE(holdfast_ledger_last(hf, "l.json", where, 60000, &json, &error));
  CHECK(says(json, "\"n\":3"));
  ANSWERS(66, "no-such-entry", holdfast_ledger_last(hf, "l.json", nowhere, 0, &json, &error));
  CHECK(says(json, "\"found\":false"));
  DONE(holdfast_ledger_read(hf, "l.json", &json, &error));
  CHECK(says(json, "\"n\":1"));
  CHECK(holdfast_ledger_append(hf, "l.json", "no json", NULL, NULL, &error) == 65);
  options.cap_per = "k";
  ANSWERS(64, "bad-value", holdfast_ledger_append(hf, "l.json", "{}", &options, NULL, &error));
  ANSWERS(64, "null-argument", holdfast_ledger_append(hf, "l.json", NULL, NULL, NULL, &error));
  put_file("l.json", "[{\"k\":\"a\"},");
  CHECK(holdfast_ledger_append(hf, "l.json", "{}", NULL, NULL, &error) == 65);
  CHECK(holdfast_ledger_last(hf, "l.json", NULL, 0, &json, &error) == 65 && json == NULL);
  CHECK(file_is("l.json", "[{\"k\":\"a\"},"));
  DONE(holdfast_ledger_repair(hf, "l.json", &json, &error));
  CHECK(says(json, "\"kept\":1"));
  CHECK(holdfast_ledger_read(hf, "none.json", &json, &error) == 66);
}

static void bad_calls_change_nothing(holdfast_home* hf) {
  holdfast_file_options options = holdfast_file_options_init();
  ANSWERS(64, "null-argument", replace(NULL, "bad", "x", NULL, NULL));
  ANSWERS(64, "null-argument", replace(hf, NULL, "x", NULL, NULL));
  ANSWERS(64, "bad-value", replace(hf, "", "x", NULL, NULL));
  ANSWERS(64, "null-argument", holdfast_replace(hf, "bad", NULL, 3, NULL, NULL, &error));
  options.flags = 1U << 30;
  ANSWERS(64, "bad-flags", replace(hf, "bad", "x", &options, NULL));
  options.flags = HOLDFAST_LINKS_FOLLOW | HOLDFAST_LINKS_REPLACE;
  ANSWERS(64, "conflict", replace(hf, "bad", "x", &options, NULL));
  options = holdfast_file_options_init();
  options.mode = 010000;
  ANSWERS(64, "bad-value", replace(hf, "bad", "x", &options, NULL));
  options = holdfast_file_options_init();
  options.if_hash = "0123";
  ANSWERS(64, "bad-value", replace(hf, "bad", "x", &options, NULL));
  options = holdfast_file_options_init();
  options.check = "xml";
  ANSWERS(64, "bad-value", replace(hf, "bad", "x", &options, NULL));
  options = holdfast_file_options_init();
  options.durability = 3;
  ANSWERS(64, "bad-value", replace(hf, "bad", "x", &options, NULL));
  CHECK(access("bad", F_OK) != 0);
}

/* With a word, without waits, as in locks.c. */
int main(int argc, char** argv) {
  holdfast_home* hf = open_home();
  (void)argv;
  a_file_is_replaced_whole(hf);
  if (argc < 2) no_update_is_lost(hf);
  a_change_is_fenced_by_a_held_lock(hf);
  blocks_are_put_and_taken_out(hf);
  a_ledger_keeps_its_caps_and_its_damage(hf);
  bad_calls_change_nothing(hf);
  DONE(holdfast_close(&hf, &error));
  return 0;
}
