// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_table.h"

#include <gtest/gtest.h>

#include "cli/frame/test_frame.h"
#include "cli/output/wrap.h"
#include "format/session/session_test_values.h"

namespace holdfast::cli {
namespace {

SessionFacts facts(const char* name, SessionState state) {
  SessionFacts facts;
  facts.view.record = full_session();
  facts.view.record.name = name;
  facts.view.state = state;
  facts.view.evidence = "supervisor-live";
  facts.pid = 4712;
  facts.elapsed = std::chrono::seconds(90);
  facts.deadline_left = std::chrono::minutes(58);
  facts.last_output = session_test_time(0);
  return facts;
}

std::vector<SessionRow> rows() {
  SessionFacts unknown = facts("elsewhere", SessionState::kRunning);
  unknown.view.known = false;
  return {facts("fix-160", SessionState::kRunning), unknown, facts("x\x1b[2J", SessionState::kLost),
          UnreadSession{.name = "bad", .why = {.code = ErrorCode::kCorrupt, .op = "read it"}}};
}

TEST(SessionTable, ShowsWhatIsThereAndWhatCannotBeRead) {
  const RecordingContext context;
  const std::string text = session_table(context, rows(), session_test_time(5000));
  EXPECT_NE(text.find("NAME"), text.npos);
  EXPECT_NE(text.find("fix-160"), text.npos);
  EXPECT_NE(text.find("1m30s"), text.npos);
  EXPECT_NE(text.find("58m"), text.npos);
  EXPECT_NE(text.find("running?"), text.npos);
  EXPECT_NE(text.find("unreadable"), text.npos);
  EXPECT_EQ(text.find('\x1b'), text.npos);
}

TEST(SessionTable, FitsEveryTerminal) {
  for (int width = 1; width < 120; ++width) {
    RecordingContext context;
    context.width = width;
    const std::string text = session_table(context, rows(), session_test_time(5000));
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      ASSERT_LE(columns_of(text.substr(at, end - at)), static_cast<std::size_t>(width)) << text;
      at = end + 1;
    }
  }
}

TEST(SessionText, NoByteOfARecordDrivesTheTerminal) {
  const RecordingContext context;
  SessionFacts shown = facts("x\x1b[2J\nforged", SessionState::kOrphaned);
  shown.view.record.detail = "\x1b]0;title\x07";
  shown.view.record.survivors = {"1 (\x1b[31m)"};
  const std::string text = session_text(context, shown, session_test_time(5000));
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_EQ(text.find("\nforged"), text.npos);
  EXPECT_NE(text.find("proves nothing"), text.npos);
}

}  // namespace
}  // namespace holdfast::cli
