/* SPDX-License-Identifier: Apache-2.0
 *
 * Fences across power cuts: the record slots are never synced, the marks are, and a cut brings back what
 * was synced last or what was written last. Two contenders grant and release; a mark is raised outside
 * GUARD, and one may use it before the other has synced it.
 *
 * The hostile interleaving: grant 1, sync, release, grant 2, release, cut: the record that comes back says
 * `free` after 1. That it is of an earlier boot must count although there is nobody to recover from.
 *
 * -DCUTS= power cuts, -DLOST (a cut may lose the whole ledger); -DM_… are mutants, see check.sh.
 */
#ifndef CUTS
#define CUTS 2
#endif
#define GRANTS 4
#define BLOCK 1
#define MAX(a, b) ((a) > (b) -> (a) : (b))

/* What programs see, and what is on the disk. The record has a boot id, a free one too. */
byte gen, gen_disk, boot, boot_disk;
bool held, held_disk;
byte mark, mark_disk;  /* the ledger's */
byte home, home_disk;

byte now = 1;          /* this boot */
bool cut[2];
byte guard, granted, left = GRANTS;

#ifdef M_FREE_IS_FRESH
#define DOUBT (boot != now && held)
#else
#ifdef M_SLOTS_ONLY
#define DOUBT false
#else
#define DOUBT (boot != now)
#endif
#endif

proctype contender(byte me) {
  byte g, from_marks;
boots:
  {
    skip;
again:
    atomic { guard == 0 && (left == 0 || !held || boot != now) ->
             if :: left == 0 -> goto over :: else -> guard = 1 + me fi };
    d_step {
      if
      :: DOUBT ->
         if :: from_marks == 0 -> from_marks = MAX(gen, MAX(mark, home)) + 1 :: else fi;
         g = from_marks
      :: else -> g = gen + 1
      fi
    };
    if
    :: g > mark ->
       guard = 0;
#ifndef M_HOME_UNSYNCED
       d_step { home = MAX(home, g + BLOCK) };
       home_disk = home;
#endif
       d_step { mark = MAX(mark, g + BLOCK) };
       d_step { mark_disk = mark; gen_disk = gen; held_disk = held; boot_disk = boot };
#ifdef M_HOME_UNSYNCED
       d_step { home = MAX(home, g + BLOCK) };
#endif
       goto again
    :: else
    fi;
    d_step { assert(g > granted); granted = g; left--; gen = g; held = true; boot = now };
    guard = 0;
    atomic { guard == 0 -> held = false };
    goto again
  } unless {
    atomic { cut[me] -> cut[me] = false; g = 0; from_marks = 0; goto boots }
  };
over:
  skip
}

proctype power() {
  byte cuts = CUTS;
end:
  do
  :: atomic {
       cuts > 0 && left > 0 -> cuts--;
       now++; guard = 0; cut[0] = true; cut[1] = true;
       if
       :: true -> gen = gen_disk; held = held_disk; boot = boot_disk
       :: true -> gen_disk = gen; held_disk = held; boot_disk = boot
       fi;
       if :: true -> mark = mark_disk :: true -> mark_disk = mark fi;
       if :: true -> home = home_disk :: true -> home_disk = home fi;
#ifdef LOST
       if
       :: true -> gen = 0; held = false; boot = 0; mark = 0;
                  gen_disk = 0; held_disk = false; boot_disk = 0; mark_disk = 0
       :: true
       fi
#endif
     }
  od
}

init { atomic { run contender(0); run contender(1); run power() } }
