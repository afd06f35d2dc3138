// SPDX-License-Identifier: Apache-2.0
//
// The call table of Windows: every Win32 call that os makes goes through it, as on Linux
// (sys_linux.h), so that one place knows them all. Failing calls are swept on Linux only; here a
// test swaps single ones (testing/sys_swap_win.h).
//
// Code in os writes `sys().CreateFileW(…)`; a member has the name and exactly the type of the
// function behind it. Only sys_win.cc names the functions themselves. Semantics are Win32's: FALSE,
// NULL or kInvalidHandle, then last_error(); GetSecurityInfo returns its error, the BCrypt
// functions an NTSTATUS.
//
// The two precise interrupt clocks are looked up at run time, since neither older Windows nor Wine
// has them; a missing one answers FALSE and ERROR_CALL_NOT_IMPLEMENTED.
//
// To add a call: a member here, its function in sys_win.cc, its row in for_each_sys_call (a
// static_assert counts them).
//
// The constants below stand for macros of windows.h that are C-style casts.
//
// lint: long-file one table and its list, which must be read side by side
#pragma once

#include <windows.h>
// The order matters: these need what windows.h declares.
#include <aclapi.h>
#include <bcrypt.h>
#include <sddl.h>
#include <shellapi.h>
#include <tlhelp32.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::os {

inline constexpr std::intptr_t kInvalidHandle = -1;  // INVALID_HANDLE_VALUE
inline constexpr DWORD kStdInput = 0xFFFFFFF6U;      // STD_INPUT_HANDLE
inline constexpr DWORD kStdOutput = 0xFFFFFFF5U;     // STD_OUTPUT_HANDLE
inline constexpr DWORD kStdError = 0xFFFFFFF4U;      // STD_ERROR_HANDLE
inline constexpr DWORD kNoAttributes = 0xFFFFFFFFU;  // INVALID_FILE_ATTRIBUTES
inline constexpr DWORD kReadRights = 0x80000000U;    // GENERIC_READ
inline constexpr DWORD kWriteRights = 0x40000000U;   // GENERIC_WRITE
inline constexpr DWORD kDenyNobody = 0x7U;           // FILE_SHARE_READ|_WRITE|_DELETE
inline constexpr DWORD kDenyDelete = 0x3U;           // FILE_SHARE_READ|_WRITE
inline constexpr DWORD kOpenLinkItself =
    FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;  // directories too

// And these for what mingw-w64 10 hides or lacks.
inline constexpr DWORD kErrorIsDirectory = 336;    // ERROR_DIRECTORY_NOT_SUPPORTED
inline constexpr DWORD kErrorStoppedOnLink = 681;  // ERROR_STOPPED_ON_SYMLINK
inline constexpr DWORD kErrorQuota = 1295;         // ERROR_DISK_QUOTA_EXCEEDED
inline constexpr auto kDispositionEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(21);
inline constexpr DWORD kRemoveAtOnce = 0x1 | 0x2;  // FILE_DISPOSITION_FLAG_DELETE|_POSIX_SEMANTICS

// BOOL-returning forms of the void functions of the same name, so that a missing one can say so.
using InterruptClock = BOOL (*)(std::uint64_t* hundred_ns);

using BootMoment = BOOL (*)(std::uint64_t* hundred_ns);

struct SysTable {
  // Files and directories.
  decltype(&::CreateFileW) CreateFileW;
  decltype(&::ReOpenFile) ReOpenFile;
  decltype(&::CloseHandle) CloseHandle;
  decltype(&::ReadFile) ReadFile;
  decltype(&::WriteFile) WriteFile;
  decltype(&::FlushFileBuffers) FlushFileBuffers;
  decltype(&::LockFileEx) LockFileEx;
  decltype(&::UnlockFileEx) UnlockFileEx;
  decltype(&::SetFilePointerEx) SetFilePointerEx;
  decltype(&::GetFileType) GetFileType;
  decltype(&::DeviceIoControl) DeviceIoControl;
  decltype(&::GetFileInformationByHandle) GetFileInformationByHandle;
  decltype(&::GetFileInformationByHandleEx) GetFileInformationByHandleEx;
  decltype(&::SetFileInformationByHandle) SetFileInformationByHandle;
  decltype(&::GetFileAttributesW) GetFileAttributesW;
  decltype(&::GetFullPathNameW) GetFullPathNameW;
  decltype(&::GetLongPathNameW) GetLongPathNameW;
  decltype(&::GetFinalPathNameByHandleW) GetFinalPathNameByHandleW;
  decltype(&::CreateDirectoryW) CreateDirectoryW;
  decltype(&::CreateSymbolicLinkW) CreateSymbolicLinkW;
  decltype(&::GetCurrentDirectoryW) GetCurrentDirectoryW;
  decltype(&::GetVolumeInformationByHandleW) GetVolumeInformationByHandleW;
  decltype(&::GetVolumePathNameW) GetVolumePathNameW;
  decltype(&::GetDiskFreeSpaceExW) GetDiskFreeSpaceExW;
  decltype(&::GetDriveTypeW) GetDriveTypeW;
  // Who may touch them.
  decltype(&::GetSecurityInfo) GetSecurityInfo;
  decltype(&::SetSecurityInfo) SetSecurityInfo;
  decltype(&::SetKernelObjectSecurity) SetKernelObjectSecurity;
  decltype(&::GetAce) GetAce;
  decltype(&::EqualSid) EqualSid;
  decltype(&::IsWellKnownSid) IsWellKnownSid;
  decltype(&::CheckTokenMembership) CheckTokenMembership;
  decltype(&::GetCurrentProcess) GetCurrentProcess;
  decltype(&::OpenProcessToken) OpenProcessToken;
  decltype(&::GetTokenInformation) GetTokenInformation;
  decltype(&::ConvertSidToStringSidW) ConvertSidToStringSidW;
  decltype(&::ConvertStringSecurityDescriptorToSecurityDescriptorW)
      ConvertStringSecurityDescriptorToSecurityDescriptorW;
  decltype(&::ConvertSecurityDescriptorToStringSecurityDescriptorW)
      ConvertSecurityDescriptorToStringSecurityDescriptorW;
  decltype(&::LocalFree) LocalFree;
  decltype(&::CompareStringOrdinal) CompareStringOrdinal;
  // Streams.
  decltype(&::GetStdHandle) GetStdHandle;
  decltype(&::GetConsoleMode) GetConsoleMode;
  decltype(&::GetConsoleScreenBufferInfo) GetConsoleScreenBufferInfo;
  decltype(&::WriteConsoleW) WriteConsoleW;
  decltype(&::ReadConsoleW) ReadConsoleW;
  // The rest.
  decltype(&::FormatMessageW) FormatMessageW;
  decltype(&::GetEnvironmentVariableW) GetEnvironmentVariableW;
  decltype(&::GetModuleFileNameW) GetModuleFileNameW;
  decltype(&::GetCommandLineW) GetCommandLineW;
  decltype(&::CommandLineToArgvW) CommandLineToArgvW;
  decltype(&::GetComputerNameExW) GetComputerNameExW;
  decltype(&::BCryptGenRandom) BCryptGenRandom;
  decltype(&::BCryptOpenAlgorithmProvider) BCryptOpenAlgorithmProvider;
  decltype(&::BCryptCreateHash) BCryptCreateHash;
  decltype(&::BCryptHashData) BCryptHashData;
  decltype(&::BCryptFinishHash) BCryptFinishHash;
  decltype(&::BCryptDestroyHash) BCryptDestroyHash;
  // Processes, and waiting.
  decltype(&::CreateProcessW) CreateProcessW;
  decltype(&::TerminateProcess) TerminateProcess;
  decltype(&::ResumeThread) ResumeThread;
  decltype(&::GetExitCodeProcess) GetExitCodeProcess;
  decltype(&::GetCurrentProcessId) GetCurrentProcessId;
  decltype(&::WaitForSingleObject) WaitForSingleObject;
  decltype(&::WaitForMultipleObjects) WaitForMultipleObjects;
  decltype(&::DuplicateHandle) DuplicateHandle;
  decltype(&::SetHandleInformation) SetHandleInformation;
  decltype(&::GetHandleInformation) GetHandleInformation;
  decltype(&::CreatePipe) CreatePipe;
  decltype(&::PeekNamedPipe) PeekNamedPipe;
  decltype(&::CreateNamedPipeW) CreateNamedPipeW;
  decltype(&::ConnectNamedPipe) ConnectNamedPipe;
  decltype(&::DisconnectNamedPipe) DisconnectNamedPipe;
  decltype(&::WaitNamedPipeW) WaitNamedPipeW;
  decltype(&::CreateEventW) CreateEventW;
  decltype(&::SetEvent) SetEvent;
  decltype(&::ResetEvent) ResetEvent;
  decltype(&::CreateWaitableTimerW) CreateWaitableTimerW;
  decltype(&::SetWaitableTimer) SetWaitableTimer;
  decltype(&::CreateJobObjectW) CreateJobObjectW;
  decltype(&::AssignProcessToJobObject) AssignProcessToJobObject;
  decltype(&::IsProcessInJob) IsProcessInJob;
  decltype(&::SetErrorMode) SetErrorMode;
  decltype(&::SetInformationJobObject) SetInformationJobObject;
  decltype(&::QueryInformationJobObject) QueryInformationJobObject;
  decltype(&::TerminateJobObject) TerminateJobObject;
  decltype(&::CreateIoCompletionPort) CreateIoCompletionPort;
  decltype(&::GetQueuedCompletionStatus) GetQueuedCompletionStatus;
  decltype(&::PostQueuedCompletionStatus) PostQueuedCompletionStatus;
  decltype(&::InitializeProcThreadAttributeList) InitializeProcThreadAttributeList;
  decltype(&::UpdateProcThreadAttribute) UpdateProcThreadAttribute;
  decltype(&::DeleteProcThreadAttributeList) DeleteProcThreadAttributeList;
  decltype(&::GetEnvironmentStringsW) GetEnvironmentStringsW;
  decltype(&::FreeEnvironmentStringsW) FreeEnvironmentStringsW;
  decltype(&::SetConsoleCtrlHandler) SetConsoleCtrlHandler;
  decltype(&::GenerateConsoleCtrlEvent) GenerateConsoleCtrlEvent;
  decltype(&::CancelIoEx) CancelIoEx;
  decltype(&::FindFirstChangeNotificationW) FindFirstChangeNotificationW;
  decltype(&::FindNextChangeNotification) FindNextChangeNotification;
  decltype(&::SetCurrentDirectoryW) SetCurrentDirectoryW;
  decltype(&::GetActiveProcessorCount) GetActiveProcessorCount;
  decltype(&::OpenProcess) OpenProcess;
  decltype(&::GetProcessTimes) GetProcessTimes;
  decltype(&::CreateToolhelp32Snapshot) CreateToolhelp32Snapshot;
  decltype(&::Process32FirstW) Process32FirstW;
  decltype(&::Process32NextW) Process32NextW;
  decltype(&::GetOverlappedResult) GetOverlappedResult;
  decltype(&::RegGetValueW) RegGetValueW;
  // The moment of the boot in 100 ns since 1601, the same however the clock is set
  // (BOOL-returning).
  BootMoment QueryBootMoment;
  decltype(&::GetSystemDirectoryW) GetSystemDirectoryW;
  decltype(&::SetEnvironmentVariableW) SetEnvironmentVariableW;
  decltype(&::GetConsoleCP) GetConsoleCP;
  decltype(&::Sleep) Sleep;
  decltype(&::GetSystemTimePreciseAsFileTime) GetSystemTimePreciseAsFileTime;
  decltype(&::QueryUnbiasedInterruptTime) QueryUnbiasedInterruptTime;
  decltype(&::GetTickCount64) GetTickCount64;
  InterruptClock QueryInterruptTimePrecise;
  InterruptClock QueryUnbiasedInterruptTimePrecise;
};

const SysTable& sys();

// Is this no Windows but Wine, whose handles are of what a link leads to (entry_win.h)?
bool under_wine();

// Of this thread. Not in the table: they are to Win32 what errno is to POSIX.
DWORD last_error();
void set_last_error(DWORD code);

enum class Effect : std::uint8_t {
  kQuery,   // looks, or changes only this process
  kMutate,  // changes what other processes or a later boot can see
  kOpen,    // mutates only with CREATE_NEW and the like
};

// Calls `visit.template operator()<&SysTable::member>(name, effect)` for every member, in order.
template <typename Visitor>
constexpr void for_each_sys_call(Visitor&& visit) {
  visit.template operator()<&SysTable::CreateFileW>("CreateFileW", Effect::kOpen);
  visit.template operator()<&SysTable::ReOpenFile>("ReOpenFile", Effect::kOpen);
  visit.template operator()<&SysTable::CloseHandle>("CloseHandle", Effect::kQuery);
  visit.template operator()<&SysTable::ReadFile>("ReadFile", Effect::kQuery);
  visit.template operator()<&SysTable::WriteFile>("WriteFile", Effect::kMutate);
  visit.template operator()<&SysTable::FlushFileBuffers>("FlushFileBuffers", Effect::kMutate);
  visit.template operator()<&SysTable::LockFileEx>("LockFileEx", Effect::kMutate);
  visit.template operator()<&SysTable::UnlockFileEx>("UnlockFileEx", Effect::kMutate);
  visit.template operator()<&SysTable::SetFilePointerEx>("SetFilePointerEx", Effect::kQuery);
  visit.template operator()<&SysTable::GetFileType>("GetFileType", Effect::kQuery);
  visit.template operator()<&SysTable::DeviceIoControl>("DeviceIoControl", Effect::kQuery);
  visit.template operator()<&SysTable::GetFileInformationByHandle>("GetFileInformationByHandle",
                                                                   Effect::kQuery);
  visit.template operator()<&SysTable::GetFileInformationByHandleEx>("GetFileInformationByHandleEx",
                                                                     Effect::kQuery);
  visit.template operator()<&SysTable::SetFileInformationByHandle>("SetFileInformationByHandle",
                                                                   Effect::kMutate);
  visit.template operator()<&SysTable::GetFileAttributesW>("GetFileAttributesW", Effect::kQuery);
  visit.template operator()<&SysTable::GetFullPathNameW>("GetFullPathNameW", Effect::kQuery);
  visit.template operator()<&SysTable::GetLongPathNameW>("GetLongPathNameW", Effect::kQuery);
  visit.template operator()<&SysTable::GetFinalPathNameByHandleW>("GetFinalPathNameByHandleW",
                                                                  Effect::kQuery);
  visit.template operator()<&SysTable::CreateDirectoryW>("CreateDirectoryW", Effect::kMutate);
  visit.template operator()<&SysTable::CreateSymbolicLinkW>("CreateSymbolicLinkW", Effect::kMutate);
  visit.template operator()<&SysTable::GetCurrentDirectoryW>("GetCurrentDirectoryW",
                                                             Effect::kQuery);
  visit.template operator()<&SysTable::GetVolumeInformationByHandleW>(
      "GetVolumeInformationByHandleW", Effect::kQuery);
  visit.template operator()<&SysTable::GetVolumePathNameW>("GetVolumePathNameW", Effect::kQuery);
  visit.template operator()<&SysTable::GetDiskFreeSpaceExW>("GetDiskFreeSpaceExW", Effect::kQuery);
  visit.template operator()<&SysTable::GetDriveTypeW>("GetDriveTypeW", Effect::kQuery);
  visit.template operator()<&SysTable::GetSecurityInfo>("GetSecurityInfo", Effect::kQuery);
  visit.template operator()<&SysTable::SetSecurityInfo>("SetSecurityInfo", Effect::kMutate);
  visit.template operator()<&SysTable::SetKernelObjectSecurity>("SetKernelObjectSecurity",
                                                                Effect::kMutate);
  visit.template operator()<&SysTable::GetAce>("GetAce", Effect::kQuery);
  visit.template operator()<&SysTable::EqualSid>("EqualSid", Effect::kQuery);
  visit.template operator()<&SysTable::IsWellKnownSid>("IsWellKnownSid", Effect::kQuery);
  visit.template operator()<&SysTable::CheckTokenMembership>("CheckTokenMembership",
                                                             Effect::kQuery);
  visit.template operator()<&SysTable::GetCurrentProcess>("GetCurrentProcess", Effect::kQuery);
  visit.template operator()<&SysTable::OpenProcessToken>("OpenProcessToken", Effect::kQuery);
  visit.template operator()<&SysTable::GetTokenInformation>("GetTokenInformation", Effect::kQuery);
  visit.template operator()<&SysTable::ConvertSidToStringSidW>("ConvertSidToStringSidW",
                                                               Effect::kQuery);
  visit.template operator()<&SysTable::ConvertStringSecurityDescriptorToSecurityDescriptorW>(
      "ConvertStringSecurityDescriptorToSecurityDescriptorW", Effect::kQuery);
  visit.template operator()<&SysTable::ConvertSecurityDescriptorToStringSecurityDescriptorW>(
      "ConvertSecurityDescriptorToStringSecurityDescriptorW", Effect::kQuery);
  visit.template operator()<&SysTable::LocalFree>("LocalFree", Effect::kQuery);
  visit.template operator()<&SysTable::CompareStringOrdinal>("CompareStringOrdinal",
                                                             Effect::kQuery);
  visit.template operator()<&SysTable::GetStdHandle>("GetStdHandle", Effect::kQuery);
  visit.template operator()<&SysTable::GetConsoleMode>("GetConsoleMode", Effect::kQuery);
  visit.template operator()<&SysTable::GetConsoleScreenBufferInfo>("GetConsoleScreenBufferInfo",
                                                                   Effect::kQuery);
  visit.template operator()<&SysTable::WriteConsoleW>("WriteConsoleW", Effect::kQuery);
  visit.template operator()<&SysTable::ReadConsoleW>("ReadConsoleW", Effect::kQuery);
  visit.template operator()<&SysTable::FormatMessageW>("FormatMessageW", Effect::kQuery);
  visit.template operator()<&SysTable::GetEnvironmentVariableW>("GetEnvironmentVariableW",
                                                                Effect::kQuery);
  visit.template operator()<&SysTable::GetModuleFileNameW>("GetModuleFileNameW", Effect::kQuery);
  visit.template operator()<&SysTable::GetCommandLineW>("GetCommandLineW", Effect::kQuery);
  visit.template operator()<&SysTable::CommandLineToArgvW>("CommandLineToArgvW", Effect::kQuery);
  visit.template operator()<&SysTable::GetComputerNameExW>("GetComputerNameExW", Effect::kQuery);
  visit.template operator()<&SysTable::BCryptGenRandom>("BCryptGenRandom", Effect::kQuery);
  visit.template operator()<&SysTable::BCryptOpenAlgorithmProvider>("BCryptOpenAlgorithmProvider",
                                                                    Effect::kQuery);
  visit.template operator()<&SysTable::BCryptCreateHash>("BCryptCreateHash", Effect::kQuery);
  visit.template operator()<&SysTable::BCryptHashData>("BCryptHashData", Effect::kQuery);
  visit.template operator()<&SysTable::BCryptFinishHash>("BCryptFinishHash", Effect::kQuery);
  visit.template operator()<&SysTable::BCryptDestroyHash>("BCryptDestroyHash", Effect::kQuery);
  visit.template operator()<&SysTable::CreateProcessW>("CreateProcessW", Effect::kMutate);
  visit.template operator()<&SysTable::TerminateProcess>("TerminateProcess", Effect::kMutate);
  visit.template operator()<&SysTable::ResumeThread>("ResumeThread", Effect::kMutate);
  visit.template operator()<&SysTable::GetExitCodeProcess>("GetExitCodeProcess", Effect::kQuery);
  visit.template operator()<&SysTable::GetCurrentProcessId>("GetCurrentProcessId", Effect::kQuery);
  visit.template operator()<&SysTable::WaitForSingleObject>("WaitForSingleObject", Effect::kQuery);
  visit.template operator()<&SysTable::WaitForMultipleObjects>("WaitForMultipleObjects",
                                                               Effect::kQuery);
  visit.template operator()<&SysTable::DuplicateHandle>("DuplicateHandle", Effect::kQuery);
  visit.template operator()<&SysTable::SetHandleInformation>("SetHandleInformation",
                                                             Effect::kQuery);
  visit.template operator()<&SysTable::GetHandleInformation>("GetHandleInformation",
                                                             Effect::kQuery);
  visit.template operator()<&SysTable::CreatePipe>("CreatePipe", Effect::kQuery);
  visit.template operator()<&SysTable::PeekNamedPipe>("PeekNamedPipe", Effect::kQuery);
  visit.template operator()<&SysTable::CreateNamedPipeW>("CreateNamedPipeW", Effect::kMutate);
  visit.template operator()<&SysTable::ConnectNamedPipe>("ConnectNamedPipe", Effect::kQuery);
  visit.template operator()<&SysTable::DisconnectNamedPipe>("DisconnectNamedPipe", Effect::kQuery);
  visit.template operator()<&SysTable::WaitNamedPipeW>("WaitNamedPipeW", Effect::kQuery);
  visit.template operator()<&SysTable::CreateEventW>("CreateEventW", Effect::kQuery);
  visit.template operator()<&SysTable::SetEvent>("SetEvent", Effect::kQuery);
  visit.template operator()<&SysTable::ResetEvent>("ResetEvent", Effect::kQuery);
  visit.template operator()<&SysTable::CreateWaitableTimerW>("CreateWaitableTimerW",
                                                             Effect::kQuery);
  visit.template operator()<&SysTable::SetWaitableTimer>("SetWaitableTimer", Effect::kQuery);
  visit.template operator()<&SysTable::CreateJobObjectW>("CreateJobObjectW", Effect::kQuery);
  visit.template operator()<&SysTable::AssignProcessToJobObject>("AssignProcessToJobObject",
                                                                 Effect::kMutate);
  visit.template operator()<&SysTable::IsProcessInJob>("IsProcessInJob", Effect::kQuery);
  visit.template operator()<&SysTable::SetErrorMode>("SetErrorMode", Effect::kQuery);
  visit.template operator()<&SysTable::SetInformationJobObject>("SetInformationJobObject",
                                                                Effect::kMutate);
  visit.template operator()<&SysTable::QueryInformationJobObject>("QueryInformationJobObject",
                                                                  Effect::kQuery);
  visit.template operator()<&SysTable::TerminateJobObject>("TerminateJobObject", Effect::kMutate);
  visit.template operator()<&SysTable::CreateIoCompletionPort>("CreateIoCompletionPort",
                                                               Effect::kQuery);
  visit.template operator()<&SysTable::GetQueuedCompletionStatus>("GetQueuedCompletionStatus",
                                                                  Effect::kQuery);
  visit.template operator()<&SysTable::PostQueuedCompletionStatus>("PostQueuedCompletionStatus",
                                                                   Effect::kQuery);
  visit.template operator()<&SysTable::InitializeProcThreadAttributeList>(
      "InitializeProcThreadAttributeList", Effect::kQuery);
  visit.template operator()<&SysTable::UpdateProcThreadAttribute>("UpdateProcThreadAttribute",
                                                                  Effect::kQuery);
  visit.template operator()<&SysTable::DeleteProcThreadAttributeList>(
      "DeleteProcThreadAttributeList", Effect::kQuery);
  visit.template operator()<&SysTable::GetEnvironmentStringsW>("GetEnvironmentStringsW",
                                                               Effect::kQuery);
  visit.template operator()<&SysTable::FreeEnvironmentStringsW>("FreeEnvironmentStringsW",
                                                                Effect::kQuery);
  visit.template operator()<&SysTable::SetConsoleCtrlHandler>("SetConsoleCtrlHandler",
                                                              Effect::kQuery);
  visit.template operator()<&SysTable::GenerateConsoleCtrlEvent>("GenerateConsoleCtrlEvent",
                                                                 Effect::kMutate);
  visit.template operator()<&SysTable::CancelIoEx>("CancelIoEx", Effect::kQuery);
  visit.template operator()<&SysTable::FindFirstChangeNotificationW>("FindFirstChangeNotificationW",
                                                                     Effect::kQuery);
  visit.template operator()<&SysTable::FindNextChangeNotification>("FindNextChangeNotification",
                                                                   Effect::kQuery);
  visit.template operator()<&SysTable::SetCurrentDirectoryW>("SetCurrentDirectoryW",
                                                             Effect::kQuery);
  visit.template operator()<&SysTable::GetActiveProcessorCount>("GetActiveProcessorCount",
                                                                Effect::kQuery);
  visit.template operator()<&SysTable::OpenProcess>("OpenProcess", Effect::kQuery);
  visit.template operator()<&SysTable::GetProcessTimes>("GetProcessTimes", Effect::kQuery);
  visit.template operator()<&SysTable::CreateToolhelp32Snapshot>("CreateToolhelp32Snapshot",
                                                                 Effect::kQuery);
  visit.template operator()<&SysTable::Process32FirstW>("Process32FirstW", Effect::kQuery);
  visit.template operator()<&SysTable::Process32NextW>("Process32NextW", Effect::kQuery);
  visit.template operator()<&SysTable::GetOverlappedResult>("GetOverlappedResult", Effect::kQuery);
  visit.template operator()<&SysTable::RegGetValueW>("RegGetValueW", Effect::kQuery);
  visit.template operator()<&SysTable::QueryBootMoment>("QueryBootMoment", Effect::kQuery);
  visit.template operator()<&SysTable::GetSystemDirectoryW>("GetSystemDirectoryW", Effect::kQuery);
  visit.template operator()<&SysTable::SetEnvironmentVariableW>("SetEnvironmentVariableW",
                                                                Effect::kQuery);
  visit.template operator()<&SysTable::GetConsoleCP>("GetConsoleCP", Effect::kQuery);
  visit.template operator()<&SysTable::Sleep>("Sleep", Effect::kQuery);
  visit.template operator()<&SysTable::GetSystemTimePreciseAsFileTime>(
      "GetSystemTimePreciseAsFileTime", Effect::kQuery);
  visit.template operator()<&SysTable::QueryUnbiasedInterruptTime>("QueryUnbiasedInterruptTime",
                                                                   Effect::kQuery);
  visit.template operator()<&SysTable::GetTickCount64>("GetTickCount64", Effect::kQuery);
  visit.template operator()<&SysTable::QueryInterruptTimePrecise>("QueryInterruptTimePrecise",
                                                                  Effect::kQuery);
  visit.template operator()<&SysTable::QueryUnbiasedInterruptTimePrecise>(
      "QueryUnbiasedInterruptTimePrecise", Effect::kQuery);
}

struct SysCallCounter {
  std::size_t count = 0;
  template <auto Member>
  constexpr void operator()(std::string_view, Effect) {
    ++count;
  }
};
static_assert(
    [] {
      SysCallCounter counter;
      for_each_sys_call(counter);
      return counter.count;
    }() == sizeof(SysTable) / sizeof(void (*)()),
    "for_each_sys_call and SysTable disagree");

}  // namespace holdfast::os
