// SPDX-License-Identifier: Apache-2.0
//
// The gate is the suspended main thread of the command's own process: not even the loader has run.
//
// The hostile moments, and what closes them:
//
//   - This process dies while the child waits. A suspended process would wait for ever, with copies
//     of all that it was given, a lock's life among them. So it is born into a job that the system
//     ends when our handle to it goes: the caller's (SpawnRequest::cgroup), which must do so as
//     long as somebody waits at the gate, or one of its own that is here just for this. Born: the
//     job is there before, and is named in the call that makes the process. A system that does not
//     take that gets it assigned right behind.
//   - This process dies while it opens the gate. The child is resumed first, and only then is its
//     private job told to let it live: in between the command may be ended after a few
//     instructions, as if it had been killed right after its start. The other order could leave a
//     suspended process behind for ever.
//   - Another thread of this process starts a program at the same time. Nothing is inherited but
//     what the list of handles names; the originals under their own numbers are inheritable for the
//     moment of the call, and a mutex keeps our own calls apart.
//
// A program that cannot be found or run has no process that could wait at a gate, yet its caller
// counts on one: it writes down who the child is before it learns how the start went. So there is a
// stand-in then: this very program once more, suspended, which never runs an instruction and is
// ended when the gate is opened. What the caller sees is what it sees on Linux: a child that exits
// with 125, and a reason.
#include "os/spawn/spawn.h"

#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "os/path/path_win.h"
#include "os/path/safe_name.h"
#include "os/path/wide_win.h"
#include "os/process/background_win.h"
#include "os/process/own_children_win.h"
#include "os/spawn/command_line_win.h"
#include "os/spawn/environment_block_win.h"
#include "os/spawn/exec_path.h"
#include "os/spawn/inherited.h"
#include "os/spawn/program.h"
#include "os/stream/pipe.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr UINT kNeverRan = 125;
constexpr const char* kStart = "start";

std::mutex& spawning() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

struct GateState {
  Handle process;
  Handle thread;
  Handle keeper;  // the private job; empty where the caller has one
  bool stands_in = false;
};

// --- what it gets

// Handles of the caller's that are inheritable for the moment.
class Lent {
 public:
  Lent() = default;
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  Lent(Lent&& other) noexcept : handles_(std::exchange(other.handles_, {})) {}
  Lent& operator=(Lent&& other) noexcept {
    std::swap(handles_, other.handles_);
    return *this;
  }
  ~Lent() {
    for (const HANDLE handle : handles_) sys().SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
  }
  [[nodiscard]] bool lend(HANDLE handle) {
    if (sys().SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) == FALSE) {
      return false;
    }
    handles_.push_back(handle);
    return true;
  }

 private:
  std::vector<HANDLE> handles_;
};

struct Given {
  std::array<Handle, 3> streams{};  // copies, inheritable
  Lent lent{};                      // of `inherit`
  std::vector<HANDLE> list{};       // all of them
};

Result<Handle> inheritable_copy(HANDLE handle) {
  const HANDLE self = sys().GetCurrentProcess();
  HANDLE copy = nullptr;
  if (sys().DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) == FALSE) {
    return fail(last_os_error("pass on", "a handle", "nothing was started"));
  }
  return own(copy);
}

Result<Handle> open_inheritable_nothing() {
  SECURITY_ATTRIBUTES inheritable{.nLength = sizeof(SECURITY_ATTRIBUTES),
                                  .lpSecurityDescriptor = nullptr,
                                  .bInheritHandle = TRUE};
  Handle nothing = own(sys().CreateFileW(L"NUL", kReadRights | kWriteRights, kDenyDelete,
                                         &inheritable, OPEN_EXISTING, 0, nullptr));
  if (!nothing.valid()) return fail(last_os_error("open", "NUL", "nothing was started"));
  return nothing;
}

// A stream that this process does not have is NUL for the command.
Result<Handle> own_stream(DWORD which) {
  const HANDLE stream = sys().GetStdHandle(which);
  const bool there = stream != nullptr && reinterpret_cast<std::intptr_t>(stream) != kInvalidHandle;
  if (!there) return open_inheritable_nothing();
  return inheritable_copy(stream);
}

Result<Given> given_by(const SpawnRequest& request) {
  Given given;
  const auto native = [](NativeHandle handle) { return reinterpret_cast<HANDLE>(handle); };
  switch (request.stdin_from) {
    case StdinFrom::kStdin:
      given.streams[0] = HF_TRY(own_stream(kStdInput));
      break;
    case StdinFrom::kNothing:
      given.streams[0] = HF_TRY(open_inheritable_nothing());
      break;
    case StdinFrom::kHandle:
      given.streams[0] = HF_TRY(inheritable_copy(native(request.input)));
      break;
  }
  switch (request.stdout_to) {
    case StdoutTo::kStdout:
      given.streams[1] = HF_TRY(own_stream(kStdOutput));
      break;
    case StdoutTo::kStderr:
      given.streams[1] = HF_TRY(own_stream(kStdError));
      break;
    case StdoutTo::kHandle:
      given.streams[1] = HF_TRY(inheritable_copy(native(request.output)));
      break;
  }
  given.streams[2] = request.stderr_to == StderrTo::kStderr
                         ? HF_TRY(own_stream(kStdError))
                         : HF_TRY(inheritable_copy(native(request.errors)));
  for (const Handle& stream : given.streams) given.list.push_back(handle_of(stream));
  for (const NativeHandle handle : request.inherit) {
    if (!given.lent.lend(native(handle))) {
      return fail(last_os_error("pass on", "a handle", "nothing was started"));
    }
    given.list.push_back(native(handle));
  }
  return given;
}

// --- making the process

class Attributes {
 public:
  static Result<std::unique_ptr<Attributes>> with(std::vector<HANDLE>& handles, HANDLE& job) {
    auto made = std::make_unique<Attributes>();
    constexpr DWORD kCount = 2;
    SIZE_T size = 0;
    sys().InitializeProcThreadAttributeList(nullptr, kCount, 0, &size);  // fails, tells the size
    made->room_.resize(size / sizeof(std::max_align_t) + 1);
    if (sys().InitializeProcThreadAttributeList(made->list(), kCount, 0, &size) == FALSE) {
      return fail(last_os_error(kStart, "a process", "nothing was started"));
    }
    made->initialised_ = true;
    constexpr DWORD_PTR kHandleList = 0x00020002;  // PROC_THREAD_ATTRIBUTE_HANDLE_LIST
    if (sys().UpdateProcThreadAttribute(made->list(), 0, kHandleList, handles.data(),
                                        handles.size() * sizeof(HANDLE), nullptr,
                                        nullptr) == FALSE) {
      return fail(last_os_error(kStart, "a process", "nothing was started"));
    }
    // Where it is not taken, put_into() sees that it is not in.
    constexpr DWORD_PTR kJobList = 0x0002000D;  // PROC_THREAD_ATTRIBUTE_JOB_LIST
    sys().UpdateProcThreadAttribute(made->list(), 0, kJobList, &job, sizeof(job), nullptr, nullptr);
    return made;
  }
  Attributes() = default;
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() {
    if (initialised_) sys().DeleteProcThreadAttributeList(list());
  }
  [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(room_.data());
  }

 private:
  std::vector<std::max_align_t> room_;
  bool initialised_ = false;
};

struct Plan {
  std::wstring line;
  std::wstring environment;
  std::wstring directory;  // empty: where the caller is
  DWORD flags = 0;
  Given given;
  HANDLE job = nullptr;
};

struct Created {
  Handle process;
  Handle thread;
  Pid pid{};
};

// nullopt: last_error() says why not.
Result<std::optional<Created>> create(Plan& plan, const std::wstring& program) {
  const auto attributes = HF_TRY(Attributes::with(plan.given.list, plan.job));
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof(startup);
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = handle_of(plan.given.streams[0]);
  startup.StartupInfo.hStdOutput = handle_of(plan.given.streams[1]);
  startup.StartupInfo.hStdError = handle_of(plan.given.streams[2]);
  startup.lpAttributeList = attributes->list();
  std::wstring line = plan.line;  // CreateProcessW may write into it
  PROCESS_INFORMATION info{};
  const BOOL made = sys().CreateProcessW(
      program.c_str(), line.data(), nullptr, nullptr, TRUE, plan.flags, plan.environment.data(),
      plan.directory.empty() ? nullptr : plan.directory.c_str(), &startup.StartupInfo, &info);
  if (made == FALSE) return std::optional<Created>();
  return std::optional(Created{.process = own(info.hProcess),
                            .thread = own(info.hThread),
                            .pid = Pid{static_cast<std::int32_t>(info.dwProcessId)}});
}

// --- which program

enum class Found : std::uint8_t { kNothing, kFile, kOther };

Found look_at(const std::wstring& path) {
  const DWORD attributes = sys().GetFileAttributesW(path.c_str());
  if (attributes == kNoAttributes) {
    const DWORD code = last_error();
    const bool absent = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ||
                        code == ERROR_INVALID_NAME || code == ERROR_INVALID_DRIVE;
    return absent ? Found::kNothing : Found::kOther;
  }
  return (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0 ? Found::kFile : Found::kOther;
}

bool is_relative(std::string_view path) {
  const bool rooted = path.starts_with('/') || path.starts_with('\\');
  return !rooted && path.find(':') == std::string_view::npos;
}

// As CreateProcessW takes it, absolute. A relative one starts from the directory that the command
// runs in.
Result<std::wstring> spawn_full_path(std::string_view candidate,
                                     const std::optional<std::string>& directory) {
  std::string path(candidate);
  if (directory && is_relative(candidate)) path = *directory + "\\" + path;
  const std::string absolute = HF_TRY(absolute_path(path));
  constexpr std::size_t kOrdinary = 240;  // longer ones need the form that has no limit
  if (absolute.size() < kOrdinary) return to_wide(absolute);
  return extended_path(absolute);
}

// There, but without the ending of a program.
bool is_there_otherwise(const SpawnRequest& request, const std::optional<std::string>& path) {
  for (const std::string& candidate : exec_candidates(request.argv[0], path)) {
    std::string_view plain(candidate);
    constexpr std::size_t kEnding = 4;
    if (request.argv[0].ends_with(plain.substr(plain.size() - kEnding))) continue;
    plain.remove_suffix(kEnding);
    for (const char* ending : {"", ".bat", ".cmd"}) {
      const auto full = spawn_full_path(std::string(plain) + ending, request.directory);
      if (full && look_at(*full) == Found::kFile) return true;
    }
  }
  return false;
}

// Of the system as a whole, so that another program would fare no better.
bool is_ours_to_report(DWORD code) {
  return code == ERROR_NOT_ENOUGH_MEMORY || code == ERROR_OUTOFMEMORY ||
         code == ERROR_NO_SYSTEM_RESOURCES || code == ERROR_COMMITMENT_LIMIT ||
         code == ERROR_NOT_ENOUGH_QUOTA || code == ERROR_TOO_MANY_OPEN_FILES ||
         code == ERROR_INVALID_HANDLE;
}

struct Outcome {
  std::optional<Created> made;
  StartFailure failure{};  // where none was made
};

// As execvp: one that is there and cannot be run does not end the search, and outweighs "not
// found".
Result<Outcome> try_programs(const SpawnRequest& request, Plan& plan) {
  using Kind = StartFailure::Kind;
  if (!plan.directory.empty()) {
    const DWORD attributes = sys().GetFileAttributesW(plan.directory.c_str());
    const DWORD code = attributes == kNoAttributes ? last_error() : ERROR_DIRECTORY;
    if (attributes == kNoAttributes || (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0) {
      return Outcome{.made = {},
                     .failure = {.kind = Kind::kNoDirectory, .os_code = static_cast<int>(code)}};
    }
  }
  Outcome outcome{.made = {},
                  .failure = {.kind = Kind::kNotFound, .os_code = int{ERROR_FILE_NOT_FOUND}}};
  const auto path = path_with(request.environment);
  for (const std::string& candidate : exec_candidates(request.argv[0], path)) {
    const auto full = spawn_full_path(candidate, request.directory);
    if (!full) continue;  // what Windows does not take for a file's name is none
    const Found found = look_at(*full);
    if (found == Found::kNothing) continue;
    if (found == Found::kOther) {
      outcome.failure = {.kind = Kind::kNotExecutable, .os_code = int{ERROR_ACCESS_DENIED}};
      continue;
    }
    outcome.made = HF_TRY(create(plan, *full));
    if (outcome.made) return outcome;
    const DWORD code = last_error();
    if (is_ours_to_report(code)) {
      return fail(win_error(kStart, "a process", code, "nothing was started"));
    }
    outcome.failure = {.kind = Kind::kNotExecutable, .os_code = static_cast<int>(code)};
  }
  if (outcome.failure.kind == Kind::kNotFound && is_there_otherwise(request, path)) {
    outcome.failure = {.kind = Kind::kNotExecutable, .os_code = int{ERROR_BAD_EXE_FORMAT}};
  }
  return outcome;
}

Result<Created> stand_in(Plan& plan) {
  const std::string self = HF_TRY(own_program_path());
  const std::wstring program = HF_TRY(spawn_full_path(self, {}));
  plan.line = HF_TRY(command_line({self}));
  plan.directory.clear();
  auto made = HF_TRY(create(plan, program));
  if (!made) return fail(last_os_error(kStart, "a process", "nothing was started"));
  return std::move(*made);
}

// --- the job

Result<Handle> make_keeper() {
  const HANDLE job = sys().CreateJobObjectW(nullptr, nullptr);
  if (job == nullptr) return fail(last_os_error("make", "a job object", "nothing was started"));
  Handle keeper = own(job);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION info{};
  info.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (sys().SetInformationJobObject(job, JobObjectExtendedLimitInformation, &info, sizeof(info)) ==
      FALSE) {
    return fail(last_os_error("make", "a job object", "nothing was started"));
  }
  return keeper;
}

Result<> put_into(const GateState& gate, HANDLE job) {
  BOOL is_in = FALSE;
  if (sys().IsProcessInJob(handle_of(gate.process), job, &is_in) != FALSE && is_in != FALSE) {
    return {};
  }
  if (sys().AssignProcessToJobObject(job, handle_of(gate.process)) != FALSE) return {};
  return fail(last_os_error("put a process into", "its job object", "nothing was started"));
}

Result<> spawn_check(const SpawnRequest& request) {
  if (request.directory) HF_TRY(check_path_text(*request.directory));
  for (const std::string& word : request.argv) HF_TRY(check_path_text(word));
  if (request.own_pid_namespace) {
    return fail(
        {.code = ErrorCode::kRefused,
         .op = kStart,
         .subject = "'" + request.argv[0] + "'",
         .cause = "unsupported",
         .detail = "there are no pid namespaces on Windows; every run is held by a job object"});
  }
  if (request.session != SpawnSession::kNewWithTerminal) return {};
  return fail({.code = ErrorCode::kRefused,
               .op = kStart,
               .subject = "'" + request.argv[0] + "'",
               .cause = "unsupported",
               .detail = "a terminal of its own is not offered on Windows"});
}

Result<Plan> plan_of(const SpawnRequest& request) {
  Plan plan;
  plan.line = HF_TRY(command_line(request.argv));
  plan.environment = HF_TRY(environment_block(request.environment, request.environment_without));
  if (request.directory) {
    const std::string absolute = HF_TRY(absolute_path(*request.directory));
    plan.directory = HF_TRY(to_wide(absolute));
  }
  // The command inherits it: a library that is missing, or a crash, opens no window that waits for
  // a click.
  sys().SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
  plan.flags = CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT |
               CREATE_NEW_PROCESS_GROUP;
  // Who is in the background itself shares the console that nobody sees, through which it can ask
  // the command to end.
  const bool apart = request.session == SpawnSession::kNew && !is_in_background();
  // Without a console of our own Windows would open a window for the command's. (Wine does not.)
  const bool no_console = sys().GetConsoleCP() == 0 && !under_wine();
  if (apart || no_console) plan.flags |= CREATE_NO_WINDOW;
  return plan;
}

}  // namespace

void GateTraits::close(NativeHandle gate) {
  const std::unique_ptr<GateState> state(reinterpret_cast<GateState*>(gate));
  sys().TerminateProcess(handle_of(state->process), kNeverRan);
}

Result<std::optional<ChildEnd>> read_outcome(const OwnChild& /*child*/) {
  return std::optional<ChildEnd>();
}

Result<Spawned> spawn(const SpawnRequest& request) {
  HF_TRY(spawn_check(request));
  Plan plan = HF_TRY(plan_of(request));
  const std::scoped_lock lock(spawning());
  plan.given = HF_TRY(given_by(request));
  Handle keeper;
  if (request.cgroup == HandleTraits::nothing()) keeper = HF_TRY(make_keeper());
  plan.job = keeper.valid() ? handle_of(keeper) : reinterpret_cast<HANDLE>(request.cgroup);
  Outcome outcome = HF_TRY(try_programs(request, plan));
  const bool stands_in = !outcome.made;
  if (stands_in) outcome.made = HF_TRY(stand_in(plan));

  auto state = std::make_unique<GateState>();
  state->process = std::move(outcome.made->process);
  state->thread = std::move(outcome.made->thread);
  state->stands_in = stands_in;
  GateState& waiting = *state;
  Gate gate(reinterpret_cast<NativeHandle>(state.release()));
  HF_TRY(put_into(waiting, plan.job));
  waiting.keeper = std::move(keeper);

  OwnChild child{.pid = outcome.made->pid, .pidfd = HF_TRY(copy_handle(waiting.process.get()))};
  Pipe start = HF_TRY(make_pipe());
  if (stands_in) {
    const std::string_view bytes(reinterpret_cast<const char*>(&outcome.failure),
                                 sizeof(outcome.failure));
    HF_TRY(write_some(start.write_end, bytes));
  }
  HF_TRY(note_child(child.pid, child.pidfd));
  return Spawned(std::move(child), std::move(gate), std::move(start.read_end));
}

Result<> Spawned::release() {
  const std::unique_ptr<GateState> state(reinterpret_cast<GateState*>(gate_.release()));
  if (state->stands_in) {
    sys().TerminateProcess(handle_of(state->process), kNeverRan);
    return {};
  }
  constexpr DWORD kFailed = 0xFFFFFFFFU;
  if (sys().ResumeThread(handle_of(state->thread)) == kFailed) {
    const Error error = last_os_error("let the command go in", "its process");
    sys().TerminateProcess(handle_of(state->process), kNeverRan);
    return fail(error);
  }
  if (!state->keeper.valid()) return {};
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION lives_on{};
  if (sys().SetInformationJobObject(handle_of(state->keeper), JobObjectExtendedLimitInformation,
                                    &lives_on, sizeof(lives_on)) == FALSE) {
    const Error error = last_os_error("let go of", "the command");
    sys().TerminateProcess(handle_of(state->process), kNeverRan);
    return fail(error);
  }
  return {};
}

Result<std::optional<StartFailure>> Spawned::read_start() {
  StartFailure failure;
  const std::span<char> bytes(reinterpret_cast<char*>(&failure), sizeof(failure));
  const auto got = read_pipe(start_, bytes);
  if (!got) return fail(got.error());
  start_.reset();
  if (*got != sizeof(failure)) return std::optional<StartFailure>();
  return std::optional(failure);
}

}  // namespace holdfast::os
