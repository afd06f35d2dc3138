// SPDX-License-Identifier: Apache-2.0
//
// pty KEYS -- CMD…: a terminal, a little shell in it, and CMD as the shell's foreground job.
//
// The shell says `job PID`, and `job stopped` when the job stops; then it continues the job in the
// foreground, as `fg` does. Each line that starts with `ready`, `got INT` or `got CONT` makes the
// next of KEYS happen: c types Ctrl-C, z types Ctrl-Z, u sends USR1 to the job's leader. What the
// terminal shows goes to stdout. Exits as the job did.
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>

#include "testing/child/child.h"

namespace holdfast::testing::child {
namespace {

[[noreturn]] void be_the_shell(const char* terminal, const Words& command) {
  ::setsid();
  const int slave = ::open(terminal, O_RDWR);
  if (slave < 0 || ::ioctl(slave, TIOCSCTTY, 0) != 0) die_with("no controlling terminal");
  for (int fd = 0; fd < 3; ++fd) ::dup2(slave, fd);
  if (slave > 2) ::close(slave);
  termios settings{};
  ::tcgetattr(0, &settings);
  settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ::tcsetattr(0, TCSANOW, &settings);
  static_cast<void>(::signal(SIGTTOU, SIG_IGN));

  const pid_t job = ::fork();
  if (job == 0) {
    ::setpgid(0, 0);
    ::tcsetpgrp(0, ::getpid());
    static_cast<void>(::signal(SIGTTOU, SIG_DFL));
    ::dprintf(1, "job %d\n", ::getpid());
    become(command);
  }
  for (;;) {
    int status = 0;
    if (::waitpid(job, &status, WUNTRACED) < 0) die_with("lost the job");
    if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
    if (WIFSIGNALED(status)) ::_exit(128 + WTERMSIG(status));
    ::tcsetpgrp(0, ::getpgrp());
    ::dprintf(1, "job stopped\n");
    ::tcsetpgrp(0, job);
    ::kill(-job, SIGCONT);
  }
}

class Typist {
 public:
  Typist(int master, std::string keys) : master_(master), keys_(std::move(keys)) {}

  void see(const std::string& line) {
    if (line.starts_with("job ") && line != "job stopped") job_ = std::atoi(line.c_str() + 4);
    const bool cue = line.starts_with("ready") || line == "got INT" || line == "got CONT";
    if (!cue || next_ == keys_.size()) return;
    const char key = keys_[next_++];
    if (key == 'u') {
      ::kill(job_, SIGUSR1);
    } else if (::write(master_, key == 'c' ? "\003" : "\032", 1) != 1) {
      die_with("cannot type");
    }
  }

 private:
  int master_;
  std::string keys_;
  std::size_t next_ = 0;
  pid_t job_ = 0;
};

}  // namespace

void run_on_pty(const Words& words) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) die_with("no pty");
  const pid_t shell = ::fork();
  if (shell == 0) {
    const std::string terminal = ::ptsname(master);
    ::close(master);  // else the terminal would outlive this program
    be_the_shell(terminal.c_str(), after_dashes(words));
  }

  Typist typist(master, words.at(1));
  std::string line;
  char byte = 0;
  while (::read(master, &byte, 1) == 1) {  // EIO: the last process has closed the terminal
    if (::write(STDOUT_FILENO, &byte, 1) != 1) die_with("cannot show the terminal");
    if (byte == '\n') {
      typist.see(line);
      line.clear();
    } else if (byte != '\r') {
      line += byte;
    }
  }
  int status = 0;
  ::waitpid(shell, &status, 0);
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 98);
}

}  // namespace holdfast::testing::child
