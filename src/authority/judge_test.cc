// SPDX-License-Identifier: Apache-2.0
//
// "Dead" is said in two cases only: the one who vouches answered and did not list it, or the kernel
// proved it. Every row of the table is a way in which something else would be a mistake.
#include <gtest/gtest.h>

#include <functional>

#include "authority/ask.h"
#include "authority/engine.h"

namespace holdfast::authority {
namespace {

const std::string kId(64, 'a');

Id128 machine(std::uint8_t n) {
  Id128 id;
  id.bytes[0] = n;
  return id;
}

Authority container() {
  return {.kind = AuthorityKind::kPodman,
          .id = "web",
          .full_id = kId,
          .daemon = "store",
          .endpoint = "local",
          .uid = 7,
          .machine = machine(1)};
}

Answer empty_answer() {
  return {.told = true, .daemon = "store", .endpoint = "local", .uid = 7, .machine = machine(1)};
}

struct Row {
  std::string what;
  std::function<void(Authority&, Answer&)> change;
  Vouched vouched;
  std::string reason;
};

TEST(Judge, OfEveryWayAnAnswerCanBeWrongNoneIsDeath) {
  const std::vector<Row> rows{
      {"nothing is wrong, and it is not there", [](auto&, auto&) {}, Vouched::kDead, "not-listed"},
      {"by name", [](auto&, auto& a) { a.exist = {"web"}; }, Vouched::kLive, "listed"},
      {"renamed", [](auto&, auto& a) { a.exist = {"other", kId}; }, Vouched::kLive, "listed"},
      {"typed as the beginning of an id",
       [](auto& r, auto& a) {
         r.id = "aaaa";
         r.full_id.clear();
         a.exist = {kId, "other"};
       },
       Vouched::kLive, "listed"},
      {"the beginning of a name is not the name",
       [](auto& r, auto& a) {
         r.id = "ab";
         r.full_id.clear();
         a.exist = {"abc"};
       },
       Vouched::kDead, "not-listed"},
      {"not told",
       [](auto&, auto& a) {
         a.told = false;
         a.reason = "timed-out";
       },
       Vouched::kUnknown, "timed-out"},
      {"daemon", [](auto&, auto& a) { a.daemon = "x"; }, Vouched::kUnknown, "other-daemon"},
      {"a daemon without a name is none", [](auto& r, auto& a) { r.daemon = a.daemon = ""; },
       Vouched::kUnknown, "other-daemon"},
      {"endpoint", [](auto&, auto& a) { a.endpoint = "x"; }, Vouched::kUnknown, "other-endpoint"},
      {"user", [](auto&, auto& a) { a.uid = 8; }, Vouched::kUnknown, "other-user"},
      {"machine", [](auto&, auto& a) { a.machine = machine(2); }, Vouched::kUnknown,
       "other-machine"},
      {"zeros equal nothing, not even zeros",
       [](auto& r, auto& a) { r.machine = a.machine = Id128{}; }, Vouched::kUnknown,
       "other-machine"},
      {"listed by another daemon is not life either",
       [](auto&, auto& a) {
         a.daemon = "x";
         a.exist = {"web"};
       },
       Vouched::kUnknown, "other-daemon"},
      {"the session's name counts for commands only",
       [](auto&, auto& a) { a.exist = {"the-session"}; }, Vouched::kDead, "not-listed"},
  };
  for (const Row& row : rows) {
    Authority authority = container();
    Answer answer = empty_answer();
    row.change(authority, answer);
    const Verdict verdict = judge(authority, "the-session", &answer);
    EXPECT_EQ(verdict.vouched, row.vouched) << row.what;
    EXPECT_EQ(verdict.reason, row.reason) << row.what;
    EXPECT_FALSE(verdict.by_identity) << row.what;
  }
}

TEST(Judge, NobodyAskedIsNoAnswer) {
  const Verdict verdict = judge(container(), "s", nullptr);
  EXPECT_EQ(verdict.vouched, Vouched::kUnknown);
  EXPECT_EQ(verdict.reason, "not-asked");
}

TEST(Judge, EveryRewritingOfANameIsFollowed) {
  const auto listed = [](AuthorityKind kind, const std::string& id, const std::string& name) {
    Authority authority = container();
    authority.kind = kind;
    authority.id = id;
    authority.full_id.clear();
    Answer answer = empty_answer();
    answer.exist = {name};
    return judge(authority, "session", &answer).reason;
  };
  using enum AuthorityKind;
  EXPECT_EQ(listed(kDocker, "/web", "web"), "listed");
  EXPECT_EQ(listed(kTmux, "a.b:c", "a_b_c"), "listed");
  EXPECT_EQ(listed(kTmux, "k\u00e4se", "k\u00e4se"), "listed");
  EXPECT_EQ(listed(kTmux, "$3", "$3"), "listed");
  EXPECT_EQ(listed(kTmux, "a\\b", "x"), "bad-authority");
  EXPECT_EQ(listed(kSystemd, "job", "job.service"), "listed");
  EXPECT_EQ(listed(kSystemd, "job.timer", "job.timer"), "listed");
  EXPECT_EQ(listed(kSystemd, "user:job", "job.service"), "listed");
  EXPECT_EQ(listed(kSystemd, "job.timer", "job.service"), "not-listed");
  EXPECT_EQ(listed(kSystemd, "/mnt", "mnt.mount"), "bad-authority");
  EXPECT_EQ(listed(kCommand, "jobs/17", "jobs/17"), "listed");
  EXPECT_EQ(listed(kCommand, "jobs/17", "17"), "listed");
  EXPECT_EQ(listed(kCommand, "jobs/17", "session"), "listed");
  EXPECT_EQ(listed(kCommand, "jobs/17", "jobs"), "not-listed");
}

TEST(Describe, AProcessThatIsNotThereOrIsNoNumberIsRefused) {
  EXPECT_EQ(describe({AuthorityKind::kProcess, "4194305"}).error().code, ErrorCode::kNotFound);
  for (const char* id : {"0", "-1", "1x", "x", "99999999999"}) {
    EXPECT_EQ(describe({AuthorityKind::kProcess, id}).error().cause, "bad-authority") << id;
  }
}

}  // namespace
}  // namespace holdfast::authority
