// SPDX-License-Identifier: Apache-2.0
//
// Numbers are multiples of four, and OpenProcess forgives the rest: asked for 4713 it opens 4712.
// So a number that is no multiple of four is nobody's (open_pidfd).
#include "os/process/process_list.h"

#include <atomic>
#include <vector>

#include "os/path/wide_win.h"
#include "os/process/pidfd.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

std::string process_list_named(Pid pid) { return "process " + std::to_string(number(pid)); }

// Only a moment that was told is remembered: without one, every start would be another number, and
// who lives would look like one who is dead.
Result<std::uint64_t> boot_moment() {
  static std::atomic<std::uint64_t> known{0};
  std::uint64_t moment = known.load();
  if (moment != 0) return moment;
  if (sys().QueryBootMoment(&moment) == FALSE) {
    return fail(last_os_error("ask for the moment of", "the boot"));
  }
  known = moment;
  return moment;
}

Result<std::uint64_t> since_boot(FILETIME created) {
  const std::uint64_t boot = HF_TRY(boot_moment());
  const std::uint64_t at = join_halves(created.dwHighDateTime, created.dwLowDateTime);
  // What started before the clock was set right, early in the boot, wraps round and is still its
  // own number.
  return at - boot;
}

Result<ProcessBirth> birth_of(HANDLE process, const std::string& subject) {
  FILETIME created{};
  FILETIME exited{};
  FILETIME kernel{};
  FILETIME user{};
  if (sys().GetProcessTimes(process, &created, &exited, &kernel, &user) == FALSE) {
    return fail(last_os_error("ask for the start of", subject));
  }
  const DWORD ended = sys().WaitForSingleObject(process, 0);
  if (ended != WAIT_OBJECT_0 && ended != WAIT_TIMEOUT) {
    return fail(last_os_error("ask for the end of", subject));
  }
  return ProcessBirth{.start = HF_TRY(since_boot(created)), .ended = ended == WAIT_OBJECT_0};
}

// The SID of the user whose token a process has; in `buffer`.
Result<PSID> user_of(HANDLE process, std::vector<std::byte>& buffer) {
  HANDLE opened = nullptr;
  if (sys().OpenProcessToken(process, TOKEN_QUERY, &opened) == FALSE) {
    return fail(last_os_error("ask for the user of", "a process"));
  }
  const Handle token = own(opened);
  DWORD size = 0;
  sys().GetTokenInformation(handle_of(token), TokenUser, nullptr, 0, &size);
  buffer.resize(size);
  if (sys().GetTokenInformation(handle_of(token), TokenUser, buffer.data(), size, &size) == FALSE) {
    return fail(last_os_error("ask for the user of", "a process"));
  }
  return reinterpret_cast<const TOKEN_USER*>(buffer.data())->User.Sid;
}

}  // namespace

Result<> each_listed_process(const std::function<void(const ListedProcess&)>& visit) {
  const Handle list = own(sys().CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  if (!list.valid()) return fail(last_os_error("list", "the processes"));
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof(entry);
  for (BOOL more = sys().Process32FirstW(handle_of(list), &entry); more != FALSE;
       more = sys().Process32NextW(handle_of(list), &entry)) {
    visit({.pid = Pid{static_cast<std::int32_t>(entry.th32ProcessID)},
           .parent = Pid{static_cast<std::int32_t>(entry.th32ParentProcessID)},
           .threads = entry.cntThreads,
           .name = from_wide(&entry.szExeFile[0])});
  }
  if (last_error() != ERROR_NO_MORE_FILES) return fail(last_os_error("list", "the processes"));
  return {};
}

Result<std::optional<ProcessBirth>> process_birth(Pid pid) {
  const auto opened = open_pidfd(pid);
  if (!opened) return fail(opened.error());
  if (!*opened) return std::optional<ProcessBirth>();
  return std::optional(HF_TRY(birth_of(handle_of(**opened), process_list_named(pid))));
}

Result<ProcessBirth> process_birth(const Handle& process) {
  return birth_of(handle_of(process), "a process");
}

Result<std::uint32_t> process_user(const Handle& process) {
  std::vector<std::byte> theirs;
  std::vector<std::byte> ours;
  auto their_sid = user_of(handle_of(process), theirs);
  if (!their_sid) return fail(std::move(their_sid).error());
  auto our_sid = user_of(sys().GetCurrentProcess(), ours);
  if (!our_sid) return fail(std::move(our_sid).error());
  if (sys().EqualSid(*their_sid, *our_sid) != FALSE) return std::uint32_t{0};
  const auto* sid = static_cast<const SID*>(*their_sid);
  const std::uint8_t parts = sid->SubAuthorityCount;
  const std::uint32_t last = parts == 0 ? 0 : (&sid->SubAuthority[0])[parts - 1];
  return last == 0 ? 1 : last;
}

}  // namespace holdfast::os
