// SPDX-License-Identifier: Apache-2.0
//
// blocked_wait: a wait for something that only a blocking system call can wait for, with a limit,
// with a second thing to watch, cancellable, without signals and without asking again and again.
//
// A lock of the kernel is waited for by a call that has no time-out. So a helper thread makes that
// call; this thread sleeps on a private word that the helper sets, together with the word `moved`
// of a shared file, which others change when something happened that frees no lock. A time-out,
// `moved` or a cancel ends the helper. What it waited for may have come in that very moment, on the
// same open file description: `got` says so only where the helper said so, so after any other
// answer the caller tries once more without waiting.
//
// Hostile interleaving: `moved` changes after the caller looked at the state and before it sleeps.
// The caller therefore reads `moved` *before* it looks, and hands that value in: the kernel
// compares it when it puts the thread to sleep.
//
// Limits: one thread (64 KiB of stack) as long as the wait lasts, or the EndingHelper. The time is
// counted awake (CLOCK_MONOTONIC). Where the kernel lacks futex_waitv (before 5.16), `moved` is
// looked at every 50 ms. A descriptor must stay open until the call has returned.
//
// Errors: kOsRefused `eagain` where no thread can be made; the error of the blocking call.
// Windows: no thread; `moved` is looked at every 50 ms. kReadable is a handle that can be waited
// for.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "os/file/file.h"
#include "os/lock/byte_lock.h"

namespace holdfast::os {

// A word of a file as an address to sleep on. The mapping is never read or written: the value goes
// through the file, so a file that somebody cut short gives an error and no SIGBUS.
class SharedWord {
 public:
  // Within the first page of a file that is open for reading and writing, and stays so.
  static Result<SharedWord> map(const File& file, std::uint64_t offset);
  SharedWord(SharedWord&& other) noexcept
      : handle_(other.handle_),
        offset_(other.offset_),
        page_(std::exchange(other.page_, nullptr)) {}
  SharedWord& operator=(SharedWord&&) = delete;
  SharedWord(const SharedWord&) = delete;
  SharedWord& operator=(const SharedWord&) = delete;
  ~SharedWord();

  [[nodiscard]] Result<std::uint32_t> load() const;
  // Changes the word and wakes all who sleep on it. Call it under a lock: of two at once, one count
  // may get lost.
  Result<> bump() const;
  // To sleep on, and for nothing else.
  [[nodiscard]] const std::uint32_t* address() const;

 private:
  SharedWord(NativeHandle handle, std::uint64_t offset, void* page) noexcept
      : handle_(handle), offset_(offset), page_(page) {}

  NativeHandle handle_;
  std::uint64_t offset_;
  void* page_;
};

// Raised once, by another thread: to end a wait, or as what is waited for.
class Flag {
 public:
  void raise();
  [[nodiscard]] bool raised() const { return word_.load() != 0; }

 private:
  friend class WaitWords;
  std::atomic<std::uint32_t> word_{0};
};

// What the helper blocks on.
struct BlockOn {
  enum class Kind : std::uint8_t { kNothing, kByte, kFlock, kReadable, kFlag };
  Kind kind = Kind::kNothing;
  NativeHandle handle = HandleTraits::nothing();
  NativeHandle also = HandleTraits::nothing();  // of kReadable: or this one
  std::uint64_t offset = 0;                     // of kByte
  std::uint64_t count = 1;                      // of kByte: so many from there; 0: all
  Share share = Share::kExclusive;
  const Flag* flag = nullptr;  // of kFlag, which needs no helper
};

enum class Woken : std::uint8_t { kGot, kMoved, kTimedOut, kCancelled };

// A helper that has said what it got and only has to end. Its end is waited for when this goes, or
// is used for the next wait: by then it is over, while right after the wait it would cost the
// caller another sleep, with the lock in hand.
class EndingHelper {
 public:
  EndingHelper() = default;
  EndingHelper(const EndingHelper&) = delete;
  EndingHelper& operator=(const EndingHelper&) = delete;
  EndingHelper(EndingHelper&&) = delete;
  EndingHelper& operator=(EndingHelper&&) = delete;
  ~EndingHelper() { join(); }
  void keep(pthread_t thread);
  void join();

 private:
  std::optional<pthread_t> thread_;
};

// `word` and `cancel` may be null. nullopt: without a limit. Without `ending` no helper is left.
Result<Woken> blocked_wait(const BlockOn& what, const SharedWord* word, std::uint32_t word_seen,
                           const Flag* cancel, std::optional<MonoTime> until,
                           EndingHelper* ending = nullptr);

}  // namespace holdfast::os
