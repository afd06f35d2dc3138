// SPDX-License-Identifier: Apache-2.0
//
// deny CALL,CALL… -- CMD…: an old or strict kernel, for real: a seccomp filter that answers ENOSYS,
// which CMD and all its children inherit. O_TMPFILE denies openat with that flag (EOPNOTSUPP);
// `CALL=EPERM` answers EPERM, as container filters do.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <map>

#include "testing/child/child.h"

namespace holdfast::testing::child {
namespace {

const std::map<std::string, unsigned>& known_calls() {
  static const std::map<std::string, unsigned> kCalls{
      {"openat2", SYS_openat2},
      {"renameat2", SYS_renameat2},
      {"pidfd_open", SYS_pidfd_open},
      {"pidfd_send_signal", SYS_pidfd_send_signal},
      {"clone3", SYS_clone3},
      {"close_range", SYS_close_range},
      {"statx", SYS_statx},
      {"prctl", SYS_prctl},
      {"timerfd_create", SYS_timerfd_create},
  };
  return kCalls;
}

using Filter = std::vector<sock_filter>;

void load(Filter& filter, std::size_t offset) {
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
}

void answer(Filter& filter, int error) {
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)));
}

void deny_one(Filter& filter, std::string name) {
  int error = ENOSYS;
  if (const std::size_t equals = name.find("=EPERM"); equals != std::string::npos) {
    error = EPERM;
    name.resize(equals);
  }
  load(filter, offsetof(seccomp_data, nr));
  if (name == "O_TMPFILE") {
    constexpr unsigned kOnlyTmpfile = O_TMPFILE & ~static_cast<unsigned>(O_DIRECTORY);
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3));
    load(filter, offsetof(seccomp_data, args) + 2 * sizeof(__u64));  // little-endian: the low half
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kOnlyTmpfile, 0, 1));
    return answer(filter, EOPNOTSUPP);
  }
  const auto call = known_calls().find(name);
  if (call == known_calls().end()) die_with("cannot deny " + name);
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call->second, 0, 1));
  answer(filter, error);
}

}  // namespace

void deny_calls(const Words& words) {
  Filter filter;
  std::string name;
  for (const char c : words.at(1) + ",") {
    if (c != ',') {
      name += c;
      continue;
    }
    deny_one(filter, name);
    name.clear();
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    die_with("cannot install the filter");
  }
  become(after_dashes(words));
}

}  // namespace holdfast::testing::child
