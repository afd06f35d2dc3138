// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: a whole ledger is all of them, and takes one entry more; a damaged one says
// where, and what is kept of it is a whole ledger, unless it was none.
#include <cstdlib>
#include <string>

#include "format/file/ledger_edit.h"
#include "format/file/ledger_text.h"

using namespace holdfast;

namespace {

void check_whole(std::string_view bytes, const LedgerText& ledger) {
  std::string again(ledger.head);
  for (const LedgerEntry& entry : ledger.entries) {
    again += entry.gap;
    again += entry.text;
  }
  again += ledger.tail;
  if (again != bytes) std::abort();

  const auto edit = append_to_ledger(ledger, "{\"k\":[1,{}]}", {});
  if (!edit || edit->entries != ledger.entries.size() + 1) std::abort();
  const LedgerText longer = read_ledger(edit->bytes, LedgerNaming::kLines);
  if (!longer.whole() || longer.entries.size() != edit->entries) std::abort();
  for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
    if (longer.entries[i].text != ledger.entries[i].text) std::abort();
  }
  const auto capped =
      append_to_ledger(ledger, "{}", {.per = {{.field = {"k"}, .newest = 1}}, .newest = 2});
  if (!capped || capped->entries > 2) std::abort();
}

void check_damaged(const LedgerText& ledger) {
  if (ledger.damage.empty() || ledger.damage.front().line == 0) std::abort();
  if (!ledger.is_ledger()) return;
  const auto bytes = rebuilt_ledger(ledger);
  if (!bytes) std::abort();
  const LedgerText again = read_ledger(*bytes, LedgerNaming::kLines);
  if (!again.whole() || again.entries.size() != ledger.entries.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const LedgerNaming naming :
       {LedgerNaming::kLines, LedgerNaming::kJson, LedgerNaming::kOther}) {
    const LedgerText ledger = read_ledger(bytes, naming);
    ledger.whole() ? check_whole(bytes, ledger) : check_damaged(ledger);
  }
  return 0;
}
