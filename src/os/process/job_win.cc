// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <thread>

#include "os/process/job.h"
#include "os/spawn/child_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

// The helper thread shares it, so that neither end can pull it away from under the other.
struct Job::State {
  Limits limits;
  Handle job;
  Handle port;
  Handle changed;  // manual reset
  std::atomic<bool> ending = false;
  std::thread helper;
};

namespace {

constexpr ULONG_PTR kOfJob = 1;
constexpr ULONG_PTR kEnd = 2;
constexpr DWORD kLookAgainMs = 100;

Error cannot(const char* op) { return last_os_error(op, "a job object"); }

enum class AtOurEnd : std::uint8_t { kEndWithUs, kGoOn };

Result<> set_limits(const Handle& job, AtOurEnd at_our_end, const Job::Limits& limits) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION info{};
  DWORD& flags = info.BasicLimitInformation.LimitFlags;
  flags |= JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;  // no window that waits for a click
  if (at_our_end == AtOurEnd::kEndWithUs) flags |= JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (limits.memory) {
    flags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
    info.JobMemoryLimit = static_cast<SIZE_T>(*limits.memory);
  }
  if (limits.pids) {
    flags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
    info.BasicLimitInformation.ActiveProcessLimit =
        static_cast<DWORD>(std::min<std::uint64_t>(*limits.pids, 0xFFFFFFFFU));
  }
  if (sys().SetInformationJobObject(handle_of(job), JobObjectExtendedLimitInformation, &info,
                                    sizeof(info)) == FALSE) {
    return fail(cannot("limit"));
  }
  return {};
}

// Windows counts in hundredths of a percent of all processors together.
Result<> set_cpu_limit(const Handle& job, std::uint64_t percent_of_one) {
  constexpr WORD kAllGroups = 0xFFFF;
  constexpr std::uint64_t kWhole = 10000;
  const std::uint64_t processors =
      std::max<std::uint64_t>(sys().GetActiveProcessorCount(kAllGroups), 1);
  JOBOBJECT_CPU_RATE_CONTROL_INFORMATION info{};
  info.ControlFlags = JOB_OBJECT_CPU_RATE_CONTROL_ENABLE | JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
  info.CpuRate =
      static_cast<DWORD>(std::clamp<std::uint64_t>(percent_of_one * 100 / processors, 1, kWhole));
  if (sys().SetInformationJobObject(handle_of(job), JobObjectCpuRateControlInformation, &info,
                                    sizeof(info)) == FALSE) {
    return fail(cannot("limit"));
  }
  return {};
}

}  // namespace

Job::Job(std::shared_ptr<State> state) : state_(std::move(state)) {}
Job::Job(Job&&) noexcept = default;
Job& Job::operator=(Job&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Job::~Job() {
  if (!state_ || !state_->helper.joinable()) return;
  state_->ending = true;
  if (sys().PostQueuedCompletionStatus(handle_of(state_->port), 0, kEnd, nullptr) == FALSE) {
    state_->port = Handle();  // closing it wakes who waits there
  }
  state_->helper.join();
}

Result<Job> Job::make(const Limits& limits) {
  auto state = std::make_shared<State>();
  state->limits = limits;
  const HANDLE job = sys().CreateJobObjectW(nullptr, nullptr);
  if (job == nullptr) return fail(cannot("make"));
  state->job = own(job);
  HF_TRY(set_limits(state->job, AtOurEnd::kEndWithUs, limits));
  if (limits.cpu_percent) HF_TRY(set_cpu_limit(state->job, *limits.cpu_percent));
  const HANDLE nothing = reinterpret_cast<HANDLE>(kInvalidHandle);
  const HANDLE port = sys().CreateIoCompletionPort(nothing, nullptr, 0, 1);
  if (port == nullptr) return fail(cannot("watch"));
  state->port = own(port);
  const HANDLE changed = sys().CreateEventW(nullptr, TRUE, FALSE, nullptr);
  if (changed == nullptr) return fail(cannot("watch"));
  state->changed = own(changed);
  JOBOBJECT_ASSOCIATE_COMPLETION_PORT association{
      .CompletionKey = reinterpret_cast<void*>(kOfJob),  // NOLINT(performance-no-int-to-ptr)
      .CompletionPort = port};
  if (sys().SetInformationJobObject(job, JobObjectAssociateCompletionPortInformation, &association,
                                    sizeof(association)) == FALSE) {
    return fail(cannot("watch"));
  }
  State* const watched = state.get();  // the thread is joined before it goes
  state->helper = std::thread([watched, port] {
    while (!watched->ending) {
      DWORD message = 0;
      ULONG_PTR key = 0;
      OVERLAPPED* unused = nullptr;
      const bool told =
          sys().GetQueuedCompletionStatus(port, &message, &key, &unused, INFINITE) != FALSE;
      if (watched->ending) return;
      sys().SetEvent(handle_of(watched->changed));
      // Nothing is told any more: then who waits looks by itself, now and again.
      if (!told) sys().Sleep(kLookAgainMs);
    }
  });
  return Job(std::move(state));
}

NativeHandle Job::handle() const { return state_->job.get(); }

const Handle& Job::changes() const { return state_->changed; }

void Job::take_changes() const { sys().ResetEvent(handle_of(state_->changed)); }

Result<> Job::let_go_on() const { return set_limits(state_->job, AtOurEnd::kGoOn, state_->limits); }

Result<std::uint32_t> Job::active() const {
  JOBOBJECT_BASIC_ACCOUNTING_INFORMATION info{};
  if (sys().QueryInformationJobObject(handle_of(state_->job), JobObjectBasicAccountingInformation,
                                      &info, sizeof(info), nullptr) == FALSE) {
    return fail(cannot("count the processes of"));
  }
  return info.ActiveProcesses;
}

Result<std::vector<Pid>> Job::members() const {
  for (std::size_t room = 64;; room *= 4) {
    const std::size_t bytes = sizeof(JOBOBJECT_BASIC_PROCESS_ID_LIST) + room * sizeof(ULONG_PTR);
    std::vector<ULONG_PTR> buffer(bytes / sizeof(ULONG_PTR) + 1);
    auto* const list = reinterpret_cast<JOBOBJECT_BASIC_PROCESS_ID_LIST*>(buffer.data());
    if (sys().QueryInformationJobObject(handle_of(state_->job), JobObjectBasicProcessIdList, list,
                                        static_cast<DWORD>(bytes), nullptr) == FALSE) {
      if (last_error() == ERROR_MORE_DATA && room < (std::size_t{1} << 20U)) continue;
      return fail(cannot("list the processes of"));
    }
    if (list->NumberOfProcessIdsInList < list->NumberOfAssignedProcesses &&
        room < (std::size_t{1} << 20U)) {
      continue;
    }
    std::vector<Pid> pids;
    for (DWORD i = 0; i < list->NumberOfProcessIdsInList; ++i) {
      pids.push_back(Pid{static_cast<std::int32_t>(list->ProcessIdList[i])});
    }
    std::ranges::sort(pids);
    return pids;
  }
}

bool Job::ask_group_to_end(Pid leader) {
  return sys().GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, static_cast<DWORD>(number(leader))) !=
         FALSE;
}

Result<> Job::kill() const {
  constexpr int kKill = 9;
  if (sys().TerminateJobObject(handle_of(state_->job), killed_code(kKill)) == FALSE) {
    return fail(cannot("end the processes of"));
  }
  return {};
}

}  // namespace holdfast::os
