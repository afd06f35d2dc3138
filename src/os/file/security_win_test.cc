// SPDX-License-Identifier: Apache-2.0
//
// The judgement on lists that Wine cannot put on a file, made in memory from SDDL. `SELF` in a list
// stands for the current user's SID.
#include "os/file/security_win.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast::os {
namespace {

using Owner = Exposure::Owner;
using Others = Exposure::Others;

std::wstring current_user() {
  HANDLE token = nullptr;
  EXPECT_NE(::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token), FALSE);
  alignas(TOKEN_USER) std::byte buffer[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  DWORD length = 0;
  EXPECT_NE(::GetTokenInformation(token, TokenUser, &buffer[0], sizeof(buffer), &length), FALSE);
  wchar_t* text = nullptr;
  EXPECT_NE(::ConvertSidToStringSidW(reinterpret_cast<TOKEN_USER*>(&buffer[0])->User.Sid, &text),
            FALSE);
  std::wstring user(text);
  ::LocalFree(text);
  ::CloseHandle(token);
  return user;
}

struct Parsed {
  LocalMemory descriptor;
  PSID owner = nullptr;
  PACL list = nullptr;
};

Parsed parse(std::wstring sddl) {
  for (std::size_t at = 0; (at = sddl.find(L"SELF")) != std::wstring::npos;) {
    sddl.replace(at, 4, current_user());
  }
  Parsed parsed;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const BOOL ok = ::ConvertStringSecurityDescriptorToSecurityDescriptorW(
      sddl.c_str(), SDDL_REVISION_1, &descriptor, nullptr);
  EXPECT_NE(ok, FALSE);
  if (ok == FALSE) return parsed;
  parsed.descriptor.reset(descriptor);
  BOOL present = FALSE;
  BOOL defaulted = FALSE;
  ::GetSecurityDescriptorOwner(descriptor, &parsed.owner, &defaulted);
  ::GetSecurityDescriptorDacl(descriptor, &present, &parsed.list, &defaulted);
  return parsed;
}

Result<Exposure> judge(const std::wstring& sddl) {
  const Parsed parsed = parse(sddl);
  return judge_access(parsed.owner, parsed.list, "f");
}

TEST(SecurityWin, SelfSystemAndAdministratorsAreNotOthers) {
  const Exposure exposure =
      judge(L"O:SELFD:P(A;;FA;;;SELF)(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;OW)").value();
  EXPECT_EQ(exposure.owner, Owner::kSelf);
  EXPECT_EQ(exposure.others, Others::kNothing);
}

TEST(SecurityWin, AnyRightThatChangesSomethingIsWriting) {
  for (const std::wstring right : {L"FA", L"FW", L"GW", L"GA", L"SD", L"WD", L"WO", L"0x2", L"0x4",
                                   L"0x10", L"0x40", L"0x100"}) {
    EXPECT_EQ(judge(L"O:SELFD:(A;;" + right + L";;;BU)").value().others, Others::kWrite)
        << std::string(right.begin(), right.end());
  }
}

TEST(SecurityWin, ReadingIsReading) {
  EXPECT_EQ(judge(L"O:SELFD:(A;;FR;;;WD)").value().others, Others::kRead);
  EXPECT_EQ(judge(L"O:SELFD:(A;;FX;;;BU)").value().others, Others::kRead);
  EXPECT_EQ(judge(L"O:SELFD:(A;;GR;;;BU)(A;;FW;;;AU)").value().others, Others::kWrite);
}

TEST(SecurityWin, NoListLetsEverybodyInAndAnEmptyOneNobody) {
  EXPECT_EQ(judge(L"O:SELF").value().others, Others::kWrite);
  EXPECT_EQ(judge(L"O:SELFD:").value().others, Others::kNothing);
}

TEST(SecurityWin, ADenialIsNotTakenAsProtection) {
  EXPECT_EQ(judge(L"O:SELFD:(D;;FA;;;WD)(A;;FW;;;WD)").value().others, Others::kWrite);
}

TEST(SecurityWin, EntriesForThingsBelowDoNotCountHere) {
  EXPECT_EQ(judge(L"O:SELFD:(A;OICIIO;FA;;;WD)").value().others, Others::kNothing);
}

// Every user may add directories to the root of a drive.
TEST(SecurityWin, WhoMayOnlyAddCannotSwap) {
  const Exposure adds = judge(L"O:SELFD:(A;;0x100006;;;AU)").value();
  EXPECT_EQ(adds.others, Others::kWrite);
  EXPECT_FALSE(adds.others_can_swap);
  // Remove what is in it, remove it, its list, its owner, its attributes; everything.
  for (const wchar_t* right :
       {L"0x40", L"0x10000", L"0x40000", L"0x80000", L"0x100", L"GA", L"GW"}) {
    const std::wstring list = std::wstring(L"O:SELFD:(A;;") + right + L";;;AU)";
    EXPECT_TRUE(judge(list).value().others_can_swap) << static_cast<int>(right[2]);
  }
  EXPECT_TRUE(judge(L"O:SELF").value().others_can_swap);
  EXPECT_FALSE(judge(L"O:SELFD:(A;;FR;;;WD)").value().others_can_swap);
}

TEST(SecurityWin, AnEntryOfAnUnknownKindIsCannotTell) {
  const Parsed parsed = parse(L"O:SELFD:(A;;FR;;;WD)");
  void* entry = nullptr;
  ASSERT_NE(::GetAce(parsed.list, 0, &entry), FALSE);
  static_cast<ACE_HEADER*>(entry)->AceType = ACCESS_ALLOWED_OBJECT_ACE_TYPE;
  const auto judged = judge_access(parsed.owner, parsed.list, "f");
  ASSERT_FALSE(judged);
  EXPECT_EQ(judged.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(judged.error().cause, "unknown-ace");
}

TEST(SecurityWin, AnotherOwnerIsOtherAndNoOwnerCannotBeTold) {
  EXPECT_EQ(judge(L"O:WDD:").value().owner, Owner::kOther);
  EXPECT_EQ(judge(L"O:SYD:").value().owner, Owner::kSystem);
  const std::wstring installer =
      L"O:S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464D:";
  EXPECT_EQ(judge(installer).value().owner, Owner::kSystem);
  EXPECT_EQ(judge(L"D:").error().code, ErrorCode::kCannotTell);
}

TEST(SecurityWin, AdministratorsAsOwnerAreSelfExactlyWhereTheGroupIsEffective) {
  BOOL effective = FALSE;
  alignas(SID) std::byte group[SECURITY_MAX_SID_SIZE];
  DWORD size = sizeof(group);
  ASSERT_NE(::CreateWellKnownSid(WinBuiltinAdministratorsSid, nullptr, &group[0], &size), FALSE);
  ASSERT_NE(::CheckTokenMembership(nullptr, &group[0], &effective), FALSE);
  EXPECT_EQ(judge(L"O:BAD:").value().owner, effective != FALSE ? Owner::kSelf : Owner::kSystem);
}

TEST(SecurityWin, OnlyAModeForTheOwnerAloneAsksForAListOfItsOwn) {
  for (const std::uint32_t mode : {0600U, 0700U, 0400U}) {
    EXPECT_NE(BirthAccess::for_mode(mode).value().attributes(), nullptr) << mode;
  }
  for (const std::uint32_t mode : {0644U, 0755U, 0640U, 0660U}) {
    EXPECT_EQ(BirthAccess::for_mode(mode).value().attributes(), nullptr) << mode;
  }
}

TEST(SecurityWin, TheListOfItsOwnIsProtectedAndLetsNobodyElseIn) {
  BirthAccess access = BirthAccess::for_mode(0600).value();
  ASSERT_NE(access.attributes(), nullptr);
  const PSECURITY_DESCRIPTOR descriptor = access.attributes()->lpSecurityDescriptor;
  EXPECT_EQ(access.attributes()->bInheritHandle, FALSE);
  SECURITY_DESCRIPTOR_CONTROL control = 0;
  DWORD revision = 0;
  ASSERT_NE(::GetSecurityDescriptorControl(descriptor, &control, &revision), FALSE);
  EXPECT_NE(control & SE_DACL_PROTECTED, 0);
  PSID owner = nullptr;
  PACL list = nullptr;
  BOOL present = FALSE;
  BOOL defaulted = FALSE;
  ASSERT_NE(::GetSecurityDescriptorOwner(descriptor, &owner, &defaulted), FALSE);
  ASSERT_NE(::GetSecurityDescriptorDacl(descriptor, &present, &list, &defaulted), FALSE);
  const Exposure exposure = judge_access(owner, list, "f").value();
  EXPECT_EQ(exposure.owner, Owner::kSelf);
  EXPECT_EQ(exposure.others, Others::kNothing);
}

}  // namespace
}  // namespace holdfast::os
