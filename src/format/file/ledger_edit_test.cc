// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_edit.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string appended(std::string_view bytes, std::string_view entry, const LedgerCaps& caps = {}) {
  const LedgerText ledger = read_ledger(bytes, LedgerNaming::kLines);
  EXPECT_TRUE(ledger.whole()) << bytes;
  const auto edit = append_to_ledger(ledger, entry, caps);
  return edit ? edit->bytes : to_sentence(edit.error());
}

std::string ledger_edit_repaired(std::string_view bytes) {
  const LedgerText ledger = read_ledger(bytes, LedgerNaming::kOther);
  EXPECT_FALSE(ledger.whole()) << bytes;
  const auto text = rebuilt_ledger(ledger);
  return text ? *text : to_sentence(text.error());
}

TEST(LedgerEdit, TheNewEntryIsWrittenAsTheOthersAre) {
  EXPECT_EQ(appended("[{\"a\":1},{\"a\":2}]", "{ \"a\" : 3, \"b\":[ 1 ] }"),
            "[{\"a\":1},{\"a\":2},{\"a\":3,\"b\":[1]}]");
  EXPECT_EQ(appended("[{\"a\": 1, \"b\": 2}]\n", "{\"a\":3,\"b\":4}"),
            "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 4}]\n");
  EXPECT_EQ(appended("[\n  {\n    \"a\": 1\n  }\n]\n", "{\"b\":2}"),
            "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": 2\n  }\n]\n");
  EXPECT_EQ(appended("[\r\n\t{\"a\":1},\r\n\t{\"a\":2}\r\n]", "{\"a\":3}"),
            "[\r\n\t{\"a\":1},\r\n\t{\"a\":2},\r\n\t{\"a\":3}\r\n]");
  EXPECT_EQ(appended("{\"a\": 1}\r\n{\"a\": 2}\r\n", "{\"a\":3,\"b\":4}"),
            "{\"a\": 1}\r\n{\"a\": 2}\r\n{\"a\": 3, \"b\": 4}\r\n");
}

TEST(LedgerEdit, AnEmptyLedgerGetsItsFirstEntry) {
  EXPECT_EQ(appended("[]", "{\"a\":1}"), "[{\"a\":1}]");
  EXPECT_EQ(appended("\xEF\xBB\xBF[ ] \n", "{}"), "\xEF\xBB\xBF[{}] \n");
  EXPECT_EQ(appended(empty_ledger(LedgerFormat::kArray), "{\"a\":1}"), "[\n  {\"a\":1}\n]\n");
  EXPECT_EQ(appended("", "{\"a\":\n1}"), "{\"a\":1}\n");
  EXPECT_EQ(appended("\xEF\xBB\xBF", "{}"), "\xEF\xBB\xBF{}\n");
}

TEST(LedgerEdit, AMissingLastLineEndIsAdded) {
  EXPECT_EQ(appended("{\"a\":1}\n{\"a\":2}", "{}"), "{\"a\":1}\n{\"a\":2}\n{}\n");
}

TEST(LedgerEdit, WhatStaysKeepsItsBytes) {
  EXPECT_EQ(appended("[ {\"z\" :1.50, \"a\":1E3} ,{\"b\":\"\\u0041\"} ]", "{}"),
            "[ {\"z\" :1.50, \"a\":1E3} ,{\"b\":\"\\u0041\"} ,{} ]");
}

TEST(LedgerEdit, ACapKeepsTheNewestInTheOrderOfTheFile) {
  EXPECT_EQ(appended("[\n{\"a\":1},\n{\"a\":2},\n{\"a\":3}\n]", "{\"a\":4}", {.newest = 2}),
            "[\n{\"a\":3},\n{\"a\":4}\n]");
  EXPECT_EQ(appended("{\"a\":1}\n{\"a\":2}\n", "{\"a\":3}", {.newest = 1}), "{\"a\":3}\n");
}

TEST(LedgerEdit, ACapPerFieldLetsNoNoisyValueDriveOutAnother) {
  const LedgerCaps caps{.per = {{.field = {"k"}, .newest = 1}}};
  EXPECT_EQ(
      appended("{\"k\":\"x\"}\n{\"n\":1}\n{\"k\":\"y\",\"i\":1}\n", "{\"k\":\"y\",\"i\":2}", caps),
      "{\"k\":\"x\"}\n{\"n\":1}\n{\"k\":\"y\",\"i\":2}\n");
  // A text and a number are two values.
  EXPECT_EQ(appended("{\"k\":1}\n", "{\"k\":\"1\"}", caps), "{\"k\":1}\n{\"k\":\"1\"}\n");
  const LedgerCaps nested{.per = {{.field = {"o", "k"}, .newest = 1}}};
  EXPECT_EQ(appended("{\"o\":{\"k\":1}}\n", "{\"o\":{\"k\":1},\"i\":2}", nested),
            "{\"o\":{\"k\":1},\"i\":2}\n");
}

TEST(LedgerEdit, CapsPerFieldComeBeforeTheCapOnAll) {
  const LedgerCaps caps{.per = {{.field = {"k"}, .newest = 1}}, .newest = 2};
  EXPECT_EQ(appended("{\"k\":1}\n{\"k\":2}\n{\"k\":3,\"i\":1}\n", "{\"k\":3,\"i\":2}", caps),
            "{\"k\":2}\n{\"k\":3,\"i\":2}\n");
}

TEST(LedgerEdit, ARepairKeepsTheEntriesAndTheStyle) {
  EXPECT_EQ(ledger_edit_repaired("[{\"a\":1},{\"b\":"), "[{\"a\":1}]\n");
  EXPECT_EQ(ledger_edit_repaired("[\n  {\"a\": 1},\n  {\"b\": !},\n  {\"c\": 3},\n  {\"d\""),
            "[\n  {\"a\": 1},\n  {\"c\": 3}\n]\n");
  EXPECT_EQ(ledger_edit_repaired("[{\"a\":1}{\"c\":3}"), "[{\"a\":1},{\"c\":3}]\n");
  EXPECT_EQ(ledger_edit_repaired("{\"a\":1}\r\nx\r\n{\"c\":3}\r\n{\"d"),
            "{\"a\":1}\r\n{\"c\":3}\r\n");
  EXPECT_EQ(ledger_edit_repaired("[3,{\"a\":1}]"), "[{\"a\":1}]\n");
  EXPECT_EQ(ledger_edit_repaired(""), "[\n]\n");
  EXPECT_EQ(ledger_edit_repaired("\xEF\xBB\xBF\xEF\xBB\xBF[{}]"), "\xEF\xBB\xBF[{}]\n");
}

}  // namespace
}  // namespace holdfast
