// SPDX-License-Identifier: Apache-2.0
#include "os/sys/sys_win.h"

namespace holdfast::os {
namespace {

using VoidClock = void(WINAPI*)(ULONGLONG*);

// kernelbase.dll has them; no import library that Wine could satisfy does.
VoidClock find_clock(const char* name) {
  const HMODULE module = ::GetModuleHandleW(L"kernelbase.dll");
  if (module == nullptr) return nullptr;
  return reinterpret_cast<VoidClock>(reinterpret_cast<void (*)()>(::GetProcAddress(module, name)));
}

BOOL read_clock(VoidClock clock, std::uint64_t* hundred_ns) {
  if (clock == nullptr) {
    ::SetLastError(ERROR_CALL_NOT_IMPLEMENTED);
    return FALSE;
  }
  ULONGLONG now = 0;
  clock(&now);
  *hundred_ns = now;
  return TRUE;
}

BOOL real_query_interrupt_time_precise(std::uint64_t* hundred_ns) {
  static const VoidClock clock = find_clock("QueryInterruptTimePrecise");
  return read_clock(clock, hundred_ns);
}

BOOL real_query_unbiased_interrupt_time_precise(std::uint64_t* hundred_ns) {
  static const VoidClock clock = find_clock("QueryUnbiasedInterruptTimePrecise");
  return read_clock(clock, hundred_ns);
}

// As ntdll has it; winternl.h of mingw-w64 10 knows only its beginning. Setting the clock moves the
// moment of the boot and the bias alike, so their difference stays what it was at the boot.
struct TimeOfDay {
  std::int64_t boot = 0;
  std::int64_t now = 0;
  std::int64_t zone = 0;
  ULONG zone_id = 0;
  ULONG reserved = 0;
  std::uint64_t boot_bias = 0;
  std::uint64_t sleep_bias = 0;
};

BOOL real_query_boot_moment(std::uint64_t* hundred_ns) {
  using Query = LONG(WINAPI*)(int, void*, ULONG, ULONG*);
  constexpr int kSystemTimeOfDay = 3;
  static const Query query = [] {
    const HMODULE module = ::GetModuleHandleW(L"ntdll.dll");
    return module == nullptr ? nullptr
                             : reinterpret_cast<Query>(reinterpret_cast<void (*)()>(
                                   ::GetProcAddress(module, "NtQuerySystemInformation")));
  }();
  TimeOfDay found;
  ULONG size = 0;
  if (query == nullptr || query(kSystemTimeOfDay, &found, sizeof(found), &size) != 0 ||
      size < sizeof(found)) {
    ::SetLastError(ERROR_CALL_NOT_IMPLEMENTED);
    return FALSE;
  }
  *hundred_ns = static_cast<std::uint64_t>(found.boot) - found.boot_bias;
  return TRUE;
}

}  // namespace

// Declared for tests in src/testing and nowhere else.
extern SysTable g_sys_table;
constinit SysTable g_sys_table{
    .CreateFileW = ::CreateFileW,
    .ReOpenFile = ::ReOpenFile,
    .CloseHandle = ::CloseHandle,
    .ReadFile = ::ReadFile,
    .WriteFile = ::WriteFile,
    .FlushFileBuffers = ::FlushFileBuffers,
    .LockFileEx = ::LockFileEx,
    .UnlockFileEx = ::UnlockFileEx,
    .SetFilePointerEx = ::SetFilePointerEx,
    .GetFileType = ::GetFileType,
    .DeviceIoControl = ::DeviceIoControl,
    .GetFileInformationByHandle = ::GetFileInformationByHandle,
    .GetFileInformationByHandleEx = ::GetFileInformationByHandleEx,
    .SetFileInformationByHandle = ::SetFileInformationByHandle,
    .GetFileAttributesW = ::GetFileAttributesW,
    .GetFullPathNameW = ::GetFullPathNameW,
    .GetLongPathNameW = ::GetLongPathNameW,
    .GetFinalPathNameByHandleW = ::GetFinalPathNameByHandleW,
    .CreateDirectoryW = ::CreateDirectoryW,
    .CreateSymbolicLinkW = ::CreateSymbolicLinkW,
    .GetCurrentDirectoryW = ::GetCurrentDirectoryW,
    .GetVolumeInformationByHandleW = ::GetVolumeInformationByHandleW,
    .GetVolumePathNameW = ::GetVolumePathNameW,
    .GetDiskFreeSpaceExW = ::GetDiskFreeSpaceExW,
    .GetDriveTypeW = ::GetDriveTypeW,
    .GetSecurityInfo = ::GetSecurityInfo,
    .SetSecurityInfo = ::SetSecurityInfo,
    .SetKernelObjectSecurity = ::SetKernelObjectSecurity,
    .GetAce = ::GetAce,
    .EqualSid = ::EqualSid,
    .IsWellKnownSid = ::IsWellKnownSid,
    .CheckTokenMembership = ::CheckTokenMembership,
    .GetCurrentProcess = ::GetCurrentProcess,
    .OpenProcessToken = ::OpenProcessToken,
    .GetTokenInformation = ::GetTokenInformation,
    .ConvertSidToStringSidW = ::ConvertSidToStringSidW,
    .ConvertStringSecurityDescriptorToSecurityDescriptorW =
        ::ConvertStringSecurityDescriptorToSecurityDescriptorW,
    .ConvertSecurityDescriptorToStringSecurityDescriptorW =
        ::ConvertSecurityDescriptorToStringSecurityDescriptorW,
    .LocalFree = ::LocalFree,
    .CompareStringOrdinal = ::CompareStringOrdinal,
    .GetStdHandle = ::GetStdHandle,
    .GetConsoleMode = ::GetConsoleMode,
    .GetConsoleScreenBufferInfo = ::GetConsoleScreenBufferInfo,
    .WriteConsoleW = ::WriteConsoleW,
    .ReadConsoleW = ::ReadConsoleW,
    .FormatMessageW = ::FormatMessageW,
    .GetEnvironmentVariableW = ::GetEnvironmentVariableW,
    .GetModuleFileNameW = ::GetModuleFileNameW,
    .GetCommandLineW = ::GetCommandLineW,
    .CommandLineToArgvW = ::CommandLineToArgvW,
    .GetComputerNameExW = ::GetComputerNameExW,
    .BCryptGenRandom = ::BCryptGenRandom,
    .BCryptOpenAlgorithmProvider = ::BCryptOpenAlgorithmProvider,
    .BCryptCreateHash = ::BCryptCreateHash,
    .BCryptHashData = ::BCryptHashData,
    .BCryptFinishHash = ::BCryptFinishHash,
    .BCryptDestroyHash = ::BCryptDestroyHash,
    .CreateProcessW = ::CreateProcessW,
    .TerminateProcess = ::TerminateProcess,
    .ResumeThread = ::ResumeThread,
    .GetExitCodeProcess = ::GetExitCodeProcess,
    .GetCurrentProcessId = ::GetCurrentProcessId,
    .WaitForSingleObject = ::WaitForSingleObject,
    .WaitForMultipleObjects = ::WaitForMultipleObjects,
    .DuplicateHandle = ::DuplicateHandle,
    .SetHandleInformation = ::SetHandleInformation,
    .GetHandleInformation = ::GetHandleInformation,
    .CreatePipe = ::CreatePipe,
    .PeekNamedPipe = ::PeekNamedPipe,
    .CreateNamedPipeW = ::CreateNamedPipeW,
    .ConnectNamedPipe = ::ConnectNamedPipe,
    .DisconnectNamedPipe = ::DisconnectNamedPipe,
    .WaitNamedPipeW = ::WaitNamedPipeW,
    .CreateEventW = ::CreateEventW,
    .SetEvent = ::SetEvent,
    .ResetEvent = ::ResetEvent,
    .CreateWaitableTimerW = ::CreateWaitableTimerW,
    .SetWaitableTimer = ::SetWaitableTimer,
    .CreateJobObjectW = ::CreateJobObjectW,
    .AssignProcessToJobObject = ::AssignProcessToJobObject,
    .IsProcessInJob = ::IsProcessInJob,
    .SetErrorMode = ::SetErrorMode,
    .SetInformationJobObject = ::SetInformationJobObject,
    .QueryInformationJobObject = ::QueryInformationJobObject,
    .TerminateJobObject = ::TerminateJobObject,
    .CreateIoCompletionPort = ::CreateIoCompletionPort,
    .GetQueuedCompletionStatus = ::GetQueuedCompletionStatus,
    .PostQueuedCompletionStatus = ::PostQueuedCompletionStatus,
    .InitializeProcThreadAttributeList = ::InitializeProcThreadAttributeList,
    .UpdateProcThreadAttribute = ::UpdateProcThreadAttribute,
    .DeleteProcThreadAttributeList = ::DeleteProcThreadAttributeList,
    .GetEnvironmentStringsW = ::GetEnvironmentStringsW,
    .FreeEnvironmentStringsW = ::FreeEnvironmentStringsW,
    .SetConsoleCtrlHandler = ::SetConsoleCtrlHandler,
    .GenerateConsoleCtrlEvent = ::GenerateConsoleCtrlEvent,
    .CancelIoEx = ::CancelIoEx,
    .FindFirstChangeNotificationW = ::FindFirstChangeNotificationW,
    .FindNextChangeNotification = ::FindNextChangeNotification,
    .SetCurrentDirectoryW = ::SetCurrentDirectoryW,
    .GetActiveProcessorCount = ::GetActiveProcessorCount,
    .OpenProcess = ::OpenProcess,
    .GetProcessTimes = ::GetProcessTimes,
    .CreateToolhelp32Snapshot = ::CreateToolhelp32Snapshot,
    .Process32FirstW = ::Process32FirstW,
    .Process32NextW = ::Process32NextW,
    .GetOverlappedResult = ::GetOverlappedResult,
    .RegGetValueW = ::RegGetValueW,
    .QueryBootMoment = real_query_boot_moment,
    .GetSystemDirectoryW = ::GetSystemDirectoryW,
    .SetEnvironmentVariableW = ::SetEnvironmentVariableW,
    .GetConsoleCP = ::GetConsoleCP,
    .Sleep = ::Sleep,
    .GetSystemTimePreciseAsFileTime = ::GetSystemTimePreciseAsFileTime,
    .QueryUnbiasedInterruptTime = ::QueryUnbiasedInterruptTime,
    .GetTickCount64 = ::GetTickCount64,
    .QueryInterruptTimePrecise = real_query_interrupt_time_precise,
    .QueryUnbiasedInterruptTimePrecise = real_query_unbiased_interrupt_time_precise,
};

const SysTable& sys() { return g_sys_table; }

bool under_wine() {
  static const bool is_wine = [] {
    const HMODULE module = ::GetModuleHandleW(L"ntdll.dll");
    return module != nullptr && ::GetProcAddress(module, "wine_get_version") != nullptr;
  }();
  return is_wine;
}

DWORD last_error() { return ::GetLastError(); }
void set_last_error(DWORD code) { ::SetLastError(code); }

}  // namespace holdfast::os
