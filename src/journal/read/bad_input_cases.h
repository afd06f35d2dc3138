// SPDX-License-Identifier: Apache-2.0
//
// Bad input: what each kind of broken journal is, and what readers answer to it. The bytes are kept
// under tests/golden/journal/<name>/, so that they stay what they are; `make` says how they came to
// be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "journal/write/journal_builder.h"

namespace holdfast::journal {

struct BadInput {
  std::string_view name;
  JournalBuilder (*make)();
  std::uint64_t visited;              // records that a scan finds, and a count counts
  std::vector<std::string> scanned;   // damage that scan and count report
  std::vector<std::string> verified;  // damage that verify reports
  bool unfinished = false;  // bytes at the end that a writer may still finish or will repair
  bool newer = false;       // cannot tell: a later holdfast
};

inline JournalBuilder sample() {
  JournalBuilder journal;
  journal.append("lock.busy", R"({"lock":"deploy"})").append("x.a", R"({"n":1})").append("x.b");
  return journal;
}

inline std::vector<BadInput> bad_inputs() {
  return {
      {"sound", [] { return sample(); }, 4, {}, {}},
      {"torn",
       [] {
         JournalBuilder journal = sample();
         journal.last().resize(journal.last().size() - 60);
         return journal;
       },
       3,
       {},
       {},
       /*unfinished=*/true},
      {"no-final-newline",
       [] {
         JournalBuilder journal = sample();
         journal.last().pop_back();
         return journal;
       },
       3,
       {},
       {},
       /*unfinished=*/true},
      {"nul-padded",
       [] {
         JournalBuilder journal = sample();
         journal.last().append(128, '\0');
         return journal;
       },
       4,
       {},
       {},
       /*unfinished=*/true},
      {"nul-inside",
       [] {
         JournalBuilder journal = sample();
         journal.last().append(128, '\0');
         journal.append("x.c").append("x.d");
         return journal;
       },
       5,
       {"not-a-record"},
       {"not-a-record"}},
      {"fused",
       [] {
         JournalBuilder journal = sample();
         journal.last().erase(journal.line(0, 2) - 1, 1);
         return journal;
       },
       2,
       {"checksum"},
       {"checksum"}},
      {"bom",
       [] {
         JournalBuilder journal = sample();
         journal.last().insert(0, "\xef\xbb\xbf");
         return journal;
       },
       3,
       {"header"},
       {"header"}},
      {"crlf",
       [] {
         JournalBuilder journal = sample();
         std::string& text = journal.last();
         for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
           text.insert(at, 1, '\r');
         }
         return journal;
       },
       0,
       {"header", "not-a-record"},
       {"header", "not-a-record"}},
      {"wrong-checksum",
       [] {
         JournalBuilder journal = sample();
         std::string& text = journal.last();
         text.replace(text.find("deploy"), 6, "depot!");
         return journal;
       },
       3,
       {"checksum"},
       {"checksum"}},
      {"forked-chain",
       [] {
         JournalBuilder journal = sample();
         journal.fork().append("x.other").append("x.c");
         return journal;
       },
       6,
       {"chain"},
       {"chain"}},
      {"rewritten",
       [] {
         JournalBuilder other;  // the same numbers, other data: only hashes tell
         other.append("lock.busy", R"({"lock":"depl0y"})");
         JournalBuilder journal = sample();
         const std::size_t at = journal.line(0, 1);
         journal.last().replace(at, journal.line(0, 2) - at, other.last().substr(other.line(0, 1)));
         return journal;
       },
       4,
       {},
       {"chain"}},
      {"newer-version",
       [] {
         JournalBuilder journal = sample();
         journal.append_newer();
         return journal;
       },
       4,
       {},
       {},
       /*unfinished=*/false,
       /*newer=*/true},
      {"zero-length",
       [] {
         JournalBuilder journal = sample();
         journal.last().clear();
         return journal;
       },
       0,
       {"zero-length"},
       {"zero-length"}},
      {"zero-length-newest",
       [] {
         JournalBuilder journal = sample();
         journal.next_segment().last().clear();
         return journal;
       },
       5,
       {"zero-length"},
       {"zero-length"}},
  };
}

}  // namespace holdfast::journal
