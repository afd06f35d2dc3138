// SPDX-License-Identifier: Apache-2.0
//
// Holds the lock of a directory as another process of holdfast would that does not come to its end:
// the byte of
// `.holdfast-lock` that os/lock/dir_lock.h is about, until a second file is there.
//
//   directory_locker FILE UNTIL     0: had it; 75: somebody has it
#include <io.h>
#include <stdio.h>
#include <windows.h>

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const HANDLE file =
      CreateFileA(argv[1], GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE) return 66;
  OVERLAPPED at = {0};
  at.OffsetHigh = 0x40000000U;
  if (!LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at))
    return 75;
  puts("held");
  fflush(stdout);
  for (int tries = 0; tries < 1200 && _access(argv[2], 0) != 0; ++tries) Sleep(50);
  return UnlockFileEx(file, 0, 1, 0, &at) ? 0 : 71;
}
