// SPDX-License-Identifier: Apache-2.0
//
// Somebody else's program: it locks the first byte of a file by the C library of Windows, which is
// what msvcrt.locking of Python calls, and keeps it until a second file is there.
//
//   msvcrt_locker FILE UNTIL     0: had it; 75: somebody has it
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <sys/locking.h>
#include <windows.h>

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const int fd = _open(argv[1], _O_RDWR | _O_BINARY);
  if (fd < 0) return 66;
  if (_locking(fd, _LK_NBLCK, 1) != 0) return 75;
  puts("held");
  fflush(stdout);
  for (int tries = 0; tries < 600 && _access(argv[2], 0) != 0; ++tries) Sleep(50);
  _lseek(fd, 0, SEEK_SET);
  return _locking(fd, _LK_UNLCK, 1) == 0 ? 0 : 71;
}
