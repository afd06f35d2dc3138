// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "testing/child/child.h"

namespace holdfast::testing::child {

int g_ready_fd = -1;

void die_with(const std::string& what) {
  static_cast<void>(std::fprintf(stderr, "hf_test_child: %s\n", what.c_str()));
  ::_exit(99);
}

void wait_forever() {
  ::alarm(kLongest);
  for (;;) ::pause();
}

void ready() {
  ::dprintf(STDOUT_FILENO, "ready %d\n", ::getpid());
  if (g_ready_fd >= 0 && (::write(g_ready_fd, "r", 1) != 1 || ::close(g_ready_fd) != 0)) {
    die_with("cannot say that it is ready");
  }
  g_ready_fd = -1;
}

void become(const Words& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  if (!command.empty()) ::execvp(argv[0], argv.data());
  die_with("cannot become the command");
}

Words after_dashes(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") return {words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end()};
  }
  die_with("no -- in the arguments");
}

namespace {

void hold_fd(int fd) {
  if (::fcntl(fd, F_GETFD) < 0) die_with("descriptor is not open");
}

// What a power cut does to a file system: everything that is not on stable storage is gone. ext4
// and xfs know this call; the log is not written out (NOLOGFLUSH).
[[noreturn]] void shut_file_system_down(const std::string& path) {
  constexpr unsigned long kShutdown = _IOR('X', 125, std::uint32_t);
  std::uint32_t without_log_flush = 2;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || ::ioctl(fd, kShutdown, &without_log_flush) != 0) {
    die_with("cannot shut down the file system of " + path);
  }
  ::_exit(0);
}

[[noreturn]] void with_job(const Words& words) {
  const pid_t job = ::fork();
  if (job == 0) wait_forever();
  FILE* file = std::fopen(words.at(1).c_str(), "w");
  if (file == nullptr || std::fprintf(file, "%d\n", job) < 0 || std::fclose(file) != 0) {
    die_with("cannot write the pid file");
  }
  become(after_dashes(words));
}

}  // namespace

void behave(const Words& words) {
  behave_plainly(words);
  const std::string& what = words.at(0);
  const auto number = [&] { return std::atoi(words.at(1).c_str()); };
  if (what == "exit") ::_exit(number());
  if (what == "die") {
    static_cast<void>(
        ::signal(number(), SIG_DFL));  // a sanitizer catches SIGSEGV; KILL has no other action
    ::kill(::getpid(), number());
  }
  if (what == "stay") start_tree({words.begin() + 1, words.end()}, true);
  if (what == "child" || what == "setsid-child" || what == "double-fork" || what == "daemon") {
    start_tree(words, false);
  }
  if (what == "shut-down-file-system") shut_file_system_down(words.at(1));
  if (what == "fork-chain") fork_chain(number());
  if (what == "report-signals") report_signals();
  if (what == "print-fds") print_fds();
  if (what == "print-signals") print_signals();
  if (what == "pty") run_on_pty(words);
  if (what == "with-job") with_job(words);
  if (what == "flip-link") flip_link(words.at(1), words.at(2));
  if (what == "flip-names") flip_names(words.at(1), words.at(2));
  if (what == "deny") deny_calls(words);
  if (what == "become-root") {
    if (::setresuid(0, 0, 0) != 0) die_with("not a set-user-id copy");
    behave({words.begin() + 1, words.end()});
  }
  if (what == "ignore-term") {
    static_cast<void>(::signal(SIGTERM, SIG_IGN));
  } else if (what == "hold-fd") {
    hold_fd(number());
  } else if (what != "sleep-forever" && what != "stop-self") {
    die_with("no behaviour " + what);
  }
  ready();
  if (what == "stop-self") ::kill(::getpid(), SIGSTOP);
  wait_forever();
}

}  // namespace holdfast::testing::child

int main(int argc, char** argv) {
  if (argc < 2) holdfast::testing::child::die_with("which behaviour?");
  holdfast::testing::child::behave({argv + 1, argv + argc});
}
