// SPDX-License-Identifier: Apache-2.0
//
// holdfast for C++17 and later: owners and exceptions over the C interface. Nothing but this header and
// holdfast.h; all of it is inline, so it works with any compiler and C++ library.
//
//   holdfast::Home home;                                    // the default home; opened, nothing made
//   holdfast::Lock lock(home, "deploy");
//   if (lock.try_acquire()) { …; }                          // released by release() or the destructor
//   auto held = lock.hold(std::chrono::seconds(30));        // or for a scope; throws Busy
//   home.replace("config.json", text);                      // whole or not at all
//   home.update("counter", [](std::string_view old) { return next(old); });
//
// What each call means, and the numbered rules (threads, forks, exit), is said in holdfast.h.
//
// Errors: a call that fails throws Error, which has the code and the cause; Busy (75) and CannotTell
// (69) are classes of their own, so that nobody takes one for the other by accident. An answer that is
// no failure is a value: try_acquire() is false for a held lock, alive() has three values.
//
// Guarantee: destructors do not throw. Owners can be moved; a moved-from one owns nothing, and may
// only be destroyed or assigned to.
#ifndef HOLDFAST_HOLDFAST_HPP
#define HOLDFAST_HOLDFAST_HPP

#include <holdfast/holdfast.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace holdfast {

class Error : public std::runtime_error {
 public:
  explicit Error(const holdfast_error& what)
      : std::runtime_error(what.message),
        code_(what.code),
        os_code_(what.os_code),
        cause_(what.cause) {}

  int code() const noexcept { return code_; }        // HOLDFAST_BUSY …
  int os_code() const noexcept { return os_code_; }  // errno, or 0
  const std::string& cause() const noexcept { return cause_; }

 private:
  int code_;
  int os_code_;
  std::string cause_;
};

class Busy : public Error {  // 75: not in time
  using Error::Error;
};
class CannotTell : public Error {  // 69: never a no
  using Error::Error;
};
class NotThere : public Error {  // 66
  using Error::Error;
};
class Refused : public Error {  // 77: not the owner, lost, an unsafe path
  using Error::Error;
};

using Milliseconds = std::chrono::milliseconds;
inline constexpr Milliseconds kForever{HOLDFAST_FOREVER};

namespace detail {

[[noreturn]] inline void raise(const holdfast_error& error) {
  switch (error.code) {
    case HOLDFAST_BUSY:
      throw Busy(error);
    case HOLDFAST_CANNOT_TELL:
      throw CannotTell(error);
    case HOLDFAST_NO:
      throw NotThere(error);
    case HOLDFAST_REFUSED:
      throw Refused(error);
    default:
      throw Error(error);
  }
}

inline void require(int code, const holdfast_error& error) {
  if (code != HOLDFAST_OK) raise(error);
}

struct Free {
  void operator()(char* text) const noexcept { holdfast_free(text); }
};
using Text = std::unique_ptr<char, Free>;

inline std::string take(char* text) {
  const Text owned(text);
  return owned ? std::string(owned.get()) : std::string();
}

inline std::int64_t wait_of(Milliseconds wait) {
  if (wait == kForever) return HOLDFAST_FOREVER;
  return wait.count() > 0 ? wait.count() : HOLDFAST_AT_ONCE;
}

struct CloseHome {
  void operator()(holdfast_home* home) const noexcept { holdfast_close(&home, nullptr); }
};
struct CloseLock {
  void operator()(holdfast_lock* lock) const noexcept { holdfast_lock_close(&lock); }
};
struct FreeCancel {
  void operator()(holdfast_cancel* cancel) const noexcept { holdfast_cancel_free(&cancel); }
};

// A NUL inside would cut a name short, and mean another thing.
inline const char* text_of(const std::string& text) {
  if (text.find('\0') == std::string::npos) return text.c_str();
  holdfast_error error = holdfast_error_init();
  error.code = HOLDFAST_USAGE;
  std::string_view("embedded-nul").copy(error.cause, sizeof error.cause - 1);
  std::string_view("cannot use a text that holds a NUL")
      .copy(error.message, sizeof error.message - 1);
  throw Error(error);
}

}  // namespace detail

// Ends waits from another thread or a signal handler. It outlives the waits that it may end.
class Cancel {
 public:
  Cancel() {
    holdfast_error error = holdfast_error_init();
    holdfast_cancel* made = nullptr;
    detail::require(holdfast_cancel_new(&made, &error), error);
    cancel_.reset(made);
  }
  void raise() noexcept { holdfast_cancel_raise(cancel_.get()); }
  holdfast_cancel* get() const noexcept { return cancel_.get(); }

 private:
  std::unique_ptr<holdfast_cancel, detail::FreeCancel> cancel_;
};

class Lock;

// Options of changes of files: those of C, and the lock that they are done under.
using FileOptions = holdfast_file_options;
inline FileOptions file_options() { return holdfast_file_options_init(); }

enum class Life { kLive, kDead, kUnknown };

class Home {
 public:
  // `home` as of --home; nothing: as the environment says.
  explicit Home(const std::optional<std::string>& home = {},
                const holdfast_options* options = nullptr) {
    holdfast_error error = holdfast_error_init();
    holdfast_home* made = nullptr;
    detail::require(holdfast_open(home ? detail::text_of(*home) : nullptr, options, &made, &error),
                    error);
    home_.reset(made);
  }
  holdfast_home* get() const noexcept { return home_.get(); }

  // Writes the events that were put off, and says if that fails; the destructor does not.
  void flush() {
    call([&](holdfast_error* error) { return holdfast_flush(get(), error); });
  }

  // Each returns the document of the call, JSON.
  std::string replace(const std::string& path, std::string_view content,
                      const FileOptions& options = file_options()) {
    return document([&](char** json, holdfast_error* error) {
      return holdfast_replace(get(), detail::text_of(path), content.data(), content.size(),
                              &options, json, error);
    });
  }
  // `make(old)` returns the new content. What it throws changes nothing and comes out here.
  template <typename Make>
  std::string update(const std::string& path, Make&& make,
                     const FileOptions& options = file_options()) {
    Making<std::remove_reference_t<Make>> making{make, nullptr};
    holdfast_error error = holdfast_error_init();
    char* json = nullptr;
    const int code = holdfast_update(get(), detail::text_of(path), making.call, &making, &options,
                                     &json, &error);
    std::string document = detail::take(json);
    if (making.thrown) std::rethrow_exception(making.thrown);
    detail::require(code, error);
    return document;
  }
  std::string put_block(const std::string& path, const std::string& id, std::string_view content,
                        const FileOptions& options = file_options()) {
    return document([&](char** json, holdfast_error* error) {
      return holdfast_block_put(get(), detail::text_of(path), detail::text_of(id), content.data(),
                                content.size(), &options, json, error);
    });
  }
  std::string get_block(const std::string& path, const std::string& id) {
    holdfast_error error = holdfast_error_init();
    char* content = nullptr;
    std::size_t length = 0;
    const int code = holdfast_block_get(get(), detail::text_of(path), detail::text_of(id), &content,
                                        &length, &error);
    const detail::Text owned(content);
    detail::require(code, error);
    return std::string(owned.get(), length);
  }
  std::string remove_block(const std::string& path, const std::string& id,
                           const FileOptions& options = file_options()) {
    return document([&](char** json, holdfast_error* error) {
      return holdfast_block_remove(get(), detail::text_of(path), detail::text_of(id), &options,
                                   json, error);
    });
  }
  std::string append_ledger(const std::string& path, const std::string& entry,
                            std::uint64_t cap = 0) {
    holdfast_ledger_options options = holdfast_ledger_options_init();
    options.cap = cap;
    return document([&](char** json, holdfast_error* error) {
      return holdfast_ledger_append(get(), detail::text_of(path), detail::text_of(entry), &options,
                                    json, error);
    });
  }
  // The entry's document, or nothing if for certain there is none.
  std::optional<std::string> last_of_ledger(const std::string& path,
                                            const std::vector<std::string>& where = {},
                                            Milliseconds within = {}) {
    std::vector<const char*> list;
    for (const std::string& one : where) list.push_back(detail::text_of(one));
    list.push_back(nullptr);
    holdfast_error error = holdfast_error_init();
    char* json = nullptr;
    const int code = holdfast_ledger_last(get(), detail::text_of(path), list.data(), within.count(),
                                          &json, &error);
    std::string document = detail::take(json);
    if (code == HOLDFAST_NO && error.cause == std::string_view("no-such-entry"))
      return std::nullopt;
    detail::require(code, error);
    return document;
  }

  std::string kill(const std::string& identity, bool tree = false, Milliseconds grace = {}) {
    holdfast_kill_options options = holdfast_kill_options_init();
    if (tree) options.flags = HOLDFAST_KILL_TREE;
    options.grace_ms = grace.count();
    return document([&](char** json, holdfast_error* error) {
      return holdfast_kill(get(), detail::text_of(identity), &options, json, error);
    });
  }

  // The number of the event.
  std::uint64_t append_journal(const std::string& type, const std::string& data = "{}",
                               int event_class = HOLDFAST_CLASS_OF_TYPE) {
    std::uint64_t seq = 0;
    call([&](holdfast_error* error) {
      return holdfast_journal_append(get(), detail::text_of(type), detail::text_of(data),
                                     event_class, &seq, error);
    });
    return seq;
  }
  std::string query_journal(const holdfast_query& query = holdfast_query_init()) {
    return document([&](char** json, holdfast_error* error) {
      return holdfast_journal_query(get(), &query, json, error);
    });
  }

  std::string lock_info(const std::string& name, int kind = HOLDFAST_NAMED) {
    return document([&](char** json, holdfast_error* error) {
      return holdfast_lock_info(get(), kind, detail::text_of(name), json, error);
    });
  }
  std::string locks() {
    return document(
        [&](char** json, holdfast_error* error) { return holdfast_lock_list(get(), json, error); });
  }

  // Any command of the program, {"ps", "--all"}. It throws unless the command answers 0.
  std::string command(const std::vector<std::string>& words, Cancel* cancel = nullptr) {
    std::vector<const char*> list;
    for (const std::string& one : words) list.push_back(detail::text_of(one));
    list.push_back(nullptr);
    return document([&](char** json, holdfast_error* error) {
      return holdfast_command(get(), list.data(), cancel != nullptr ? cancel->get() : nullptr, json,
                              error);
    });
  }
  std::string start_session(
      const std::string& name, const std::vector<std::string>& command,
      const holdfast_session_options& options = holdfast_session_options_init()) {
    std::vector<const char*> list;
    for (const std::string& one : command) list.push_back(detail::text_of(one));
    list.push_back(nullptr);
    return document([&](char** json, holdfast_error* error) {
      return holdfast_session_start(get(), detail::text_of(name), list.data(), &options, json,
                                    error);
    });
  }
  // The session's own code. Throws Busy if it has not ended in time.
  int wait_session(const std::string& name, Milliseconds timeout = kForever,
                   Cancel* cancel = nullptr) {
    holdfast_error error = holdfast_error_init();
    const int code =
        holdfast_session_wait(get(), detail::text_of(name), detail::wait_of(timeout),
                              cancel != nullptr ? cancel->get() : nullptr, nullptr, &error);
    const bool own_answer = error.cause[0] != 0 && error.cause != std::string_view("failed");
    if (code != HOLDFAST_OK && own_answer) detail::raise(error);
    return code;
  }

 private:
  template <typename Make>
  struct Making {
    Make& make;
    std::exception_ptr thrown;

    static int call(void* user, const void* old, std::size_t length,
                    holdfast_output* out) noexcept {
      auto* const self = static_cast<Making*>(user);
      try {
        const std::string made(self->make(std::string_view(static_cast<const char*>(old), length)));
        return holdfast_output_write(out, made.data(), made.size());
      } catch (...) {
        self->thrown = std::current_exception();
        return 1;
      }
    }
  };

  template <typename Call>
  void call(const Call& act) {
    holdfast_error error = holdfast_error_init();
    detail::require(act(&error), error);
  }
  template <typename Call>
  std::string document(const Call& act) {
    holdfast_error error = holdfast_error_init();
    char* json = nullptr;
    const int code = act(&json, &error);
    std::string text = detail::take(json);
    detail::require(code, error);
    return text;
  }

  std::unique_ptr<holdfast_home, detail::CloseHome> home_;
};

inline std::string identify(std::int64_t pid = 0) {
  holdfast_error error = holdfast_error_init();
  char* identity = nullptr;
  const int code = holdfast_identify(pid, &identity, &error);
  std::string text = detail::take(identity);
  detail::require(code, error);
  return text;
}

inline Life alive(const std::string& identity) {
  holdfast_error error = holdfast_error_init();
  char* json = nullptr;
  const int code = holdfast_alive(detail::text_of(identity), &json, &error);
  const detail::Text judged(json);
  if (code == HOLDFAST_OK) return Life::kLive;
  if (judged && code == HOLDFAST_NO) return Life::kDead;
  if (judged && code == HOLDFAST_CANNOT_TELL) return Life::kUnknown;
  detail::raise(error);
}

// One seat at a lock: Lock(home, "deploy"), or Lock::of_file(home, "config.json").
class Lock {
 public:
  Lock(Home& home, const std::string& name) : Lock(home, HOLDFAST_NAMED, name) {}
  static Lock of_file(Home& home, const std::string& path) {
    return Lock(home, HOLDFAST_FILE, path);
  }

  static holdfast_lock_options options() { return holdfast_lock_options_init(); }

  // True: it is held now. False: another has it.
  bool try_acquire(const holdfast_lock_options& how = options()) {
    holdfast_error error = holdfast_error_init();
    const int code = holdfast_lock_try(get(), &how, &error);
    if (code == HOLDFAST_BUSY) return false;
    detail::require(code, error);
    return true;
  }
  // Waits as `how` says. Throws Busy.
  void acquire(const holdfast_lock_options& how) {
    holdfast_error error = holdfast_error_init();
    detail::require(holdfast_lock_acquire(get(), &how, &error), error);
  }
  void acquire(Milliseconds wait = kForever, Cancel* cancel = nullptr) {
    holdfast_lock_options how = options();
    how.wait_ms = detail::wait_of(wait);
    how.cancel = cancel != nullptr ? cancel->get() : nullptr;
    acquire(how);
  }
  // Throws Refused `lost` if it was no longer ours; it is not held afterwards in any case.
  void release() {
    holdfast_error error = holdfast_error_init();
    detail::require(holdfast_lock_release(get(), &error), error);
  }
  void renew() {
    holdfast_error error = holdfast_error_init();
    detail::require(holdfast_lock_renew(get(), &error), error);
  }
  // False: it is another's by now, or not held by this seat.
  bool check() {
    holdfast_error error = holdfast_error_init();
    const int code = holdfast_lock_check(get(), &error);
    if (code == HOLDFAST_REFUSED || code == HOLDFAST_NO) return false;
    detail::require(code, error);
    return true;
  }
  // Throws NotThere if it is not held.
  holdfast_grant grant() const {
    holdfast_error error = holdfast_error_init();
    holdfast_grant grant = holdfast_grant_init();
    detail::require(holdfast_lock_grant(get(), &grant, &error), error);
    return grant;
  }
  // Durable on record: the caller goes on without it. If this throws, do not go on.
  void fail_open(const std::string& reason) {
    holdfast_error error = holdfast_error_init();
    detail::require(holdfast_lock_fail_open(get(), detail::text_of(reason), &error), error);
  }

  // Held for a scope. It must not outlive the Lock.
  class Hold {
   public:
    Hold(Hold&& other) noexcept : lock_(std::exchange(other.lock_, nullptr)) {}
    Hold& operator=(Hold&&) = delete;
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() {
      if (lock_ != nullptr) holdfast_lock_release(lock_, nullptr);
    }

   private:
    friend class Lock;
    explicit Hold(holdfast_lock* lock) : lock_(lock) {}
    holdfast_lock* lock_;
  };
  [[nodiscard]] Hold hold(Milliseconds wait = kForever, Cancel* cancel = nullptr) {
    acquire(wait, cancel);
    return Hold(get());
  }

  holdfast_lock* get() const noexcept { return lock_.get(); }

 private:
  Lock(Home& home, int kind, const std::string& name) {
    holdfast_error error = holdfast_error_init();
    holdfast_lock* made = nullptr;
    detail::require(holdfast_lock_open(home.get(), kind, detail::text_of(name), &made, &error),
                    error);
    lock_.reset(made);
  }

  std::unique_ptr<holdfast_lock, detail::CloseLock> lock_;
};

}  // namespace holdfast

#endif
