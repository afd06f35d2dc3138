// SPDX-License-Identifier: Apache-2.0
#include "cli/flock/flock_personality.h"

#include <algorithm>
#include <chrono>
#include <expected>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>

#include "base/cause.h"
#include "base/exit_code.h"
#include "base/printable.h"
#include "os/lock/user_flock.h"
#include "os/machine/real_clock.h"
#include "os/signal/signals.h"
#include "os/spawn/child.h"
#include "os/spawn/exec.h"

namespace holdfast::cli {
namespace {

// What `flock -h` and `flock -V` print.
constexpr std::string_view kFlockVersion =
    "flock from holdfast " HOLDFAST_VERSION ", as in util-linux 2.41\n";

constexpr std::string_view kFlockHelp = R"(
Usage:
 flock [options] FILE|DIRECTORY COMMAND [ARGUMENT...]
 flock [options] FILE|DIRECTORY -c COMMAND
 flock [options] NUMBER

Runs a command under a lock of a file or directory, or locks an open descriptor.

Options:
 -s, --shared       share the lock with others that share it
 -x, -e, --exclusive
                    keep everybody else out (default)
 -u, --unlock       give the lock up
 -n, --nb, --nonblock
                    do not wait for the lock
 -w, --wait, --timeout SECONDS
                    wait so long and no longer; decimals are allowed
 -E, --conflict-exit-code NUMBER
                    exit with it if the lock is busy (default 1)
 -o, --close        close the lock's descriptor before the command runs
 -F, --no-fork      become the command
 -c, --command COMMAND
                    give the command to $SHELL; stands behind the file
     --fcntl        lock bytes, with fcntl(2), and not with flock(2): an open file
                    description lock, which excludes users of fcntl and lockf
     --start OFFSET lock from this byte on (default 0); implies --fcntl
     --length NUMBER
                    lock so many bytes (default 0: to the end); implies --fcntl
     --verbose      say how long it took, or why it failed
 -h, --help         show this
 -V, --version      show the version

`holdfast help flock` says more.
)";

// flock(1)'s answers; some have another meaning than holdfast's own code of that number.
enum class Status : int {
  kDone = 0,
  kStdoutFailed = 1,
  kUsage = 64,
  kLockFailed = 65,
  kNotOpened = 66,
  kNotExecuted = 69,
  kSystem = 71,
  kNotCreated = 73,
};

bool is_one_of(std::string_view cause, std::initializer_list<std::string_view> causes) {
  return std::ranges::find(causes, cause) != causes.end();
}

Status status_of_open(std::string_view cause) {
  if (is_one_of(cause, {"enomem", "emfile", "enfile"})) return Status::kSystem;
  if (is_one_of(cause, {"erofs", "enospc"})) return Status::kNotCreated;
  return Status::kNotOpened;
}

Status status_of_lock(std::string_view cause) {
  return is_one_of(cause, {"enolck", "enomem"}) ? Status::kSystem : Status::kLockFailed;
}

std::string in_seconds(Duration took) {
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  constexpr auto kSecond = std::chrono::microseconds(std::chrono::seconds(1)).count();
  const std::string padded = std::to_string(kSecond + micros % kSecond);  // a 1, then six digits
  return std::to_string(micros / kSecond) + "." + padded.substr(1);
}

int to_status(Status status) { return static_cast<int>(status); }

void say(Console& console, std::string_view line) {
  const auto written = console.write(os::Stream::kErr, "flock: " + std::string(line) + "\n");
  static_cast<void>(written);  // there is nobody left to tell; the exit status remains
}

int told(Console& console, const Error& error, Status status) {
  say(console, to_sentence(error));
  return to_status(status);
}

// False: it failed and was told. A stdout that is closed or that nobody reads does not matter, as
// in flock(1).
bool print(Console& console, std::string_view text) {
  const auto written = console.write(os::Stream::kOut, text);
  if (written || is_one_of(written.error().cause, {"epipe", "ebadf"})) return true;
  say(console, to_sentence(written.error()));
  return false;
}

class Flock {
 public:
  Flock(Console& console, FlockRequest request) : console_(console), request_(std::move(request)) {}

  int run() {
    const int status = lock_and_run();
    return stdout_failed_ ? to_status(Status::kStdoutFailed) : status;
  }

 private:
  [[nodiscard]] bool has_file() const { return !request_.command.empty(); }
  [[nodiscard]] std::string subject() const {
    return has_file() ? request_.file : std::to_string(request_.descriptor);
  }

  int lock_and_run() {
    if (has_file()) {
      // Bytes are locked exclusively through a descriptor that may write, and through no other.
      const bool writes = request_.range && request_.mode == os::FlockMode::kExclusive;
      auto opened = os::open_user_lock(
          request_.file, writes ? os::LockFileAccess::kWrite : os::LockFileAccess::kRead);
      if (!opened) return told(console_, opened.error(), status_of_open(opened.error().cause));
      file_ = std::move(*opened);
    }
    std::unique_ptr<os::WaitLimit> limit;
    if (request_.timeout) {
      auto started = os::WaitLimit::start(*request_.timeout);
      if (!started) return told(console_, started.error(), Status::kSystem);
      limit = std::move(*started);
    }
    const os::RealClock clock;
    const MonoTime begin = clock.mono();
    const auto answer = lock({.no_wait = request_.no_wait, .limit = limit.get()});
    limit.reset();  // the command gets SIGALRM as the caller had it
    if (!answer) return answer.error();
    if (*answer != os::FlockAnswer::kDone) return not_got(*answer);
    if (request_.verbose) {
      print_or_remember("flock: getting lock took " + in_seconds(clock.mono() - begin) +
                        " seconds\n");
    }
    return has_file() ? run_command() : to_status(Status::kDone);
  }

  // The lock, or the exit status of a failure that was told.
  std::expected<os::FlockAnswer, int> lock(const os::FlockWait& wait) {
    for (bool writable = false;; writable = true) {
      const os::NativeHandle handle = has_file() ? file_.get() : request_.descriptor;
      const auto answer =
          request_.range
              ? os::fcntl_user_lock(handle, request_.mode, *request_.range, wait, subject())
              : os::flock_user_lock(handle, request_.mode, wait, subject());
      if (answer) return *answer;
      const Error& error = answer.error();
      // NFS makes a byte-range lock of it, which must be open for writing to exclude others.
      const bool wants_writable = is_one_of(error.cause, {"eio", "ebadf"}) && !writable &&
                                  request_.mode != os::FlockMode::kShared && has_file() &&
                                  os::may_read_and_write(request_.file);
      if (!wants_writable) {
        return std::unexpected(told(console_, error, status_of_lock(error.cause)));
      }
      file_.reset();
      auto opened = os::open_user_lock(request_.file, os::LockFileAccess::kReadWrite);
      if (!opened && opened.error().cause == cause::kEisdir) {
        return std::unexpected(told(console_, error, Status::kLockFailed));
      }
      if (!opened) {
        const Status status = status_of_open(opened.error().cause);
        return std::unexpected(told(console_, opened.error(), status));
      }
      file_ = std::move(*opened);
    }
  }

  void print_or_remember(std::string_view text) {
    if (!print(console_, text)) stdout_failed_ = true;
  }

  int not_got(os::FlockAnswer answer) {
    if (request_.verbose) {
      say(console_, answer == os::FlockAnswer::kTimeIsUp ? "timeout while waiting to get lock"
                                                         : "failed to get lock");
    }
    return request_.conflict_code;
  }

  int run_command() {
    if (request_.verbose) {
      print_or_remember("flock: executing " + printable(request_.command[0]) + "\n");
    }
    if (request_.no_fork) return become_command();
    // SIGCHLD to its default: were it ignored, the command's status would be lost.
    const auto signals = os::block_signals();
    if (!signals) return told(console_, signals.error(), Status::kSystem);
    const auto restored = os::restore_signals(*signals);
    if (!restored) return told(console_, restored.error(), Status::kSystem);
    const auto forked = os::fork_process();
    if (!forked) return told(console_, forked.error(), Status::kSystem);
    if (forked->in_child) {
      if (request_.close_first) file_.reset();
      os::exit_process(become_command());
    }
    const auto end = os::reap_child(forked->child.pid);
    if (!end) return told(console_, end.error(), Status::kSystem);
    return end->how == os::ChildEnd::How::kExited ? end->value : exit_status_of_signal(end->value);
  }

  // Comes back only where it fails.
  int become_command() {
    const Error error = os::exec_unchanged(request_.command);
    return told(console_, error,
                error.cause == cause::kEnomem ? Status::kSystem : Status::kNotExecuted);
  }

  Console& console_;
  FlockRequest request_;
  os::Handle file_;
  bool stdout_failed_ = false;
};

}  // namespace

int run_flock(Console& console, const std::vector<std::string>& argv) {
  const auto line = parse_flock(argv, console.env("SHELL"));
  if (!line) {
    const int status = told(console, line.error(), Status::kUsage);
    say(console, "see 'flock --help'");
    return status;
  }
  if (const auto* about = std::get_if<FlockAbout>(&*line)) {
    const bool shown = print(console, *about == FlockAbout::kHelp ? kFlockHelp : kFlockVersion);
    return to_status(shown ? Status::kDone : Status::kStdoutFailed);
  }
  return Flock(console, std::get<FlockRequest>(*line)).run();
}

}  // namespace holdfast::cli
