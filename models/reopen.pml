/* SPDX-License-Identifier: Apache-2.0
 *
 * The name of a ledger and its inodes: made by one link, retired by gc, or deleted by somebody who does
 * not know better (-DVANDAL), while others hold it, wait on it or are about to make it. And the fence,
 * which must rise across all of them: its mark in the home is raised before a generation is used.
 *
 * The hostile interleavings: a waiter gets life of an inode without a name. gc is killed between writing `retired` and
 * the unlink, so the name leads to a ledger that nobody may use. The maker of a new ledger reads the
 * home's mark, is overtaken by a whole life of another ledger, and only then links its own.
 *
 * -DN= contenders; -DGCS= runs of gc; -DKILLS= SIGKILLs; -DM_… are mutants, see check.sh.
 */
#ifndef N
#define N 2
#endif
#ifndef GCS
#define GCS 0
#endif
#ifndef KILLS
#define KILLS 0
#endif
#define P (N + GCS)
#define INODES 6
#define NONE 100
#define FREE 0
#define HELD 1
#define RETIRED 2

byte name = NONE;      /* the inode that the directory names */
byte home;             /* HOME/locks/.fence */
byte inodes;           /* how many were made */
byte state[INODES];
byte gen[INODES];
byte owner[INODES];
bool doubt[INODES];    /* a new ledger: its first generation comes from the home's mark */
byte life[INODES];
byte guard[INODES];

bool works[P], dead[P], killed[P];
byte granted;
bool deleted;          /* exclusion is not promised once somebody deleted a ledger */

proctype contender(byte me) {
  byte at = NONE, g, base, left = 2;
  {
    skip;
again:
    at = name;
    if
    :: at == NONE ->
#ifdef M_BASE_AT_BIRTH
       base = home;
#endif
       /* link(2): never replaces */
       atomic {
         if
         :: name == NONE ->
            at = inodes; inodes++; name = at; doubt[at] = true;
#ifdef M_BASE_AT_BIRTH
            doubt[at] = false; gen[at] = base;
#endif
         :: else -> at = NONE; goto again
         fi
       }
    :: else
    fi;
    /* The life byte; a sleeping waiter is one that is blocked here. */
    atomic { life[at] == 0 -> life[at] = 1 + me };
    atomic { guard[at] == 0 -> guard[at] = 1 + me };
    atomic {
      if
      :: state[at] == HELD && !dead[owner[at]] -> guard[at] = 0; life[at] = 0;
         dead[owner[at]] -> goto again
      :: else
      fi
    };
#ifndef M_RETIRED_STAYS
    /* gc holds GUARD from `retired` to the unlink. Who finds the name there under GUARD finishes it. */
    atomic { if :: state[at] == RETIRED && name == at -> name = NONE :: else fi };
#endif
    atomic {
      if
      :: state[at] == RETIRED ->
         assert(name != at);  /* from the beginning only where that leads to somewhere else */
         guard[at] = 0; life[at] = 0; goto again
      :: else
      fi
    };
    /* The mark goes first, then the record. */
    d_step {
      if :: doubt[at] && gen[at] < home -> g = home + 1 :: else -> g = gen[at] + 1 fi;
#ifndef M_MARK_LATER
      if :: home < g -> home = g :: else fi
#endif
    };
#ifdef M_COMPARE_FIRST
    atomic { if :: name != at -> guard[at] = 0; life[at] = 0; goto again :: else fi };
#endif
    d_step { state[at] = HELD; owner[at] = me; gen[at] = g; doubt[at] = false };
    /* The compare with the name is the grant. A delete behind it defeats exclusion, but never the fence. */
    atomic {
      if
#if !defined(M_NO_COMPARE) && !defined(M_COMPARE_FIRST)
      :: name != at -> state[at] = FREE; guard[at] = 0; life[at] = 0; goto again
#endif
      :: else ->
         assert(g > granted);
         granted = g;
         byte k = 0;
         do
         :: k < N -> assert(deleted || k == me || !works[k]); k++
         :: else -> break
         od;
         k = 0;
         works[me] = true
      fi
    };
    guard[at] = 0;
#ifdef M_MARK_LATER
    d_step { if :: home < g -> home = g :: else fi };
#endif
    atomic { guard[at] == 0 -> guard[at] = 1 + me };
    life[at] = 0;
    d_step { works[me] = false; state[at] = FREE };
    guard[at] = 0;
    left--;
    if :: left > 0 -> goto again :: else fi
  } unless {
    atomic {
      killed[me] ->
      if
      :: at != NONE ->
         if :: life[at] == 1 + me -> life[at] = 0 :: else fi;
         if :: guard[at] == 1 + me -> guard[at] = 0 :: else fi
      :: else
      fi
    };
    atomic { works[me] = false; dead[me] = true }
  }
}

/* gc: GUARD, free, no byte held; `retired`, unlink. */
#if GCS > 0
proctype gc(byte me) {
  byte at = NONE;
  {
    skip;
end_idle:
    atomic { name != NONE -> at = name };
    atomic { guard[at] == 0 -> guard[at] = 1 + me };
    if
#ifdef M_GC_ANY
    :: name == at ->
#else
    :: state[at] == FREE && life[at] == 0 && name == at ->
#endif
       d_step { if :: home < gen[at] -> home = gen[at] :: else fi };
       state[at] = RETIRED;
       name = NONE
    :: else
    fi;
    guard[at] = 0
  } unless {
    atomic {
      killed[me] ->
      if :: at != NONE && guard[at] == 1 + me -> guard[at] = 0 :: else fi;
      dead[me] = true
    }
  }
}
#endif

#ifdef VANDAL
proctype vandal() {
end:
  atomic { name != NONE -> name = NONE; deleted = true }
}
#endif

#if KILLS > 0
proctype killer() {
  byte left = KILLS, v;
end:
  do
  :: atomic { left > 0 -> select(v : 0 .. P - 1);
       if :: !killed[v] -> killed[v] = true; left-- :: else fi; v = 0 }
  od
}
#endif

init {
  atomic {
    byte i = 0;
    do
    :: i < N -> run contender(i); i++
    :: else -> break
    od;
#if GCS > 0
    do
    :: i < P -> run gc(i); i++
    :: else -> break
    od;
#endif
    i = 0;
#ifdef VANDAL
    run vandal();
#endif
#if KILLS > 0
    run killer();
#endif
  }
}
