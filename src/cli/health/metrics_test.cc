// SPDX-License-Identifier: Apache-2.0
#include "cli/health/metrics.h"

#include <gtest/gtest.h>

#include "format/json/json.h"

namespace holdfast::cli {
namespace {

Metrics some() {
  Metrics metrics;
  metrics.events = {{"lock.fail_open", 3}, {"journal.repaired", 2}, {"journal.sync_error", 1}};
  metrics.fail_open = {{"de\"ploy\\\n", 3}};
  metrics.head_seq = 10;
  metrics.dropped_trace = 5;
  return metrics;
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, TextHasASampleForEachNumber) {
  const std::string text = metrics_text(some());
  EXPECT_TRUE(has_line(text, "holdfast_journal_readable 1"));
  EXPECT_TRUE(has_line(text, "holdfast_events_total{type=\"lock.fail_open\"} 3"));
  EXPECT_TRUE(has_line(text, "holdfast_journal_head_seq 10"));
  EXPECT_TRUE(has_line(text, "holdfast_journal_dropped_total{class=\"trace\"} 5"));
  EXPECT_TRUE(has_line(text, "holdfast_journal_dropped_total{class=\"event\"} 0"));
  EXPECT_TRUE(has_line(text, "holdfast_journal_repaired_total 2"));
  EXPECT_TRUE(has_line(text, "holdfast_journal_sync_errors_total 1"));
}

TEST(Metrics, LabelsAreEscaped) {
  EXPECT_EQ(label_value("a\\b\"c\nd"), "a\\\\b\\\"c\\nd");
  EXPECT_TRUE(has_line(metrics_text(some()),
                       "holdfast_lock_fail_open_total{lock=\"de\\\"ploy\\\\\\n\"} 3"));
}

TEST(Metrics, EveryFamilyHasHelpAndTypeOnceAndBeforeItsSamples) {
  const std::string text = metrics_text(some());
  std::string family;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    if (line.starts_with("# HELP ")) {
      family = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_EQ(text.find("# HELP " + family + " ", at), std::string::npos) << family;
    } else if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(line == "# TYPE " + family + " counter" || line == "# TYPE " + family + " gauge");
    } else {
      EXPECT_TRUE(line.starts_with(family + " ") || line.starts_with(family + "{")) << line;
    }
  }
}

TEST(Metrics, JsonSaysTheSame) {
  const Json fields = metrics_json(some());
  EXPECT_EQ(fields["events"]["lock.fail_open"], 3);
  EXPECT_EQ(fields["dropped"]["trace"], 5);
  EXPECT_EQ(fields["repaired"], 2);
  EXPECT_EQ(fields["sync_errors"], 1);
}

}  // namespace
}  // namespace holdfast::cli
