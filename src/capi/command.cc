// SPDX-License-Identifier: Apache-2.0
//
// The holdfast program, started by the library, and what needs it: a run must have a supervisor of
// its own, and a library must not go on in a fork of a program with threads.
//
// The host may ignore SIGCHLD, or reap every child in a handler of its own: then the status of the
// program is lost, and `code` of its document is what counts. Where there is neither, nobody can tell.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/exit_code.h"
#include "capi/boundary.h"
#include "capi/handles.h"
#include "format/json/json.h"
#include "os/lock/blocked_wait.h"
#include "os/process/pidfd.h"
#include "os/spawn/child.h"
#include "os/spawn/spawn.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

namespace holdfast::capi {
namespace {

constexpr std::size_t kMostOutput = std::size_t{256} << 20U;
constexpr int kTerm = 15;

Error cancelled(const std::string& command) {
  return {.code = ErrorCode::kBusy,
          .op = "run",
          .subject = "'holdfast " + command + "'",
          .cause = "cancelled",
          .detail = "the wait was ended, and the program with it"};
}

// What one stream of the program has said so far.
struct Stream {
  os::Handle* from;  // null: it has ended
  std::string text;
};

Result<> take_some(Stream& stream) {
  std::array<char, 65536> buffer{};
  const std::size_t got = HF_TRY(os::read_pipe(*stream.from, buffer));
  stream.text.append(buffer.data(), got);
  if (got == 0) stream.from = nullptr;
  if (stream.text.size() <= kMostOutput) return {};
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the output of",
               .subject = "the holdfast program",
               .cause = "too-large",
               .detail = "it printed more than 256 MiB"});
}

// False: the wait was cancelled.
Result<bool> wait_for_some(const Stream& out, const Stream& errors, const os::Flag* cancel) {
  if (cancel == nullptr) {
    HF_TRY(os::wait_readable({out.from, errors.from}, std::nullopt));
    return true;
  }
  const auto native = [](const Stream& stream) {
    return stream.from != nullptr ? stream.from->get() : os::HandleTraits::nothing();
  };
  const os::BlockOn readable{
      .kind = os::BlockOn::Kind::kReadable, .handle = native(out), .also = native(errors)};
  const os::Woken woken = HF_TRY(os::blocked_wait(readable, nullptr, 0, cancel, std::nullopt));
  return woken != os::Woken::kCancelled;
}

// All that it prints. True: a cancel asked it to end.
Result<bool> read_all(Stream& out, Stream& errors, const os::OwnChild& child,
                      const os::Flag* cancel) {
  bool stopped = false;
  while (out.from != nullptr || errors.from != nullptr) {
    if (!HF_TRY(wait_for_some(out, errors, stopped ? nullptr : cancel))) {
      stopped = true;
      static_cast<void>(HF_TRY(child.signal(kTerm)));
    }
    for (Stream* stream : {&out, &errors}) {
      if (stream->from != nullptr && HF_TRY(os::is_readable(*stream->from)))
        HF_TRY(take_some(*stream));
    }
  }
  return stopped;
}

// nullopt: somebody else has reaped it.
std::optional<int> code_of(const os::OwnChild& child) {
  const auto end = os::reap_child(child.pid);
  if (!end) return std::nullopt;
  return end->how == os::ChildEnd::How::kSignalled ? exit_status_of_signal(end->value) : end->value;
}

Error not_started(const std::string& program, const os::StartFailure& failure) {
  const bool absent = failure.kind == os::StartFailure::Kind::kNotFound;
  return {.code = ErrorCode::kConfig,
          .op = "start",
          .subject = program,
          .cause = absent ? "no-program" : "not-executable",
          .detail =
              "the library starts the holdfast program for this; name it by "
              "holdfast_options.program or HOLDFAST_PROGRAM",
          .os_code = failure.os_code};
}

// What a document says of a failure; where there is none, what was printed for people.
Error told_by(const Json& document, std::string_view errors, const std::string& command) {
  Error error{.code = ErrorCode::kInternal,
              .op = "run",
              .subject = "'holdfast " + command + "'",
              .cause = "failed",
              .detail = std::string(errors.substr(0, errors.find_last_not_of('\n') + 1))};
  const Json* const told = document.is_object() ? document.find("error") : nullptr;
  if (told == nullptr || !told->is_object()) return error;
  const auto put_text = [&](std::string_view key, std::string& to) {
    if (const std::string* const text = (*told)[key].text()) to = *text;
  };
  put_text("op", error.op);
  put_text("subject", error.subject);
  put_text("cause", error.cause);
  put_text("detail", error.detail);
  return error;
}

struct Ran {
  std::optional<int> code;
  std::string out;
  std::string errors;
  bool cancelled = false;
};

Result<Ran> start_and_read(os::SpawnRequest request, const os::Flag* cancel) {
  os::Pipe out = HF_TRY(os::make_pipe());
  os::Pipe errors = HF_TRY(os::make_pipe());
  request.stdin_from = os::StdinFrom::kNothing;
  request.stdout_to = os::StdoutTo::kHandle;
  request.output = out.write_end.get();
  request.stderr_to = os::StderrTo::kHandle;
  request.errors = errors.write_end.get();
  os::Spawned spawned = HF_TRY(os::spawn(request));
  HF_TRY(spawned.release());
  const auto failure = HF_TRY(spawned.read_start());
  out.write_end.reset();
  errors.write_end.reset();
  if (failure) {
    static_cast<void>(code_of(spawned.child()));
    return fail(not_started(request.argv.front(), *failure));
  }
  Stream said{.from = &out.read_end, .text = {}};
  Stream complained{.from = &errors.read_end, .text = {}};
  const auto stopped = read_all(said, complained, spawned.child(), cancel);
  const auto code = code_of(spawned.child());
  return Ran{.code = code,
             .out = std::move(said.text),
             .errors = std::move(complained.text),
             .cancelled = HF_TRY(stopped)};
}

// The last line: the one document, or the end of a stream that failed.
Json last_document(std::string_view printed) {
  while (!printed.empty() && printed.back() == '\n') printed.remove_suffix(1);
  if (printed.empty()) return {};
  return parse_json(printed.substr(printed.rfind('\n') + 1));
}

}  // namespace

Result<int> run_program(holdfast_home* hf, const std::vector<std::string>& words,
                        holdfast_cancel* cancel, char** json, holdfast_error* error) {
  State* const state = HF_TRY(state_of(hf));
  const os::Flag* const flag = HF_TRY(flag_of(cancel));
  if (words.empty()) return fail(wrong_call("bad-value", "argv", "it has no command"));
  os::SpawnRequest request;
  {
    const std::scoped_lock held(state->mutex);
    request.argv = {state->origin.program(), "--json", "--home",
                    HF_TRY(state->runtime.location()).path};
  }
  request.argv.insert(request.argv.end(), words.begin(), words.end());
  HF_TRY(state->events.flush());  // what was put off comes before what the program writes
  const Ran ran = HF_TRY(start_and_read(std::move(request), flag));
  if (json != nullptr && !ran.out.empty()) *json = give(ran.out);
  if (ran.cancelled) return fail(cancelled(words.front()));
  const Json document = last_document(ran.out);
  const std::optional<std::int64_t> told =
      document.is_object() ? document["code"].integer() : std::nullopt;
  if (!ran.code && !told) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "tell the end of",
                 .subject = "'holdfast " + words.front() + "'",
                 .cause = "reaped",
                 .detail = "another part of this program has taken its exit status"});
  }
  const int code = ran.code ? *ran.code : static_cast<int>(*told);
  if (code == HOLDFAST_OK) return HOLDFAST_OK;
  const int filled = put(error, told_by(document, ran.errors, words.front()));
  static_cast<void>(filled);
  if (error != nullptr) error->code = code;
  return code;
}

namespace {

std::string in_milliseconds(std::int64_t time) { return std::to_string(time) + "ms"; }

Result<> add_limit(std::vector<std::string>& words, const char* option, std::int64_t time,
                   std::string_view name) {
  const auto limit = HF_TRY(limit_of(time, name));
  if (limit) words.insert(words.end(), {option, in_milliseconds(time)});
  return {};
}

Result<std::string> needed(const char* text, std::string_view name) {
  HF_TRY(require(text, name));
  if (*text != 0) return text;
  return fail(wrong_call("bad-value", name, "it is empty"));
}

Result<std::vector<std::string>> words_to_start(const char* name, const char* const* argv,
                                                const holdfast_session_options& options) {
  std::vector<std::string> words{"run", "--detach", "--name", HF_TRY(needed(name, "name"))};
  HF_TRY(add_limit(words, "--timeout", options.timeout_ms, "timeout_ms"));
  HF_TRY(add_limit(words, "--grace", options.grace_ms, "grace_ms"));
  HF_TRY(add_limit(words, "--idle-timeout", options.idle_timeout_ms, "idle_timeout_ms"));
  if (options.directory != nullptr) words.insert(words.end(), {"--chdir", options.directory});
  if (options.verify != nullptr) words.insert(words.end(), {"--verify", options.verify});
  for (const std::string& pair : texts_of(options.env)) words.insert(words.end(), {"--env", pair});
  const std::vector<std::string> command = texts_of(argv);
  if (command.empty()) return fail(wrong_call("bad-value", "argv", "it has no command"));
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace
}  // namespace holdfast::capi

int holdfast_command(holdfast_home* hf, const char* const* argv, holdfast_cancel* cancel,
                     char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&] { return run_program(hf, texts_of(argv), cancel, json, error); });
}

int holdfast_session_start(holdfast_home* hf, const char* name, const char* const* argv,
                           const holdfast_session_options* options, char** json,
                           holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    const holdfast_session_options own = HF_TRY(read_struct(options, "options"));
    return run_program(hf, HF_TRY(words_to_start(name, argv, own)), nullptr, json, error);
  });
}

int holdfast_session_list(holdfast_home* hf, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&] { return run_program(hf, {"ps", "--all"}, nullptr, json, error); });
}

int holdfast_session_get(holdfast_home* hf, const char* name, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    return run_program(hf, {"show", HF_TRY(needed(name, "name"))}, nullptr, json, error);
  });
}

int holdfast_session_wait(holdfast_home* hf, const char* name, int64_t timeout_ms,
                          holdfast_cancel* cancel, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    std::vector<std::string> words{"wait", HF_TRY(needed(name, "name"))};
    const auto wait = HF_TRY(wait_of(timeout_ms, Duration::zero(), "timeout_ms"));
    if (wait && timeout_ms != 0) {
      words.insert(words.end(),
                   {"--timeout", in_milliseconds(std::max<std::int64_t>(0, timeout_ms))});
    }
    return run_program(hf, words, cancel, json, error);
  });
}

int holdfast_session_stop(holdfast_home* hf, const char* name, int64_t grace_ms, char** json,
                          holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    std::vector<std::string> words{"stop", HF_TRY(needed(name, "name"))};
    HF_TRY(add_limit(words, "--grace", grace_ms, "grace_ms"));
    return run_program(hf, words, nullptr, json, error);
  });
}

int holdfast_ensure(holdfast_home* hf, const char* manifest, int check_only, char** json,
                    holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    std::vector<std::string> words{"ensure", HF_TRY(needed(manifest, "manifest"))};
    if (check_only != 0) words.emplace_back("--check");
    return run_program(hf, words, nullptr, json, error);
  });
}

int holdfast_layers(holdfast_home* hf, const char* plan, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    return run_program(hf, {"layers", HF_TRY(needed(plan, "plan"))}, nullptr, json, error);
  });
}
