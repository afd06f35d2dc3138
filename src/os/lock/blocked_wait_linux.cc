// SPDX-License-Identifier: Apache-2.0
//
// The helper thread is ended by cancelling it in the middle of its blocking call: the C library
// sends its own reserved signal to that thread alone, and the call ends. Between the call's success
// and the store to the word the thread may be cancelled too: the lock is then got and nobody says
// so. That is why the caller tries once more.
//
// Cancelling unwinds the thread's stack. Nothing on it has a destructor, and no frame of it is
// noexcept, which would turn the unwinding into the end of the program.
#include "os/lock/blocked_wait.h"

#include <poll.h>
#include <pthread.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstring>

#include "os/machine/real_clock.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHelperStack = std::size_t{64} << 10U;
// Between two looks at `moved` where the kernel cannot wait for two words.
constexpr Duration kLookAgain = std::chrono::milliseconds(50);

// States of the private word.
constexpr std::uint32_t kPending = 0;
constexpr std::uint32_t kGot = 1;
constexpr std::uint32_t kFailed = 2;

struct HelperJob {
  BlockOn what;
  std::atomic<std::uint32_t> word{kPending};
  int os_code = 0;  // of kFailed
};

const std::uint32_t* address_of(const std::atomic<std::uint32_t>& word) {
  static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
  return reinterpret_cast<const std::uint32_t*>(&word);
}

int block_on_byte(const BlockOn& what) {
  struct flock range{};
  range.l_type = what.share == Share::kShared ? F_RDLCK : F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(what.offset);
  range.l_len = static_cast<off_t>(what.count);
  return sys().ofd_lock(static_cast<int>(what.handle), F_OFD_SETLKW, &range);
}

int blocked_wait_block(const BlockOn& what) {
  switch (what.kind) {
    case BlockOn::Kind::kByte:
      return block_on_byte(what);
    case BlockOn::Kind::kFlock:
      return sys().flock(static_cast<int>(what.handle),
                         what.share == Share::kShared ? LOCK_SH : LOCK_EX);
    case BlockOn::Kind::kReadable: {
      pollfd fds[2]{{.fd = static_cast<int>(what.handle), .events = POLLIN, .revents = 0},
                    {.fd = static_cast<int>(what.also), .events = POLLIN, .revents = 0}};
      return sys().poll(fds, 2, -1) < 0 ? -1 : 0;
    }
    case BlockOn::Kind::kNothing:
    case BlockOn::Kind::kFlag:
      break;
  }
  return 0;
}

void* helper_main(void* argument) {
  auto& job = *static_cast<HelperJob*>(argument);
  int old = 0;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  int outcome = 0;
  int os_code = 0;
  do {
    outcome = blocked_wait_block(job.what);
    os_code = errno;
  } while (outcome != 0 && os_code == EINTR);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  job.os_code = os_code;
  const std::uint32_t* const word = address_of(job.word);
  job.word.store(outcome == 0 ? kGot : kFailed);
  // Where an EndingHelper has this thread, the caller may have gone on by now and the job with it:
  // the address is all that the kernel is given, and whoever sleeps there by then looks again.
  sys().futex_wake(word, 1, false);
  return nullptr;
}

// The thread, ended at the latest when this goes.
class Helper {
 public:
  explicit Helper(HelperJob& job) : job_(job) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  Helper(Helper&&) = delete;
  Helper& operator=(Helper&&) = delete;
  ~Helper() { end(); }

  // All signals are held back in it, so that the program's handlers run where they always did. (On
  // Linux sigprocmask is about the calling thread, and the new one begins with its mask.)
  Result<> start() {
    if (job_.what.kind == BlockOn::Kind::kNothing || job_.what.kind == BlockOn::Kind::kFlag)
      return {};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kHelperStack);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sys().sigprocmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&thread_, &attributes, helper_main, &job_);
    sys().sigprocmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    if (failed == 0) {
      running_ = true;
      return {};
    }
    Error error = os_error("start a thread to wait for", "a lock", failed);
    error.code = ErrorCode::kOsRefused;
    return fail(std::move(error));
  }

  // One that is done with its call needs no cancelling, and who has `ending` need not wait for it.
  void end(EndingHelper* ending = nullptr) {
    if (!running_) return;
    if (ending != nullptr && job_.word.load() != kPending) {
      ending->keep(thread_);
      running_ = false;
      return;
    }
    pthread_cancel(thread_);
    pthread_join(thread_, nullptr);
    running_ = false;
  }

 private:
  HelperJob& job_;
  pthread_t thread_{};
  bool running_ = false;
};

timespec blocked_wait_to_timespec(Duration time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
}

}  // namespace

// The words that one wait sleeps on.
class WaitWords {
 public:
  WaitWords(const HelperJob& job, const SharedWord* shared, std::uint32_t shared_seen,
            const Flag* cancel)
      : job_(job), shared_(shared), shared_seen_(shared_seen), cancel_(cancel) {
    add(address_of(job.word), kPending, FUTEX_PRIVATE_FLAG);
    if (job.what.flag != nullptr) add(address_of(job.what.flag->word_), 0, FUTEX_PRIVATE_FLAG);
    if (cancel != nullptr) add(address_of(cancel->word_), 0, FUTEX_PRIVATE_FLAG);
    if (shared != nullptr) add(shared->address(), shared_seen, 0);
  }

  // Comes back for any reason; the caller looks. False: the time is over.
  Result<bool> sleep(std::optional<MonoTime> until) {
    const timespec limit = until ? blocked_wait_to_timespec(until->time_since_epoch()) : timespec{};
    const int outcome =
        sys().futex_waitv(words_.data(), static_cast<unsigned>(count_), until ? &limit : nullptr);
    if (outcome >= 0 || errno == EAGAIN || errno == EINTR) return true;
    if (errno == ETIMEDOUT) return false;
    if (errno == ENOSYS || errno == EPERM) return sleep_on_one(until);
    return fail(last_os_error("wait for", "a lock"));
  }

  [[nodiscard]] Result<std::optional<Woken>> look() const {
    switch (job_.word.load()) {
      case kGot:
        return Woken::kGot;
      case kFailed:
        return fail(os_error("wait for", "a lock", job_.os_code));
      default:
        break;
    }
    if (job_.what.flag != nullptr && job_.what.flag->raised()) return Woken::kGot;
    if (cancel_ != nullptr && cancel_->raised()) return Woken::kCancelled;
    if (shared_ != nullptr && HF_TRY(shared_->load()) != shared_seen_) return Woken::kMoved;
    return std::nullopt;
  }

 private:
  void add(const std::uint32_t* address, std::uint32_t expected, std::uint32_t flags) {
    struct futex_waitv& word = words_[count_++];
    word.uaddr = reinterpret_cast<std::uintptr_t>(address);
    word.val = expected;
    word.flags = FUTEX_32 | flags;
  }

  Result<bool> sleep_on_one(std::optional<MonoTime> until) const {
    const MonoTime now = RealClock().mono();
    if (until && *until <= now) return false;
    const Duration left = until ? std::min(*until - now, kLookAgain) : kLookAgain;
    const timespec limit = blocked_wait_to_timespec(left);
    const int outcome = sys().futex_wait(address_of(job_.word), kPending, &limit);
    if (outcome == 0 || errno == EAGAIN || errno == EINTR || errno == ETIMEDOUT) return true;
    return fail(last_os_error("wait for", "a lock"));
  }

  const HelperJob& job_;
  const SharedWord* shared_;
  std::uint32_t shared_seen_;
  const Flag* cancel_;
  std::array<struct futex_waitv, 4> words_{};
  std::size_t count_ = 0;
};

Result<SharedWord> SharedWord::map(const File& file, std::uint64_t offset) {
  void* const page = sys().mmap_read(static_cast<int>(file.native()), 0, kPage);
  if (page == nullptr) return fail(last_os_error("map", file.path()));
  return SharedWord(file.native(), offset, page);
}

SharedWord::~SharedWord() {
  if (page_ != nullptr) sys().munmap(page_, kPage);
}

const std::uint32_t* SharedWord::address() const {
  return reinterpret_cast<const std::uint32_t*>(static_cast<const char*>(page_) + offset_);
}

Result<std::uint32_t> SharedWord::load() const {
  std::array<char, sizeof(std::uint32_t)> bytes{};
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got = retry_eintr([&] {
      return sys().pread(static_cast<int>(handle_), bytes.data() + done, bytes.size() - done,
                         static_cast<off_t>(offset_ + done));
    });
    if (got < 0) return fail(last_os_error("read", "the word of a ledger"));
    if (got == 0) return fail(os_error("read", "the word of a ledger", EIO));
    done += static_cast<std::size_t>(got);
  }
  return std::bit_cast<std::uint32_t>(bytes);
}

Result<> SharedWord::bump() const {
  const auto bytes = std::bit_cast<std::array<char, sizeof(std::uint32_t)>>(HF_TRY(load()) + 1);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t put = retry_eintr([&] {
      return sys().pwrite(static_cast<int>(handle_), bytes.data() + done, bytes.size() - done,
                          static_cast<off_t>(offset_ + done));
    });
    if (put < 0) return fail(last_os_error("write", "the word of a ledger"));
    done += static_cast<std::size_t>(put);
  }
  sys().futex_wake(address(), INT_MAX, true);
  return {};
}

void Flag::raise() {
  word_.store(1);
  sys().futex_wake(address_of(word_), INT_MAX, false);
}

void EndingHelper::keep(pthread_t thread) {
  join();
  thread_ = thread;
}

void EndingHelper::join() {
  if (thread_) pthread_join(*std::exchange(thread_, std::nullopt), nullptr);
}

Result<Woken> blocked_wait(const BlockOn& what, const SharedWord* word, std::uint32_t word_seen,
                           const Flag* cancel, std::optional<MonoTime> until,
                           EndingHelper* ending) {
  HelperJob job;
  job.what = what;
  Helper helper(job);
  HF_TRY(helper.start());
  WaitWords words(job, word, word_seen, cancel);
  for (;;) {
    if (const auto woken = HF_TRY(words.look())) {
      helper.end(ending);
      // It may have got it while it was being ended.
      return job.word.load() == kGot ? Woken::kGot : *woken;
    }
    if (until && RealClock().mono() >= *until) {
      helper.end();
      return job.word.load() == kGot ? Woken::kGot : Woken::kTimedOut;
    }
    HF_TRY(words.sleep(until));
  }
}

}  // namespace holdfast::os
