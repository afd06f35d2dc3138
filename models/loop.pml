/* SPDX-License-Identifier: Apache-2.0
 *
 * One item of a loop (src/loop/item/item_table.h), the loop that works on it, the supervisors of its runs, their
 * commands, and the world. One atomic step is one durable write, one lock, one look or one start; between any
 * two of them others run, and everybody may be killed.
 *
 * Hostile interleavings that it walks through, among all others: the loop writes the intent, forks the supervisor
 * and is killed, and the next loop looks for a run before the supervisor is on record; the supervisor is killed
 * and its command goes on; the command has acted and nobody saw how it ended; the power goes after any of them.
 *
 * What is checked. A command is let go only if every earlier one of the item is known not to have done it: the
 * world said so, or its end as a definite failure is on record. Whatever was concluded about a run, it does not
 * act after that. With `verify`, done means that the world said yes. No end state but `done`, `unknown` and
 * `gave_up`: everywhere else somebody gets on by himself.
 *
 * -DCRASHES= of the loop, -DKILLS= of supervisors, -DCUTS= power cuts, -DATTEMPTS=, -DVERIFY (the loop has a `verify`);
 * -DM_… are mutants, see check.sh.
 */
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef KILLS
#define KILLS 0
#endif
#ifndef CUTS
#define CUTS 0
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif
#define RUNS (ATTEMPTS + CRASHES + KILLS + CUTS + 1)  /* ids; what never began uses one too */

mtype = { WAITING, RUNNING, VERIFYING, DONE, UNKNOWN, GAVE_UP,    /* of the item */
          NOTHING, RESERVED, EXITED_0, FAILED, FORCED,            /* what is on record of a run */
          YES, NO, CANNOT_TELL };

/* ---- the item's record: each change is one durable write --------------------------------------------- */
mtype item = WAITING;
byte intent;            /* the id of the run that is intended; 0: none */
bool begun;             /* its supervisor was let in; not synced */
byte attempts;

/* ---- sessions, locks ----------------------------------------------------------------------------------- */
mtype on_record[RUNS + 1] = NOTHING;
bool supervised[RUNS + 1];  /* the supervisor lives */
bool commanded[RUNS + 1];   /* the command lives */
mtype ended[RUNS + 1] = NOTHING;
byte name_lock;         /* of the session's name. 0: free; LOOP; else the id of the run whose supervisor has it */
#define LOOP 100
byte fence;             /* of the loop's lock: the token of who has it */

/* ---- fate ---------------------------------------------------------------------------------------------- */
bool loop_killed;
byte cuts;              /* how often the power went */
byte crashes = CRASHES, kills = KILLS;
bool killed[RUNS + 1];
byte last_run;

/* ---- the world, and what only the checks look at ------------------------------------------------------- */
bool happened;          /* the act took place */
bool licensed = true;   /* a command may be let go: it is known that none did it before */
byte concluded;         /* all runs up to this id were judged */

/* ---- the command ------------------------------------------------------------------------------------- */
/* Its own word that it failed is true, and its word that it succeeded is not worth much. At its deadline it is
 * ended, before or after it has acted. */
proctype command(byte id) {
  {
    if
    :: atomic { true -> assert(id > concluded); happened = true };
       if
       :: atomic { true -> ended[id] = EXITED_0; commanded[id] = false }
       :: atomic { true -> ended[id] = FORCED; commanded[id] = false }
       fi
    :: atomic { true -> ended[id] = EXITED_0; commanded[id] = false }  /* a lie */
    :: atomic { true -> ended[id] = FAILED; commanded[id] = false }
    :: atomic { true -> ended[id] = FORCED; commanded[id] = false }
    fi
  } unless { atomic { killed[id] && !commanded[id] } }  /* the power went */
}

/* ---- the supervisor of one run (src/run/session/session_run.h, src/loop/intent/intent.h) --------------------------- */
proctype supervisor(byte id; byte token) {
  byte earlier;
  {
    atomic { name_lock == 0 -> name_lock = id };
    /* The last run of this name is proven over, or nothing is started. */
    atomic {
      earlier = 1;
      do
      :: earlier < id && !commanded[earlier] -> earlier++
      :: earlier < id && commanded[earlier] -> goto refused
      :: else -> break
      od
    };
#ifndef M_NO_FENCE
    atomic { if :: token != fence -> goto refused :: else fi };
#endif
#ifdef M_INTENT_LATE
    begun = (intent == id || begun);
#else
    atomic { if :: intent == id -> begun = true :: else -> goto refused fi };
#endif
    on_record[id] = RESERVED;
    atomic {
      assert(licensed && id > concluded);
#ifdef VERIFY
      assert(!happened);
#endif
      licensed = false;
      commanded[id] = true;
      run command(id)
    };
    !commanded[id];
    on_record[id] = ended[id];
refused:
    atomic { name_lock = 0; supervised[id] = false }
  } unless {
    /* Its locks go with it; the command stays. */
    atomic {
      killed[id] ->
      supervised[id] = false;
      if :: name_lock == id -> name_lock = 0 :: else fi
    }
  }
}

/* ---- the loop ------------------------------------------------------------------------------------------ */
inline judged(id) {
  assert(!commanded[id]);
  concluded = (id > concluded -> id : concluded)
}

inline failed_attempt(id) {
  judged(id);
  intent = 0; begun = false;
  item = (attempts < ATTEMPTS -> WAITING : GAVE_UP)
}

inline done() {
#ifdef VERIFY
  assert(happened);
#endif
  intent = 0; begun = false;
  item = DONE
}

inline lost(id) {
#ifdef M_LOST_IS_FAILED
  failed_attempt(id)
#else
#ifdef VERIFY
  item = VERIFYING
#else
  judged(id); item = UNKNOWN
#endif
#endif
}

proctype loop() {
  byte id, my_token;
  mtype answer;
again:
  {
    atomic { fence++; my_token = fence; id = 0; answer = NOTHING };
look:
    if
    :: item == WAITING -> goto claim
    :: item == RUNNING -> id = intent; goto account
    :: item == VERIFYING -> id = intent; goto ask
    :: item == DONE || item == UNKNOWN || item == GAVE_UP -> goto over
    fi;

claim:
    atomic { if :: last_run == RUNS -> goto over :: else -> last_run++; id = last_run fi };
#ifdef M_INTENT_LATE
    atomic { supervised[id] = true; run supervisor(id, my_token) };
    atomic { item = RUNNING; intent = id; attempts++ };
#else
    atomic { item = RUNNING; intent = id; begun = false; attempts++ };
    atomic { supervised[id] = true; run supervisor(id, my_token) };
#endif
    /* It waits until the command runs, or the supervisor has said why not, or is gone. */
    on_record[id] != NOTHING || !supervised[id];
    goto look;

    /* ---- what became of a run (session/record/view.h) ---- */
account:
    if
    :: on_record[id] == NOTHING -> goto not_on_record
    :: on_record[id] == RESERVED ->
#ifdef M_WAITS_FOR_RECORD
       on_record[id] != RESERVED
#else
#ifdef M_ORPHAN_IS_OVER
       on_record[id] != RESERVED || !supervised[id];
#else
       /* Under way, or an orphan, which is adopted and brought to its end. */
       on_record[id] != RESERVED || (!supervised[id] && !commanded[id]);
#endif
       atomic { if :: on_record[id] == RESERVED -> lost(id) :: else fi }
#endif
    :: on_record[id] == EXITED_0 ->
       atomic {
#if defined(VERIFY) && !defined(M_EXIT_IS_DONE)
         item = VERIFYING
#else
         judged(id); done()
#endif
       }
    :: on_record[id] == FAILED -> atomic { licensed = true; failed_attempt(id) }
    :: on_record[id] == FORCED ->
       atomic {
#ifdef VERIFY
         item = VERIFYING
#else
         licensed = true; failed_attempt(id)  /* its end is on record, and counts as a failure */
#endif
       }
    fi;
    goto look;

not_on_record:
#ifndef M_NO_NAME_LOCK
    /* Whoever was inside is out then, and on record; whoever comes later has an old token. */
    atomic { name_lock == 0 -> name_lock = LOOP };
    if
    :: on_record[id] != NOTHING -> name_lock = 0; goto account
    :: else -> name_lock = 0
    fi;
#endif
    atomic {
      if
      :: begun -> lost(id)
      :: else ->
         /* It never began: the attempt was none. */
         concluded = (id > concluded -> id : concluded);
         item = WAITING; intent = 0; attempts--
      fi
    };
    goto look;

    /* ---- the world is asked, with the run proven over ---- */
ask:
    if
    :: happened -> answer = YES
    :: !happened -> answer = NO
    :: true -> answer = CANNOT_TELL
    fi;
    atomic {
      if
      :: answer == YES -> judged(id); done()
      :: answer == NO -> licensed = true; failed_attempt(id)
      :: answer == CANNOT_TELL ->
#ifdef M_CANNOT_TELL_IS_NO
         failed_attempt(id)
#else
#ifdef M_CANNOT_TELL_IS_DONE
         done()
#else
         skip
#endif
#endif
      fi
    };
    goto look
  } unless {
    atomic {
      loop_killed ->
      loop_killed = false;
      if :: name_lock == LOOP -> name_lock = 0 :: else fi;
      goto again
    }
  };
over:
  /* A kill that comes too late for it. */
  end_over: do :: loop_killed -> loop_killed = false od
}

/* ---- the fates ------------------------------------------------------------------------------------------ */
inline power_cut() {
  byte k = 1;
  do
  :: k <= RUNS ->
#ifdef M_RESERVED_UNSYNCED
     if :: on_record[k] == RESERVED -> on_record[k] = NOTHING :: else fi;
#endif
     if :: supervised[k] || commanded[k] -> killed[k] = true :: else fi;
     supervised[k] = false; commanded[k] = false;
     k++
  :: else -> break
  od;
  k = 0;
  name_lock = 0; loop_killed = true
}

proctype fate() {
  byte who;
  end_fate: do
  :: atomic { crashes > 0 && !loop_killed -> crashes--; loop_killed = true }
  :: atomic {
       kills > 0 ->
       kills--;
       who = 1;
       do
       :: who < last_run -> who++
       :: break
       od;
       if :: supervised[who] -> killed[who] = true :: else fi;
       who = 0
     }
  :: atomic {
       cuts < CUTS ->
       cuts++;
       power_cut();
       if :: begun = false :: true fi
     }
  od
}

init {
  atomic { run loop(); run fate() }
}
