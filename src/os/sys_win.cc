// SPDX-License-Identifier: Apache-2.0
#include "os/sys_win.h"

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

}  // namespace

// Declared for tests in src/testing and nowhere else.
extern SysTable g_sys_table;
constinit SysTable g_sys_table{
    .CreateFileW = ::CreateFileW,
    .CloseHandle = ::CloseHandle,
    .ReadFile = ::ReadFile,
    .WriteFile = ::WriteFile,
    .FlushFileBuffers = ::FlushFileBuffers,
    .LockFileEx = ::LockFileEx,
    .UnlockFileEx = ::UnlockFileEx,
    .SetFilePointerEx = ::SetFilePointerEx,
    .GetFileType = ::GetFileType,
    .GetFileInformationByHandle = ::GetFileInformationByHandle,
    .GetFileInformationByHandleEx = ::GetFileInformationByHandleEx,
    .SetFileInformationByHandle = ::SetFileInformationByHandle,
    .GetFileAttributesW = ::GetFileAttributesW,
    .GetFullPathNameW = ::GetFullPathNameW,
    .GetFinalPathNameByHandleW = ::GetFinalPathNameByHandleW,
    .CreateDirectoryW = ::CreateDirectoryW,
    .GetCurrentDirectoryW = ::GetCurrentDirectoryW,
    .GetVolumeInformationByHandleW = ::GetVolumeInformationByHandleW,
    .GetVolumePathNameW = ::GetVolumePathNameW,
    .GetDiskFreeSpaceExW = ::GetDiskFreeSpaceExW,
    .GetDriveTypeW = ::GetDriveTypeW,
    .GetSecurityInfo = ::GetSecurityInfo,
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
    .LocalFree = ::LocalFree,
    .GetStdHandle = ::GetStdHandle,
    .GetConsoleMode = ::GetConsoleMode,
    .GetConsoleScreenBufferInfo = ::GetConsoleScreenBufferInfo,
    .WriteConsoleW = ::WriteConsoleW,
    .ReadConsoleW = ::ReadConsoleW,
    .FormatMessageW = ::FormatMessageW,
    .GetEnvironmentVariableW = ::GetEnvironmentVariableW,
    .GetModuleFileNameW = ::GetModuleFileNameW,
    .GetComputerNameExW = ::GetComputerNameExW,
    .BCryptGenRandom = ::BCryptGenRandom,
    .BCryptOpenAlgorithmProvider = ::BCryptOpenAlgorithmProvider,
    .BCryptCreateHash = ::BCryptCreateHash,
    .BCryptHashData = ::BCryptHashData,
    .BCryptFinishHash = ::BCryptFinishHash,
    .BCryptDestroyHash = ::BCryptDestroyHash,
    .Sleep = ::Sleep,
    .GetSystemTimePreciseAsFileTime = ::GetSystemTimePreciseAsFileTime,
    .QueryUnbiasedInterruptTime = ::QueryUnbiasedInterruptTime,
    .GetTickCount64 = ::GetTickCount64,
    .QueryInterruptTimePrecise = real_query_interrupt_time_precise,
    .QueryUnbiasedInterruptTimePrecise = real_query_unbiased_interrupt_time_precise,
};

const SysTable& sys() { return g_sys_table; }

DWORD last_error() { return ::GetLastError(); }
void set_last_error(DWORD code) { ::SetLastError(code); }

}  // namespace holdfast::os
