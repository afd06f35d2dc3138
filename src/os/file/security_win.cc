// SPDX-License-Identifier: Apache-2.0
#include "os/file/security_win.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

// FILE_WRITE_ATTRIBUTES counts as writing: it is enough to turn a directory into a junction.
constexpr DWORD kWriting = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_WRITE_EA |
                           FILE_WRITE_ATTRIBUTES | FILE_DELETE_CHILD | DELETE | WRITE_DAC |
                           WRITE_OWNER | 0x40000000U /* GENERIC_WRITE */ |
                           0x10000000U /* GENERIC_ALL */ | 0x02000000U /* MAXIMUM_ALLOWED */;
// Of a directory: the same without the rights to add a file or a directory to it, which every user
// has to the root of a drive.
constexpr DWORD kSwapping = kWriting & ~DWORD{FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY};
constexpr DWORD kReading = FILE_READ_DATA | FILE_READ_EA | FILE_EXECUTE |
                           0x80000000U /* GENERIC_READ */ | 0x20000000U /* GENERIC_EXECUTE */;

struct CurrentUser {
  alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> bytes{};
  [[nodiscard]] PSID sid() { return reinterpret_cast<TOKEN_USER*>(bytes.data())->User.Sid; }
};

// Fills in place: the SID points into the buffer.
Result<> ask_current_user(CurrentUser& user) {
  HANDLE raw = nullptr;
  if (sys().OpenProcessToken(sys().GetCurrentProcess(), TOKEN_QUERY, &raw) == FALSE) {
    return fail(last_os_error("ask for", "the current user"));
  }
  const Handle token = own(raw);
  DWORD length = 0;
  if (sys().GetTokenInformation(raw, TokenUser, user.bytes.data(),
                                static_cast<DWORD>(user.bytes.size()), &length) == FALSE) {
    return fail(last_os_error("ask for", "the current user"));
  }
  return {};
}

Error cannot_judge(const std::string& path, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kCannotTell,
          .op = "judge the access to",
          .subject = path,
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

// S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464, the owner of what Windows itself
// has put there; there is no other name for it.
bool is_trusted_installer(PSID sid) {
  struct {
    SID head;
    DWORD more[5];
  } known{.head = {.Revision = SID_REVISION,
                   .SubAuthorityCount = 6,
                   .IdentifierAuthority = {{0, 0, 0, 0, 0, 5}},
                   .SubAuthority = {80}},
          .more = {956008885, 3418522649, 1831038044, 1853292631, 2271478464}};
  return sys().EqualSid(sid, &known) != FALSE;
}

bool is_trusted(PSID sid, CurrentUser& self) {
  if (sys().EqualSid(sid, self.sid()) != FALSE || is_trusted_installer(sid)) return true;
  constexpr std::array kTrusted{WinLocalSystemSid, WinBuiltinAdministratorsSid, WinCreatorOwnerSid,
                                WinCreatorOwnerRightsSid};
  return std::ranges::any_of(kTrusted,
                             [&](auto known) { return sys().IsWellKnownSid(sid, known) != FALSE; });
}

// A denial is passed over: it could only take away from what an allowance is seen to give.
Result<> judge_list(PACL list, CurrentUser& self, const std::string& path, Exposure& exposure) {
  exposure.others = Exposure::Others::kWrite;
  exposure.others_can_swap = true;
  if (list == nullptr) return {};
  auto others = Exposure::Others::kNothing;
  bool can_swap = false;
  for (DWORD i = 0; i < list->AceCount; ++i) {
    void* raw = nullptr;
    if (sys().GetAce(list, i, &raw) == FALSE) {
      return fail(last_os_error("judge the access to", path));
    }
    auto* entry = static_cast<ACCESS_ALLOWED_ACE*>(raw);  // all kinds start alike
    if ((entry->Header.AceFlags & INHERIT_ONLY_ACE) != 0) continue;
    switch (entry->Header.AceType) {
      case ACCESS_DENIED_ACE_TYPE:
      case ACCESS_DENIED_OBJECT_ACE_TYPE:
      case ACCESS_DENIED_CALLBACK_ACE_TYPE:
      case ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE:
        continue;
      case ACCESS_ALLOWED_ACE_TYPE:
      case ACCESS_ALLOWED_CALLBACK_ACE_TYPE:  // its condition is taken as met
        break;
      default:
        return fail(cannot_judge(path, "unknown-ace",
                                 "its access control list has an entry of the unknown kind " +
                                     std::to_string(entry->Header.AceType)));
    }
    if (is_trusted(&entry->SidStart, self)) continue;
    if ((entry->Mask & kReading) != 0) others = std::max(others, Exposure::Others::kRead);
    if ((entry->Mask & kWriting) != 0) others = Exposure::Others::kWrite;
    can_swap = can_swap || (entry->Mask & kSwapping) != 0;
  }
  exposure.others = others;
  exposure.others_can_swap = can_swap;
  return {};
}

// What an elevated administrator creates may belong to the group Administrators: that is "self" for
// a process in which the group is effective, and for no other (a process that is not elevated has
// it for denials only).
Result<Exposure::Owner> judge_owner(PSID owner, CurrentUser& self, const std::string& path) {
  if (owner == nullptr) return fail(cannot_judge(path, "no-owner", "it has no owner"));
  if (sys().EqualSid(owner, self.sid()) != FALSE) return Exposure::Owner::kSelf;
  if (sys().IsWellKnownSid(owner, WinLocalSystemSid) != FALSE || is_trusted_installer(owner)) {
    return Exposure::Owner::kSystem;
  }
  if (sys().IsWellKnownSid(owner, WinBuiltinAdministratorsSid) == FALSE) {
    return Exposure::Owner::kOther;
  }
  BOOL effective = FALSE;
  if (sys().CheckTokenMembership(nullptr, owner, &effective) == FALSE) {
    return fail(last_os_error("judge the owner of", path));
  }
  return effective != FALSE ? Exposure::Owner::kSelf : Exposure::Owner::kSystem;
}

}  // namespace

Result<Exposure> judge_access(PSID owner, PACL list, const std::string& path) {
  CurrentUser self;
  HF_TRY(ask_current_user(self));
  Exposure exposure;
  exposure.owner = HF_TRY(judge_owner(owner, self, path));
  HF_TRY(judge_list(list, self, path, exposure));
  return exposure;
}

Result<Exposure> exposure_of(HANDLE handle, const std::string& path) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR raw = nullptr;
  const DWORD code = sys().GetSecurityInfo(handle, SE_FILE_OBJECT,
                                           OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                           &owner, nullptr, &list, nullptr, &raw);
  if (code != ERROR_SUCCESS) return fail(win_error("judge the access to", path, code));
  const LocalMemory descriptor(raw);
  return judge_access(owner, list, path);
}

Result<BirthAccess> BirthAccess::for_mode(std::uint32_t mode) {
  BirthAccess access;
  if ((mode & 077U) != 0) return access;
  CurrentUser self;
  HF_TRY(ask_current_user(self));
  wchar_t* text = nullptr;
  if (sys().ConvertSidToStringSidW(self.sid(), &text) == FALSE) {
    return fail(last_os_error("spell", "the current user"));
  }
  const LocalMemory owned_text(text);
  const std::wstring user(text);
  const std::wstring list =
      L"O:" + user + L"D:P(A;OICI;FA;;;" + user + L")(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)";
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (sys().ConvertStringSecurityDescriptorToSecurityDescriptorW(list.c_str(), SDDL_REVISION_1,
                                                                 &descriptor, nullptr) == FALSE) {
    return fail(last_os_error("make", "an access control list"));
  }
  access.descriptor_.reset(descriptor);
  access.attributes_ = {.nLength = sizeof(SECURITY_ATTRIBUTES),
                        .lpSecurityDescriptor = descriptor,
                        .bInheritHandle = FALSE};
  return access;
}

}  // namespace holdfast::os
