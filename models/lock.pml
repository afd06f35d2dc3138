/* SPDX-License-Identifier: Apache-2.0
 *
 * The exclusive lock of docs/design/008-locks.md: life byte per epoch, GUARD, record, waiting, third-party
 * release, take of an expired lease, fenced commit. One atomic step is one system call; between any two
 * of them others run, and a process may be killed.
 *
 * Hostile interleavings that it walks through, among all others: a waiter looks, the lock moves, the
 * waiter sleeps; the one that moves it is killed half-way; life is free while the work still lives; a
 * stopped holder comes back after a take and commits, renews, releases.
 *
 * -DN= contenders, -DROUNDS= acquisitions each, -DKILLS= SIGKILLs, -DADMINS= third-party releases,
 * -DCOMMIT (fenced commits), -DLEASE (leases expire and are taken), -DFEW (one taker, nobody gives up or
 * renews), -DLEAK (a daemon keeps the descriptor of one that is killed while it releases), -DTOGETHER
 * (life and GUARD are of one description: taken in one step where both are free, given back in one).
 * -DM_… are mutants, see check.sh.
 */
#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef KILLS
#define KILLS 0
#endif
#ifndef ADMINS
#define ADMINS 0
#endif
#define EPOCHS 5
#define P (N + ADMINS)

/* ---- the kernel: bytes and futex -------------------------------------------------------------------- */
byte life[EPOCHS];  /* 0: free; else 1 + the process whose description has it; LEAKED: a daemon's copy */
byte guard;         /* 0: free; else 1 + process */
bool asleep[P];     /* in futex_waitv */
bool dead[P];       /* the pidfd is readable */
#define LEAKED 200

/* ---- the ledger ------------------------------------------------------------------------------------- */
bool held;
byte epoch, gen, owner, seq;
bool expired;       /* the deadline of this record has passed */
byte moved;

/* ---- what only the checks look at ------------------------------------------------------------------- */
bool works[P];      /* believes that it holds the lock, or its work still runs */
bool lost[P];       /* deprived on purpose: released by a third party, or taken */
bool killed[P];
byte granted;       /* the newest generation ever granted */
byte committed;     /* the generation of the newest commit */

inline excluded(me) {
  byte k = 0;
  do
  :: k < N -> assert(k == me || !works[k] || lost[k]); k++
  :: else -> break
  od;
  k = 0
}

inline wake_all() {
  byte w = 0;
  do
  :: w < P -> asleep[w] = false; w++
  :: else -> break
  od;
  w = 0
}

#define LOCK_GUARD(me) atomic { guard == 0 -> guard = 1 + me }
#define UNLOCK_GUARD() guard = 0
#define MINE(me) (held && owner == me && gen == my_gen)

/* A change of the record that does not free the byte that others wait for. The word goes first: who is
 * killed behind it has changed nothing, and who reads the new word waits at GUARD for the new record. */
#ifdef M_BUMP_AFTER
#define BEFORE_CHANGE() skip
#define AFTER_CHANGE() moved++; d_step { wake_all() }
#else
#define AFTER_CHANGE() skip
#ifdef M_NO_MOVED
#define BEFORE_CHANGE() skip
#else
#define BEFORE_CHANGE() moved++; d_step { wake_all() }
#endif
#endif

inline grant(me) {
  d_step {
    excluded(me);
#ifndef M_SAME_GEN
    gen++;
#else
    gen = (held -> gen : gen + 1);
#endif
    assert(gen > granted);
    granted = gen; my_gen = gen; my_epoch = e;
    held = true; owner = me; epoch = e; expired = false; seq++;
    works[me] = true; lost[me] = false
  }
}

proctype contender(byte me) {
  byte e, m, target, my_gen, my_epoch, s, left = ROUNDS;
  bool on_pid, got, takes, impatient, giving_up;
  bool was_held; byte was_owner;  /* for M_NO_REREAD */
  {
#if defined(LEASE) && defined(FEW)
    takes = (me == 1);
#endif
#if defined(LEASE) && !defined(FEW)
    if :: takes = true :: takes = false fi;
#endif
#ifndef FEW
    impatient = (me == 0);
#endif

again:
#ifdef M_MOVED_LATE
    skip;
#else
    m = moved;
#endif
    /* The epoch may have moved: what the helper got on the old byte is given back. */
    d_step {
      if
      :: got && e != epoch -> got = false; life[e] = 0
      :: else
      fi;
      e = epoch; s = seq; was_held = held; was_owner = owner
    }
#ifdef LEASE
    if
    :: takes && was_held && expired && was_owner != me -> goto take
    :: else
    fi;
#endif
#ifdef TOGETHER
    /* Where one of the two is taken, nothing is, and it goes on as below. What it asks for is the
     * epoch of an earlier grant, which is compared behind it. */
    atomic {
      if
      :: !got && life[e] == 0 && guard == 0 -> life[e] = 1 + me; guard = 1 + me; goto have_both
      :: true
      fi
    };
#endif
    atomic {
      if
      :: got || life[e] == 0 -> life[e] = 1 + me; got = false; goto have_life
      :: else -> if :: giving_up -> goto quit :: else fi
      fi
    };
    on_pid = false;
#ifndef M_NO_GUARDED_LOOK
    /* Before it sleeps, it looks once more where no change can be half done. */
    atomic { guard == 0 -> if :: epoch != e -> goto again :: else fi };
#endif
    goto sleep;

have_life:
    LOCK_GUARD(me);
#ifdef TOGETHER
have_both:
#endif
#ifndef M_NO_REREAD
    atomic {
      if
      :: epoch != e -> UNLOCK_GUARD(); goto life_back
      :: else -> was_held = held; was_owner = owner
      fi
    };
#endif
#ifdef LEASE
    /* Life is free, its work lives, its lease is over: taken without another epoch, but others may wait
     * for the end of that work, so they are told all the same. */
    if
    :: takes && was_held && expired && !dead[was_owner] ->
#ifndef M_TAKE_QUIET
       BEFORE_CHANGE();
#endif
       atomic { lost[owner] = true; grant(me) };
#ifndef M_TAKE_QUIET
       AFTER_CHANGE();
#endif
       UNLOCK_GUARD();
       goto holding
    :: else
    fi;
#endif
#ifndef M_NO_IDENTITY
    atomic {
      if
      :: was_held && !dead[was_owner] ->
         target = was_owner; on_pid = true; UNLOCK_GUARD(); goto life_back
      :: else
      fi
    };
#endif
    grant(me);
    UNLOCK_GUARD();
    goto holding;

life_back:
    life[e] = 0;
    if
    :: giving_up -> goto quit
    :: !giving_up && on_pid -> goto sleep
    :: else -> goto again
    fi;

    /* ---- sleep in futex_waitv, a helper blocks on the byte or on the pidfd ---- */
sleep:
#ifdef M_MOVED_LATE
    m = moved;
#endif
    atomic { if :: moved == m -> asleep[me] = true :: else fi };
    do
    :: atomic { asleep[me] && !got && !on_pid && life[e] == 0 -> life[e] = 1 + me; got = true }
    :: atomic { asleep[me] && got -> asleep[me] = false }        /* the private word */
    :: atomic { asleep[me] && on_pid && dead[target] -> asleep[me] = false }
#ifdef LEASE
    :: atomic { asleep[me] && takes && held && expired -> asleep[me] = false }  /* its timer */
#endif
    :: atomic { asleep[me] && impatient -> asleep[me] = false; giving_up = true }
    :: atomic { !asleep[me] -> on_pid = false; break }
    od;
#ifdef M_CANCEL_FORGETS
    if :: giving_up -> goto done :: else fi;
#endif
    goto again;

#ifdef LEASE
    /* ---- take: the old holder keeps its byte, which nobody looks at any more ---- */
take:
    if :: got -> got = false; life[e] = 0 :: else fi;
    LOCK_GUARD(me);
#ifndef M_NO_VERIFY
    atomic { if :: epoch != e || seq != s || !held -> UNLOCK_GUARD(); goto again :: else fi };
#endif
#ifndef M_NO_EPOCH
    atomic { assert(life[e + 1] == 0); e++; life[e] = 1 + me };
#endif
    BEFORE_CHANGE();
    atomic { assert(held && expired); lost[owner] = true; grant(me) };
    AFTER_CHANGE();
    UNLOCK_GUARD();
#endif

    /* ---- it holds; it may commit, renew, be stopped, and go on late ---- */
holding:
#if defined(LEASE) || ADMINS > 0
    if
    :: true                              /* it goes on, in time or late */
    :: lost[me] -> end_stopped: false    /* or it stays stopped, with its byte */
    fi;
#endif
#ifdef COMMIT
    if
    :: true ->
#ifdef M_COMMIT_OUTSIDE
       atomic { if :: MINE(me) :: else -> goto release fi };
#endif
       LOCK_GUARD(me);
#ifndef M_COMMIT_OUTSIDE
       atomic { if :: MINE(me) :: else -> assert(lost[me]); UNLOCK_GUARD(); goto release fi };
#endif
       /* the rename */
       atomic { assert(my_gen == granted && my_gen >= committed); committed = my_gen };
       UNLOCK_GUARD()
    :: true
    fi;
#endif
#if defined(LEASE) && !defined(FEW)
    if
    :: true ->
       LOCK_GUARD(me);
       atomic { if :: MINE(me) -> expired = false; seq++ :: else fi };
       UNLOCK_GUARD()
    :: true
    fi;
#endif

release:
#ifdef M_LIFE_FIRST
    life[my_epoch] = 0;
#endif
    LOCK_GUARD(me);
#if !defined(M_FREE_FIRST) && !defined(M_LIFE_FIRST) && !defined(TOGETHER)
    life[my_epoch] = 0;
#endif
    d_step {
      works[me] = false;
      if
#ifdef M_RELEASE_ANY
      :: true -> held = false; seq++
#else
      :: MINE(me) -> held = false; seq++
      :: else -> assert(lost[me])
#endif
      fi
    };
#ifdef TOGETHER
    atomic { life[my_epoch] = (life[my_epoch] == 1 + me -> 0 : life[my_epoch]); UNLOCK_GUARD() };
    goto done;
#endif
    UNLOCK_GUARD();
#ifdef M_FREE_FIRST
    life[my_epoch] = 0;
#endif
done:
    left--;
    if :: left > 0 -> goto again :: else -> goto over fi;

quit:
    if :: got -> got = false; life[e] = 0 :: else fi;
over:
    skip
  } unless {
    /* SIGKILL: the kernel drops the bytes first; the work, or just the pidfd, ends some time later. */
    atomic {
      killed[me] ->
      byte b = 0;
      do
      :: b < EPOCHS ->
         if
#ifdef LEAK
         :: life[b] == 1 + me && !works[me] && my_gen > 0 && b == my_epoch -> life[b] = LEAKED
#else
         :: false
#endif
         :: else -> if :: life[b] == 1 + me -> life[b] = 0 :: else fi
         fi; b++
      :: else -> break
      od;
      b = 0;
      if :: guard == 1 + me -> guard = 0 :: else fi;
      asleep[me] = false
    };
#ifdef LEASE
    if :: true :: lost[me] -> end_work_lives: false fi;
#endif
    atomic { works[me] = false; dead[me] = true }
  }
}

/* `holdfast release` with the holder's token, or `break`, while a keeper that may be stopped has life. */
#if ADMINS > 0
proctype admin(byte me) {
  byte g;
  {
    skip;
end_look:
    atomic { held -> g = gen };
    LOCK_GUARD(me);
    if
#ifdef M_ADMIN_ANY
    :: held
#else
    :: held && gen == g
#endif
       -> BEFORE_CHANGE();
       atomic {
#ifdef M_ADMIN_ANY
         assert(gen == g);
#endif
         lost[owner] = true; held = false; seq++;
#ifndef M_ADMIN_EPOCH
         epoch++
#endif
       };
       AFTER_CHANGE();
       UNLOCK_GUARD()
    :: else -> UNLOCK_GUARD(); goto end_look
    fi
  } unless {
    atomic { killed[me] -> if :: guard == 1 + me -> guard = 0 :: else fi; dead[me] = true }
  }
}
#endif

#ifdef LEASE
/* Time passes: a lease expires, and once more after a renewal. */
proctype clock() {
#ifdef FEW
  byte left = 1;
#else
  byte left = 2;
#endif
end:
  do
  :: atomic { held && !expired && left > 0 -> expired = true; left-- }
  od
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
#if ADMINS > 0
    do
    :: i < P -> run admin(i); i++
    :: else -> break
    od;
#endif
    i = 0;
#ifdef LEASE
    run clock();
#endif
#if KILLS > 0
    run killer();
#endif
  }
}
