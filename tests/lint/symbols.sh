#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# symbols.sh ROOT BUILD_DIR: the built product objects reach the operating system only through src/os, and
# there only from sys_*.cc. Reads the undefined symbols of the libraries, so that macros, using
# declarations or an unqualified name cannot hide a call.
. "$(dirname -- "$0")/lib.sh"
need_tool nm
build=${2:?usage: symbols.sh ROOT BUILD_DIR}

calls='open|openat|openat2|creat|close|close_range|read|write|pread|pwrite|readv|writev|lseek|fsync|fdatasync
sync_file_range|syncfs|ftruncate|truncate|rename|renameat|renameat2|link|linkat|symlink|symlinkat|unlink
unlinkat|mkdir|mkdirat|rmdir|mkstemp|mkostemp|mkdtemp|chmod|fchmod|fchmodat|chown|fchown|fchownat|stat|lstat
fstat|fstatat|statx|statfs|fstatfs|access|faccessat|readlink|readlinkat|opendir|fdopendir|readdir|closedir
getdents|fcntl|flock|lockf|ioctl|dup|dup2|dup3|pipe|pipe2|poll|ppoll|select|pselect|epoll_create1|epoll_ctl
epoll_wait|eventfd|signalfd|timerfd_create|timerfd_settime|inotify_init1|inotify_add_watch|mmap|munmap|msync
madvise|fallocate|uname|fork|vfork|clone|clone3|execve|execvp|execv|execvpe|fexecve|posix_spawn|posix_spawnp|wait|wait4|waitpid|waitid
kill|killpg|tgkill|raise|pidfd_open|pidfd_send_signal|sigaction|sigprocmask|pthread_sigmask|prctl|ptrace
setpgid|setsid|getpid|getppid|getuid|geteuid|getgid|getegid|umask|chdir|fchdir|socket|connect|bind|listen
accept|accept4|send|recv|sendmsg|recvmsg|socketpair|clock_gettime|clock_nanosleep|nanosleep|gettimeofday|time
getrandom|getentropy|syscall|system|popen|fopen|tmpfile|remove|mount|umount2|unshare|setns'
pattern=$(printf '%s' "$calls" | tr '\n' '|')

# nm prints "archive.a:member.cc.o:                 U symbol" (-A); fortified and 64-bit names count too.
cd -- "$build" && find src -name 'libhf_*.a' ! -name 'libhf_testing*' -exec nm -A -u {} + 2>/dev/null |
  awk -v pattern="^(__)?($pattern)(64)?(_2|_chk|_nocancel)?(@.*)?$" '
    $NF ~ pattern {
      n = split($1, part, ":"); object = part[n] == "" ? part[n-1] : part[n]
      library = $1; sub(/.*\/libhf_/, "", library); sub(/\.a:.*/, "", library)
      sub(/\.o$/, "", object)
      if (library == "os" && object ~ /^sys_/) next
      # One page of memory, once in the life of a process; nothing that a test could make fail usefully.
      if (library == "os" && object == "process_mark_linux.cc") next
      print "src/" library "/" object ":1: calls " $NF " past the call table of src/os"
    }' | sort -u >>"$found"
verdict
