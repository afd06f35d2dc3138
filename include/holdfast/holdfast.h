/* SPDX-License-Identifier: Apache-2.0
 * lint: long-file the one header of the library, which is its manual
 *
 * holdfast for C: locks, safe files, process identity, the journal and sessions, in your process.
 *
 *   holdfast_home *hf = NULL;
 *   holdfast_lock *lock = NULL;
 *   holdfast_error error = holdfast_error_init();
 *   if (holdfast_open(NULL, NULL, &hf, &error)) goto failed;
 *   if (holdfast_lock_open(hf, HOLDFAST_NAMED, "deploy", &lock, &error)) goto failed;
 *   if (holdfast_lock_acquire(lock, NULL, &error)) goto failed;      (75: busy; error.message names the holder)
 *   ...
 *   holdfast_lock_release(lock, &error);
 *   holdfast_lock_close(&lock);
 *   holdfast_close(&hf, NULL);
 *
 * Conventions. Every call keeps them; docs/c.md has examples, docs/design/015-c-abi.md the reasons.
 *
 * C1  Answers. A call returns a code: 0 is done or yes, everything else is one of HOLDFAST_USAGE and the others
 *     below, which are the exit codes of the program. "Cannot tell" (69) is never a no (66). Where a call fails,
 *     its results are NULL or as they were, unless its comment says otherwise.
 * C2  Errors. The last parameter takes the error, and may be NULL. It belongs to the caller, one for each thread that
 *     needs one; a call that succeeds sets its code to 0. `cause` is a stable word for programs, `message` a sentence
 *     for people. There are no error globals.
 * C3  Ownership. holdfast_open, holdfast_lock_open and holdfast_cancel_new make handles; the close or free of the same
 *     name takes the address of your variable and sets it to NULL, so closing a variable twice does nothing. A lock
 *     keeps what it needs of its home: the order of closing does not matter. Text and bytes that a call returns
 *     are the caller's, for holdfast_free. What you pass is not kept behind the call, but for a cancel in use.
 * C4  Bad handles. NULL is HOLDFAST_USAGE with cause `null-argument`. A handle that was closed is caught
 *     (`bad-handle`) as far as its memory was not used again; using one is a fault of the caller all the same.
 * C5  Text is UTF-8 and ends with NUL; paths are bytes that end with NUL. A binding whose strings may hold a NUL inside
 *     must refuse them. Content is a pointer and a length, and may hold anything. JSON that comes back has the fields
 *     that the same command prints with --json (docs/cli), `ok` and `code` among them.
 * C6  Structs begin with `size`. Zero in every other field is the default, so make them with the functions named
 *     …_init, or with zeros and the size. Later versions add fields at the end: an older caller's smaller struct
 *     stays valid; fields that this library does not know must be zero (`newer-struct`).
 * C7  Times are milliseconds. 0 is the default of the call, HOLDFAST_FOREVER no limit, HOLDFAST_AT_ONCE no wait.
 * C8  Threads. A home may be used by any number of threads at once. So may a lock, but it is one seat: while one
 *     thread waits in acquire, calls of others on it are HOLDFAST_USAGE `in-use`. Two threads that shall exclude each
 *     other open a lock each. A lock is not bound to the thread that acquired it.
 * C9  Fork. The child holds nothing: the descriptors of its parent's locks are closed in it before fork() returns, so
 *     a child never keeps a lock of a dead parent. Its copies of handles are good and fresh: a lock can be acquired
 *     there again; check and release of what the parent holds are HOLDFAST_REFUSED `forked`. Limit: vfork and clone by hand
 *     run no such code; descriptors are close-on-exec, so that ends with the exec. A fork while another thread is
 *     inside acquire of a lock that it has never acquired may give the child a copy of its open file.
 * C10 The end of the process, in whatever way, frees its locks at once. At exit nothing runs: close what is open if
 *     the journal shall say `lock.released`.
 * C11 The library installs no signal handler, changes no signal disposition, working directory, umask or
 *     environment, reaps no child but those it started, prints nothing, and lets no exception out. Signals do not
 *     interrupt its waits (use a cancel). A wait for a held lock has one helper thread, with all signals blocked.
 *     It stays loaded: dlclose does not unload it.
 * C12 The locks of HOLDFAST_CHAIN, which `holdfast lock` sets for its command, are read at holdfast_open: a lock
 *     that the process runs under is entered again (`reentered`), by every thread, and changes of files are fenced by
 *     them. HOLDFAST_NO_CHAIN ignores them.
 * C13 Versions. HOLDFAST_ABI changes only together with the soname. Functions, fields and codes are added, never
 *     changed. A program can ask holdfast_abi() what it runs with.
 *
 * Windows: the library is not built there yet.
 */
#ifndef HOLDFAST_HOLDFAST_H
#define HOLDFAST_HOLDFAST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32)
#define HOLDFAST_API
#else
#define HOLDFAST_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HOLDFAST_ABI 1

/* ---- codes: those of the program (`holdfast help exit-codes`) --------------------------------------------------- */

enum {
  HOLDFAST_OK = 0,           /* done; the answer is yes */
  HOLDFAST_USAGE = 64,       /* the call is wrong; nothing was done */
  HOLDFAST_CORRUPT = 65,     /* corrupt or refused content; nothing changed */
  HOLDFAST_NO = 66,          /* no such thing; the answer is no; already gone */
  HOLDFAST_CANNOT_TELL = 69, /* nothing done */
  HOLDFAST_INTERNAL = 70,    /* a fault of holdfast, or no memory */
  HOLDFAST_OS_REFUSED = 71,  /* the operating system does not permit it */
  HOLDFAST_SURVIVORS = 72,   /* a kill left something alive */
  HOLDFAST_NOT_DURABLE = 73, /* done, but a power cut may undo it */
  HOLDFAST_IO = 74,          /* input/output error; the target is unchanged */
  HOLDFAST_BUSY = 75,        /* not acquired in time */
  HOLDFAST_UNPROVEN = 76,    /* ran, but not proven */
  HOLDFAST_REFUSED = 77,     /* not the owner, identity mismatch, unsafe path */
  HOLDFAST_CONFIG = 78,      /* configuration error; no home */
  HOLDFAST_DEADLINE =
      124 /* of commands: the deadline fired. Other codes of holdfast_command are the command's */
};

#define HOLDFAST_FOREVER (-1)
#define HOLDFAST_AT_ONCE (-2)

typedef struct holdfast_home holdfast_home;
typedef struct holdfast_lock holdfast_lock;
typedef struct holdfast_cancel holdfast_cancel;

/* Texts that do not fit are cut at a character. */
typedef struct holdfast_error {
  uint32_t size;
  int32_t code;
  int32_t os_code; /* errno; 0 where the system was not at fault */
  uint32_t reserved;
  char cause[64];     /* a stable word: "timeout", "enospc", "not-the-holder" */
  char op[128];       /* what was tried */
  char subject[1024]; /* on what */
  char detail[2048];  /* why, and what state is left */
  char message[3072]; /* all of it, a sentence */
} holdfast_error;

static inline holdfast_error holdfast_error_init(void) {
  holdfast_error it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* ---- the library ------------------------------------------------------------------------------------------------ */

HOLDFAST_API const char* holdfast_version(void); /* "0.1.0" */
HOLDFAST_API uint32_t holdfast_abi(void);        /* HOLDFAST_ABI of the library that is loaded */
HOLDFAST_API void holdfast_free(void* text);     /* NULL is allowed */

enum {
  HOLDFAST_NO_CHAIN = 1, /* C12 */
  HOLDFAST_ANY_FILE_SYSTEM =
      2 /* locks also where the file system may not keep them; they are tried first */
};

typedef struct holdfast_options {
  uint32_t size;
  uint32_t flags;
  const char*
      program; /* the holdfast program, for sessions and holdfast_command; NULL: $HOLDFAST_PROGRAM, else
                          `holdfast` in PATH */
} holdfast_options;

static inline holdfast_options holdfast_options_init(void) {
  holdfast_options it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* The state directory: `home`, or if NULL that of the program: $HOLDFAST_HOME, $XDG_STATE_HOME/holdfast,
 * ~/.local/state/holdfast. Nothing is made before it is needed. An existing one is looked at now. Errors: 77 for a
 * home that is not safe (a link, another user's, open to others), 69 for one of a newer version, 78 where none can be
 * found. */
HOLDFAST_API int holdfast_open(const char* home, const holdfast_options* options,
                               holdfast_home** out, holdfast_error* error);
/* Writes the events that were put off: `lock.acquired` and `lock.released` of locks that were free. They wait up to a
 * second for the next one, for this call, or for holdfast_close; there is no timer. */
HOLDFAST_API int holdfast_flush(holdfast_home* hf, holdfast_error* error);
/* Flushes and closes; it is closed whatever the answer. Locks that are open stay so. */
HOLDFAST_API int holdfast_close(holdfast_home** hf, holdfast_error* error);

/* A cancel ends waits, from another thread or from a signal handler: holdfast_cancel_raise is async-signal-safe.
 * It stays raised. It must not be freed while a call uses it. */
HOLDFAST_API int holdfast_cancel_new(holdfast_cancel** out, holdfast_error* error);
HOLDFAST_API void holdfast_cancel_raise(holdfast_cancel* cancel);
HOLDFAST_API void holdfast_cancel_free(holdfast_cancel** cancel);

/* ---- locks ------------------------------------------------------------------------------------------------------ */

typedef enum holdfast_lock_kind {
  HOLDFAST_NAMED =
      0, /* a name: `holdfast lock NAME`; one that begins with /, ./ or ../ is a HOLDFAST_PATH */
  HOLDFAST_FILE =
      1, /* the lock of a file: `holdfast lock --file PATH`, which is flock on .NAME.lock beside it */
  HOLDFAST_PATH =
      2 /* exactly that file or directory is flocked, as flock(1) does; `holdfast lock --path FILE` */
} holdfast_lock_kind;

/* One seat at a lock. Nobody is asked yet; for a named lock the home is made. Errors: 64 for a name that cannot be one;
 * 71 `unsupported-fs`. */
HOLDFAST_API int holdfast_lock_open(holdfast_home* hf, int kind, const char* name,
                                    holdfast_lock** out, holdfast_error* error);
/* Releases what it holds. */
HOLDFAST_API void holdfast_lock_close(holdfast_lock** lock);

enum {
  HOLDFAST_LOCK_SHARED = 1, /* up to 64 readers; no lease */
  HOLDFAST_LOCK_TRUST_KERNEL =
      2 /* where nobody can tell whether the recorded holder lives, and no process has the
                                    lock in the kernel, take it; that is journaled first */
};

/* When the lease of a live holder has run out. */
enum {
  HOLDFAST_ON_EXPIRED_WAIT = 0,
  HOLDFAST_ON_EXPIRED_TAKE = 1,
  HOLDFAST_ON_EXPIRED_KILL = 2,
  HOLDFAST_ON_EXPIRED_REPLACE = 3
};

/* What this holder agrees to when its own lease has run out. */
enum {
  HOLDFAST_YIELDS_DEFAULT = 0, /* take, if there is a lease */
  HOLDFAST_YIELDS_WAIT = 1,
  HOLDFAST_YIELDS_TAKE = 2,
  HOLDFAST_YIELDS_KILL = 3
};

typedef struct holdfast_lock_options {
  uint32_t size;
  uint32_t flags;
  int64_t wait_ms; /* 0: at once; HOLDFAST_FOREVER */
  int64_t ttl_ms;  /* a lease, to be renewed in time; 0: none. At least 100 */
  int32_t on_expired;
  int32_t yields;
  int64_t
      presume_dead_ms; /* of a file's lock: take it from a foreign holder that was silent so long; 0: never */
  const char* reason;      /* shown to others; NULL: none */
  holdfast_cancel* cancel; /* NULL: none. A cancelled wait is 75 `cancelled` */
} holdfast_lock_options;

static inline holdfast_lock_options holdfast_lock_options_init(void) {
  holdfast_lock_options it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* `options` may be NULL: exclusive, at once, no lease. Errors: 75 `timeout`, `readers-full`, `deadlock`, `cancelled`;
 * 69 where nobody can tell whether its holder lives; 65 for a damaged record; 64 `already-held`. */
HOLDFAST_API int holdfast_lock_acquire(holdfast_lock* lock, const holdfast_lock_options* options,
                                       holdfast_error* error);
/* The same, and never waits, whatever the options say. */
HOLDFAST_API int holdfast_lock_try(holdfast_lock* lock, const holdfast_lock_options* options,
                                   holdfast_error* error);

typedef struct holdfast_grant {
  uint32_t size;
  uint32_t reentered; /* 1: the process ran under it already; release does nothing */
  uint64_t fence;     /* rises with every grant of this lock */
  int64_t ttl_ms;     /* 0: no lease */
  int64_t left_ms;    /* of the lease, now; negative: it has run out */
  int64_t waited_ms;
  uint32_t shared;
  uint32_t reserved;
  char token[40];    /* 32 hexadecimal digits; a secret */
  char cause[24];    /* why it was granted: "fresh", "dead", "rebooted", "expired", "replaced" */
  char evidence[64]; /* what proved that; "" for a free lock */
} holdfast_grant;

static inline holdfast_grant holdfast_grant_init(void) {
  holdfast_grant it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* What is held now. 66 `not-held`. Asks nobody: holdfast_lock_check does. */
HOLDFAST_API int holdfast_lock_grant(holdfast_lock* lock, holdfast_grant* out,
                                     holdfast_error* error);
/* Is it still ours? 77 `lost`: another's by now, broken, or its ledger is gone; 66 `not-held`: it was not acquired. */
HOLDFAST_API int holdfast_lock_check(holdfast_lock* lock, holdfast_error* error);
/* Renews the lease; call it every third of the ttl. A lease that ran out and was taken by nobody is renewed. 77 `lost`. */
HOLDFAST_API int holdfast_lock_renew(holdfast_lock* lock, holdfast_error* error);
/* 66 `not-held`; 77 `lost`: it was no longer ours, and nothing was changed. It is not held afterwards in any case. */
HOLDFAST_API int holdfast_lock_release(holdfast_lock* lock, holdfast_error* error);
/* Puts on record, durably, that the caller goes on WITHOUT the lock; `reason` is one of those of `--fail-open` and
 * usually error.cause of the acquire that failed. Anything but 0: do not go on. */
HOLDFAST_API int holdfast_lock_fail_open(holdfast_lock* lock, const char* reason,
                                         holdfast_error* error);

/* By token, for a lock that was acquired elsewhere, also by the program. As `holdfast renew|check|release`: 77
 * `not-the-holder`; 66 there is no such lock. `ttl_ms`: another length from now on, 0: as it is. `json` may be NULL. */
HOLDFAST_API int holdfast_lock_renew_token(holdfast_home* hf, int kind, const char* name,
                                           const char* token, int64_t ttl_ms, char** json,
                                           holdfast_error* error);
HOLDFAST_API int holdfast_lock_check_token(holdfast_home* hf, int kind, const char* name,
                                           const char* token, char** json, holdfast_error* error);
HOLDFAST_API int holdfast_lock_release_token(holdfast_home* hf, int kind, const char* name,
                                             const char* token, holdfast_error* error);
/* Takes a hold away: `id` is the break_id of holdfast_lock_info, `reason` goes on record first. */
HOLDFAST_API int holdfast_lock_break(holdfast_home* hf, int kind, const char* name, const char* id,
                                     const char* reason, holdfast_error* error);
/* The fields of `holdfast locks NAME --json`, and a list of them in `locks`. Both make nothing. 69 with the document
 * where the state is `unknown`. */
HOLDFAST_API int holdfast_lock_info(holdfast_home* hf, int kind, const char* name, char** json,
                                    holdfast_error* error);
HOLDFAST_API int holdfast_lock_list(holdfast_home* hf, char** json, holdfast_error* error);

/* ---- files ------------------------------------------------------------------------------------------------------ */

enum {
  HOLDFAST_LINKS_FOLLOW = 1,
  HOLDFAST_LINKS_REPLACE = 2,
  HOLDFAST_ALLOW_EMPTY = 4,
  HOLDFAST_BREAK_HARDLINKS = 8,
  HOLDFAST_FOREIGN_OWNER = 16,
  HOLDFAST_TRUST_DIR = 32,
  HOLDFAST_IN_PLACE = 64,
  HOLDFAST_CREATE = 128, /* update, block_put: begin with an empty file where there is none */
  HOLDFAST_OVERWRITE_EDITS =
      256 /* block_put, block_remove: also if somebody edited the inside by hand */
};

enum { HOLDFAST_DURABLE_FULL = 0, HOLDFAST_DURABLE_DATA = 1, HOLDFAST_DURABLE_NONE = 2 };

/* Options of every call that changes a file; `holdfast help write` has the meaning of each. */
typedef struct holdfast_file_options {
  uint32_t size;
  uint32_t flags;
  int32_t durability;
  int32_t mode;     /* the permissions, 1 to 07777; 0: those of the old file, else by umask */
  uint32_t backups; /* so many old versions are kept */
  uint32_t reserved;
  int64_t wait_ms; /* for whoever holds the file's lock; 0: 10 s */
  const char*
      if_hash; /* only if the file has this SHA-256 now; "absent": only if there is none. 75 `if-hash` */
  const char* check;    /* "json", "jsonl", "toml" or "utf8": what the content must be. 65 */
  holdfast_lock* fence; /* change it only while this lock is held by us. 77 `lock-lost` */
} holdfast_file_options;

static inline holdfast_file_options holdfast_file_options_init(void) {
  holdfast_file_options it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* Replaces a file whole, or not at all: readers find the old or the new content, also after a crash. `options` and
 * `json` may be NULL; json: `changed committed durable old_sha256 new_sha256 bytes backup …`. 73 comes with the
 * document: the content is in place. */
HOLDFAST_API int holdfast_replace(holdfast_home* hf, const char* path, const void* content,
                                  size_t length, const holdfast_file_options* options, char** json,
                                  holdfast_error* error);

/* Where holdfast_update's function puts the new content. */
typedef struct holdfast_output holdfast_output;
HOLDFAST_API int holdfast_output_write(holdfast_output* out, const void* bytes, size_t length);
/* Writes the new content of a file, made of the old, to `out`. 0: use it. Anything else: change nothing, and
 * holdfast_update answers 65 `stopped`. It may be called again on newer content. It must not throw or jump out, nor
 * call holdfast about the same file. */
typedef int (*holdfast_update_fn)(void* user, const void* old_content, size_t length,
                                  holdfast_output* out);
/* Read, change, replace, under the file's lock: no update is lost to another. 66 where there is no file, without
 * HOLDFAST_CREATE. */
HOLDFAST_API int holdfast_update(holdfast_home* hf, const char* path, holdfast_update_fn make,
                                 void* user, const holdfast_file_options* options, char** json,
                                 holdfast_error* error);

/* Marked blocks in a text file, in the style of its type. */
HOLDFAST_API int holdfast_block_put(holdfast_home* hf, const char* path, const char* id,
                                    const void* content, size_t length,
                                    const holdfast_file_options* options, char** json,
                                    holdfast_error* error);
/* `*content` ends with a NUL that does not count. 66: no such block or file. */
HOLDFAST_API int holdfast_block_get(holdfast_home* hf, const char* path, const char* id,
                                    char** content, size_t* length, holdfast_error* error);
HOLDFAST_API int holdfast_block_remove(holdfast_home* hf, const char* path, const char* id,
                                       const holdfast_file_options* options, char** json,
                                       holdfast_error* error);
HOLDFAST_API int holdfast_block_list(holdfast_home* hf, const char* path, char** json,
                                     holdfast_error* error);

typedef struct holdfast_ledger_options {
  uint32_t size;
  uint32_t reserved;
  uint64_t cap;                      /* keep the newest so many; 0: all */
  const char* cap_per;               /* "FIELD=N", several with commas; NULL: none */
  const char* time_field;            /* NULL: "time" */
  const holdfast_file_options* file; /* NULL: the defaults */
} holdfast_ledger_options;

static inline holdfast_ledger_options holdfast_ledger_options_init(void) {
  holdfast_ledger_options it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* Adds one JSON object, with its time; a missing file is an empty ledger. 65: the ledger is damaged and unchanged. */
HOLDFAST_API int holdfast_ledger_append(holdfast_home* hf, const char* path, const char* entry,
                                        const holdfast_ledger_options* options, char** json,
                                        holdfast_error* error);
/* The newest entry that matches all of `where` ("FIELD=VALUE", "FIELD!=VALUE"; NULL at its end, or NULL) and is not
 * older than `within_ms` (0: any age), as `holdfast ledger last --json`. 66: there is none, for certain, with the
 * document; 69: it has no time that can be believed. */
HOLDFAST_API int holdfast_ledger_last(holdfast_home* hf, const char* path, const char* const* where,
                                      int64_t within_ms, char** json, holdfast_error* error);
/* All entries, a JSON array, oldest first. */
HOLDFAST_API int holdfast_ledger_read(holdfast_home* hf, const char* path, char** json,
                                      holdfast_error* error);
/* Puts a damaged ledger aside and keeps every entry that can be read. 0: it is whole now. */
HOLDFAST_API int holdfast_ledger_repair(holdfast_home* hf, const char* path, char** json,
                                        holdfast_error* error);

/* ---- processes -------------------------------------------------------------------------------------------------- */

/* The identity of a process, a line of JSON to keep instead of a pid file; pid 0 is this process. Ask while the number
 * is certainly its own. 66: no process of that number runs. */
HOLDFAST_API int holdfast_identify(int64_t pid, char** identity, holdfast_error* error);
/* 0: it lives; 66: it is dead, or its number is another process now; 69: cannot tell. `json` (or NULL) has `verdict`
 * and `evidence` in all three. 64 for a bare number, 65 for what is no identity. */
HOLDFAST_API int holdfast_alive(const char* identity, char** json, holdfast_error* error);

enum { HOLDFAST_KILL_TREE = 1 };

typedef struct holdfast_kill_options {
  uint32_t size;
  uint32_t flags;
  int32_t signal; /* this one only; 0: TERM, then KILL */
  uint32_t reserved;
  int64_t grace_ms; /* between TERM and KILL; 0: 10 s */
  int64_t
      wait_ms; /* for the end, behind the last signal; 0: 10 s behind KILL, none behind another signal */
} holdfast_kill_options;

static inline holdfast_kill_options holdfast_kill_options_init(void) {
  holdfast_kill_options it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* Ends the process that an identity means, and never another one; the decision is on stable storage first. `json` has
 * `outcome pid evidence ended survivors` whenever it came to a report: 0 killed, 66 gone, 77 mismatch or refused, 71 not
 * permitted, 72 survivors, 69 unproven. */
HOLDFAST_API int holdfast_kill(holdfast_home* hf, const char* identity,
                               const holdfast_kill_options* options, char** json,
                               holdfast_error* error);

/* ---- journal ---------------------------------------------------------------------------------------------------- */

enum { HOLDFAST_CLASS_OF_TYPE = 0, HOLDFAST_CLASS_EVENT = 1, HOLDFAST_CLASS_DECISION = 2 };

/* Records an event; types of your own begin with `x.`. `data` is a JSON object or NULL. A decision is on stable storage
 * when this returns 0. `seq` (or NULL) gets its number, 0 where the journal was busy and the event is kept beside it. */
HOLDFAST_API int holdfast_journal_append(holdfast_home* hf, const char* type, const char* data,
                                         int event_class, uint64_t* seq, holdfast_error* error);

typedef struct holdfast_query {
  uint32_t size;
  uint32_t newest_first;
  const char* const* types; /* with * and ?; NULL at the end; NULL: all */
  const char* const* where; /* "data.lock=deploy", "class!=trace"; NULL at the end; NULL: none */
  int64_t since_unix_ms;    /* 0: from the beginning */
  int64_t until_unix_ms;    /* 0: no end */
  uint64_t limit;           /* 0: 1000 */
} holdfast_query;

static inline holdfast_query holdfast_query_init(void) {
  holdfast_query it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* `events` in the document: what `holdfast journal query --json` prints, one element for each line. `query` may be NULL.
 * 65 with the document: parts of the journal are damaged, and `damaged` says how many; the events are what could be
 * read. */
HOLDFAST_API int holdfast_journal_query(holdfast_home* hf, const holdfast_query* query, char** json,
                                        holdfast_error* error);

/* ---- sessions, and everything else that the program does -------------------------------------------------------- */

/* Runs the holdfast program (holdfast_options.program) on the same home, with --json, and waits for it. `argv` begins with the
 * command and ends with NULL: {"ps", NULL}. Its standard input is empty. The code is the command's. `json` gets the
 * document that it printed (or the lines of a stream), also where it failed, as far as there is one. `cancel` (or
 * NULL) ends the wait and the program: 75 `cancelled`.
 *
 * A run must have a supervisor of its own, and a library must not fork a program with threads without exec: so
 * sessions are started by the program, and live on when this process ends. */
HOLDFAST_API int holdfast_command(holdfast_home* hf, const char* const* argv,
                                  holdfast_cancel* cancel, char** json, holdfast_error* error);

typedef struct holdfast_session_options {
  uint32_t size;
  uint32_t reserved;
  int64_t timeout_ms;      /* of the whole run; 0: none */
  int64_t grace_ms;        /* between TERM and KILL; 0: 10 s */
  int64_t idle_timeout_ms; /* without output; 0: none */
  const char* directory;   /* where it runs; NULL: here */
  const char* verify;      /* a shell command that must succeed; NULL: none */
  const char* const* env;  /* NAME=VALUE, NULL at the end; NULL: none */
} holdfast_session_options;

static inline holdfast_session_options holdfast_session_options_init(void) {
  holdfast_session_options it;
  memset(&it, 0, sizeof it);
  it.size = (uint32_t)sizeof it;
  return it;
}

/* Starts `argv` (NULL at its end) as the session NAME, detached: `holdfast run --detach`. 75: the name is busy. */
HOLDFAST_API int holdfast_session_start(holdfast_home* hf, const char* name,
                                        const char* const* argv,
                                        const holdfast_session_options* options, char** json,
                                        holdfast_error* error);
/* `holdfast ps --all`, `show NAME`. */
HOLDFAST_API int holdfast_session_list(holdfast_home* hf, char** json, holdfast_error* error);
HOLDFAST_API int holdfast_session_get(holdfast_home* hf, const char* name, char** json,
                                      holdfast_error* error);
/* Waits for its end. The code is the session's own as `holdfast wait` says it; 75 `timeout`, 75 `cancelled`. */
HOLDFAST_API int holdfast_session_wait(holdfast_home* hf, const char* name, int64_t timeout_ms,
                                       holdfast_cancel* cancel, char** json, holdfast_error* error);
HOLDFAST_API int holdfast_session_stop(holdfast_home* hf, const char* name, int64_t grace_ms,
                                       char** json, holdfast_error* error);

/* `holdfast ensure MANIFEST`, with `check_only` `--check`; `holdfast layers PLAN`. */
HOLDFAST_API int holdfast_ensure(holdfast_home* hf, const char* manifest, int check_only,
                                 char** json, holdfast_error* error);
HOLDFAST_API int holdfast_layers(holdfast_home* hf, const char* plan, char** json,
                                 holdfast_error* error);

#ifdef __cplusplus
}
#endif

#endif
