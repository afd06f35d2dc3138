// SPDX-License-Identifier: Apache-2.0
#include "os/file/security_win.h"

#include <array>

#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr std::string_view kEverybody = "NO_ACCESS_CONTROL";  // there is no list at all
constexpr SECURITY_INFORMATION kProtected = 0x80000000U;      // PROTECTED_DACL_SECURITY_INFORMATION
constexpr SECURITY_INFORMATION kInherits = 0x20000000U;  // UNPROTECTED_DACL_SECURITY_INFORMATION

Result<Handle> open_for(HANDLE handle, DWORD right, const std::string& path) {
  Handle again = own(sys().ReOpenFile(handle, right | READ_CONTROL | FILE_READ_ATTRIBUTES,
                                      kDenyNobody, kOpenLinkItself));
  if (again.valid()) return again;
  return fail(last_os_error("set the access to", path));
}

Result<LocalMemory> descriptor_from(const std::wstring& sddl, const std::string& path) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (sys().ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl.c_str(), SDDL_REVISION_1,
                                                                 &descriptor, nullptr) == FALSE) {
    return fail(last_os_error("set the access to", path));
  }
  return LocalMemory(descriptor);
}

}  // namespace

Result<std::string> access_list_text(HANDLE handle, const std::string& path) {
  PSECURITY_DESCRIPTOR raw = nullptr;
  const DWORD code = sys().GetSecurityInfo(handle, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION,
                                           nullptr, nullptr, nullptr, nullptr, &raw);
  if (code != ERROR_SUCCESS) return fail(win_error("read the access list of", path, code));
  const LocalMemory descriptor(raw);
  wchar_t* spelled = nullptr;
  if (sys().ConvertSecurityDescriptorToStringSecurityDescriptorW(
          raw, SDDL_REVISION_1, DACL_SECURITY_INFORMATION, &spelled, nullptr) == FALSE) {
    return fail(last_os_error("read the access list of", path));
  }
  const LocalMemory owned(spelled);
  const std::string sddl = from_wide(spelled);  // D:PAI(A;;FA;;;SY)…
  if (sddl.find(kEverybody) != std::string::npos || !sddl.starts_with("D:")) {
    return std::string(kEverybody);
  }
  const std::size_t entries = std::min(sddl.find('('), sddl.size());
  const bool is_protected = sddl.substr(2, entries - 2).find('P') != std::string::npos;
  return (is_protected ? "P" : "") + sddl.substr(entries);
}

Result<> set_access_list(HANDLE handle, const std::string& text, const std::string& path) {
  const bool plain = text == kEverybody || text.starts_with('P');
  const std::wstring sddl = HF_TRY(to_wide((plain ? "D:" : "D:ARAI") + text));
  const LocalMemory descriptor = HF_TRY(descriptor_from(sddl, path));
  const Handle to_set = HF_TRY(open_for(handle, WRITE_DAC, path));
  if (sys().SetKernelObjectSecurity(handle_of(to_set), DACL_SECURITY_INFORMATION,
                                    descriptor.get()) != FALSE) {
    return {};
  }
  return fail(last_os_error("set the access to", path));
}

Result<> set_access_for_mode(HANDLE handle, std::uint32_t mode, const std::string& path) {
  const Handle to_set = HF_TRY(open_for(handle, WRITE_DAC, path));
  BirthAccess access = HF_TRY(BirthAccess::for_mode(mode));
  if (access.attributes() != nullptr) {
    // As it is, and nothing computed: Wine would add what the directory passes on.
    if (sys().SetKernelObjectSecurity(handle_of(to_set), DACL_SECURITY_INFORMATION | kProtected,
                                      access.attributes()->lpSecurityDescriptor) != FALSE) {
      return {};
    }
    return fail(last_os_error("set the access to", path));
  }
  std::array<std::byte, sizeof(ACL)> nothing{};
  PACL list = reinterpret_cast<PACL>(nothing.data());
  *list = {.AclRevision = ACL_REVISION,
           .Sbz1 = 0,
           .AclSize = static_cast<WORD>(nothing.size()),
           .AceCount = 0,
           .Sbz2 = 0};
  const DWORD code =
      sys().SetSecurityInfo(handle_of(to_set), SE_FILE_OBJECT,
                            DACL_SECURITY_INFORMATION | kInherits, nullptr, nullptr, list, nullptr);
  if (code == ERROR_SUCCESS) return {};
  return fail(win_error("set the access to", path, code));
}

Result<std::string> owner_text(HANDLE handle, const std::string& path) {
  PSID owner = nullptr;
  PSECURITY_DESCRIPTOR raw = nullptr;
  const DWORD code = sys().GetSecurityInfo(handle, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION,
                                           &owner, nullptr, nullptr, nullptr, &raw);
  if (code != ERROR_SUCCESS) return fail(win_error("find the owner of", path, code));
  const LocalMemory descriptor(raw);
  wchar_t* spelled = nullptr;
  if (owner == nullptr || sys().ConvertSidToStringSidW(owner, &spelled) == FALSE) {
    return fail(last_os_error("find the owner of", path));
  }
  const LocalMemory owned(spelled);
  return from_wide(spelled);
}

Result<> set_owner_text(HANDLE handle, const std::string& sid, const std::string& path) {
  const LocalMemory descriptor = HF_TRY(descriptor_from(HF_TRY(to_wide("O:" + sid)), path));
  const Handle to_set = HF_TRY(open_for(handle, WRITE_OWNER, path));
  if (sys().SetKernelObjectSecurity(handle_of(to_set), OWNER_SECURITY_INFORMATION,
                                    descriptor.get()) != FALSE) {
    return {};
  }
  return fail(last_os_error("set the owner of", path));
}

}  // namespace holdfast::os
