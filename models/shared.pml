/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared mode: readers hold a read lock on the same life byte and one slot each; a writer that got the
 * byte judges the slots that were left. Steps, killing and waiting are those of lock.pml.
 *
 * The hostile interleaving: `holdfast release` ends one of two readers whose keeper is stopped, so the epoch
 * rises while the other still reads on the old byte. The writer now has the new byte, finds the other's
 * slot and waits for its process; the other releases and lives on. Somebody has to wake the writer.
 *
 * -DREADERS= -DWRITERS= -DKILLS= -DADMINS= (third-party release of one reader); -DM_… are mutants, see check.sh.
 */
#ifndef READERS
#define READERS 2  /* as many slots; USABLE is asked of two */
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef KILLS
#define KILLS 0
#endif
#ifndef ADMINS
#define ADMINS 0
#endif
#define EPOCHS 3
#define N (READERS + WRITERS)
#define P (N + ADMINS)
#define READER(i) (i < READERS)

/* ---- the kernel ------------------------------------------------------------------------------------- */
byte writer[EPOCHS];   /* who has the write lock on life: 0 or 1 + process */
byte readers[EPOCHS];  /* one bit for each that has a read lock on it */
byte reader_byte[READERS];  /* READER + i: 0 or 1 + process */
byte guard;
bool asleep[P];
bool dead[P];
#define BIT(i) (1 << i)
#define MAY_LOCK(i, x) (writer[x] == 0 && (READER(i) || readers[x] == 0))

/* ---- the ledger ------------------------------------------------------------------------------------- */
bool held, exclusive;
byte epoch, gen, owner;
byte slot[READERS];    /* 0 or 1 + the reader that it names */
byte moved;

/* ---- the checks ------------------------------------------------------------------------------------- */
bool works[P], lost[P], killed[P];
byte granted;

inline excluded(me) {
  byte k = 0;
  do
  :: k < N ->
     assert(k == me || !works[k] || lost[k] || (READER(k) && READER(me)));
     k++
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

inline lock_life(me, x) {
  if
  :: READER(me) -> readers[x] = readers[x] | BIT(me)
  :: else -> writer[x] = 1 + me
  fi
}

inline unlock_life(me, x) {
  d_step {
    if
    :: READER(me) -> readers[x] = readers[x] & (255 - BIT(me))
    :: else -> writer[x] = 0
    fi
  }
}

/* Somebody whom the record names and who is not proven dead: then who = that one, else who = NOBODY. */
#define NOBODY 100
inline living(me, who) {
  byte j = 0;
  who = NOBODY;
  if
  :: held && exclusive && !dead[owner] -> who = owner
#ifndef M_NO_SLOTS
  :: held && !exclusive && !READER(me) ->
     do
     :: j < READERS -> if :: slot[j] && !dead[slot[j] - 1] -> who = slot[j] - 1 :: else fi; j++
     :: else -> break
     od
#endif
  :: else
  fi;
  j = 0
}

inline grant(me) {
  byte j = 0;
  excluded(me);
  if
  :: READER(me) && held && !exclusive                 /* joins */
  :: else ->
#ifndef M_SAME_GEN
     gen++;
#else
     if :: !READER(me) -> gen++ :: else fi;
#endif
     assert(gen > granted); granted = gen;
     do
     :: j < READERS -> slot[j] = 0; j++
     :: else -> break
     od
  fi;
  if :: READER(me) -> reader_byte[my_slot] = 1 + me; slot[my_slot] = 1 + me :: else fi;
  j = 0;
  held = true; exclusive = !READER(me); owner = me;
  works[me] = true; lost[me] = false; my_gen = gen; my_epoch = e
}

/* Gives the record free where nobody is left in it. A free byte does not say that the work has ended. */
#ifdef M_BYTE_IS_LIFE
#define LEFT(i) (slot[i] && reader_byte[i] != 0)
#else
#define LEFT(i) (slot[i])
#endif
inline leave(i) {
  byte j = 0;
  if
  :: exclusive -> held = false
  :: else ->
     slot[i] = 0;
#ifdef M_FIRST_FREES
     held = false;
#else
     do
     :: j < READERS -> if :: LEFT(j) -> break :: else fi; j++
     :: else -> held = false; break
     od;
#endif
     j = 0
  fi
}

#ifdef M_SLOT_REUSED
#define USABLE(i) (reader_byte[i] == 0)
#else
#define USABLE(i) (reader_byte[i] == 0 && (slot[i] == 0 || dead[slot[i] - 1]))
#endif
#define MINE(me) (held && ((exclusive && owner == me && gen == my_gen) || \
                           (!exclusive && READER(me) && slot[my_slot] == 1 + me && gen == my_gen)))

proctype party(byte me) {
  byte e, m, target, my_gen, my_epoch, my_slot;
  bool on_pid, got;
  {
    skip;
again:
    m = moved;
    d_step { if :: got && e != epoch -> got = false; unlock_life(me, e) :: else fi; e = epoch };
    atomic {
      if
      :: got -> got = false; goto have_life
      :: !got && MAY_LOCK(me, e) -> lock_life(me, e); goto have_life
      :: else -> on_pid = false
      fi
    };
    atomic { guard == 0 -> if :: epoch != e -> goto again :: else fi };
    goto sleep;

have_life:
    atomic { guard == 0 -> guard = 1 + me };
    atomic { if :: epoch != e -> guard = 0; unlock_life(me, e); goto again :: else fi };
    atomic {
      living(me, target);
      if
      :: target != NOBODY -> on_pid = true; guard = 0
      :: target == NOBODY && READER(me) && held && !exclusive -> skip
      :: else -> my_slot = 0; grant(me); goto granted_now
      fi
    };
    atomic {
      if
      :: on_pid
      /* A reader joins: the byte of a slot may be free while the work of the reader that it names goes on. */
      :: !on_pid && USABLE(0) -> my_slot = 0; grant(me); goto granted_now
      :: !on_pid && USABLE(1) -> my_slot = 1; grant(me); goto granted_now
      fi
    };
    unlock_life(me, e);

sleep:
    atomic { if :: moved == m -> asleep[me] = true :: else fi };
    do
    :: atomic { asleep[me] && !got && !on_pid && MAY_LOCK(me, e) -> lock_life(me, e); got = true }
    :: atomic { asleep[me] && got -> asleep[me] = false }
    :: atomic { asleep[me] && on_pid && dead[target] -> asleep[me] = false }
    :: atomic { !asleep[me] -> on_pid = false; break }
    od;
    goto again;

granted_now:
    guard = 0;
#if ADMINS > 0
    if
    :: true
    :: lost[me] -> end_stopped: false
    fi;
#endif
    atomic { guard == 0 -> guard = 1 + me };
#ifndef M_QUIET_OLD_EPOCH
    /* Nobody who waits for this lock now blocks on the byte that this one frees. */
    if :: my_epoch != epoch && MINE(me) -> moved++; d_step { wake_all() } :: else fi;
#endif
    unlock_life(me, my_epoch);
    d_step {
      works[me] = false;
      if :: READER(me) -> reader_byte[my_slot] = 0 :: else fi;
      if
      :: MINE(me) -> leave(my_slot)
      :: else -> assert(lost[me])
      fi
    };
    guard = 0
  } unless {
    atomic {
      killed[me] ->
      byte b = 0;
      do
      :: b < EPOCHS ->
         if
         :: READER(me) -> readers[b] = readers[b] & (255 - BIT(me))
         :: !READER(me) && writer[b] == 1 + me -> writer[b] = 0
         :: else
         fi; b++
      :: else -> break
      od;
      b = 0;
      if :: guard == 1 + me -> guard = 0 :: else fi;
      if :: READER(me) && reader_byte[my_slot] == 1 + me -> reader_byte[my_slot] = 0 :: else fi;
      asleep[me] = false
    };
    atomic { works[me] = false; dead[me] = true }
  }
}

#if ADMINS > 0
proctype admin(byte me) {
  byte r, g;
  {
    skip;
end_look:
    atomic { held && !exclusive -> g = gen; select(r : 0 .. READERS - 1) };
    atomic { guard == 0 -> guard = 1 + me };
    if
    :: held && !exclusive && slot[r] && gen == g && !dead[slot[r] - 1] ->
       moved++; d_step { wake_all() };
       d_step {
         lost[slot[r] - 1] = true; leave(r);
#ifdef M_LAST_RAISES
         if :: !held -> epoch++ :: else fi
#else
         epoch++
#endif
       };
       guard = 0
    :: else -> guard = 0
    fi
  } unless {
    atomic { killed[me] -> if :: guard == 1 + me -> guard = 0 :: else fi; dead[me] = true }
  }
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
    :: i < N -> run party(i); i++
    :: else -> break
    od;
#if ADMINS > 0
    do
    :: i < P -> run admin(i); i++
    :: else -> break
    od;
#endif
    i = 0;
#if KILLS > 0
    run killer();
#endif
  }
}
