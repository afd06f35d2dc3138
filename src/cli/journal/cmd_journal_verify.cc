// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_anchors.h"
#include "cli/journal/journal_damage.h"
#include "cli/journal/journal_reading.h"
#include "cli/journal/journal_verdict.h"
#include "journal/read/verify.h"

namespace holdfast::cli {
namespace {

Result<std::vector<AnchorFile>> anchors_of(Context& context, const Args& args, const os::Dir& dir,
                                           const std::optional<Id128>& journal) {
  std::vector<AnchorFile> files;
  for (const std::string& path : args.texts("anchor")) {
    files.push_back(HF_TRY(read_anchor_file(path, journal)));
  }
  if (args.flag("no-anchors")) return files;
  const std::vector<std::string> named = args.texts("anchor");
  for (AnchorFile& file : HF_TRY(find_anchor_files(context, dir, journal))) {
    if (std::ranges::find(named, file.path) == named.end()) files.push_back(std::move(file));
  }
  return files;
}

Result<int> run_journal_verify(Context& context, const Args& args) {
  const auto dir = HF_TRY(journal_to_read(context));
  Verification found;
  if (dir) {
    // The anchors before the journal that they are held against. An anchor is in its file only
    // after what it pins is in the journal, so all of these are in every later snapshot. The other
    // way round, one that is made meanwhile would pin what an older snapshot lacks, and that is
    // what a journal that was cut short looks like.
    const auto journal = HF_TRY(
        with_snapshot(*dir, [](const journal::Snapshot& snapshot) -> Result<std::optional<Id128>> {
          return snapshot.journal_id();
        }));
    const auto files = HF_TRY(anchors_of(context, args, *dir, journal));
    found =
        HF_TRY(with_snapshot(*dir, [&](const journal::Snapshot& snapshot) -> Result<Verification> {
          Verification one;
          one.journal = snapshot.journal_id();
          one.files = files;
          journal::VerifyOptions options{.anchors = {}, .blobs = !args.flag("no-blobs")};
          for (const AnchorFile& file : one.files) {
            options.anchors.insert(options.anchors.end(), file.anchors.begin(), file.anchors.end());
          }
          one.result = HF_TRY(journal::verify(snapshot, options));
          return one;
        }));
  } else {
    for (const std::string& path : args.texts("anchor")) {
      found.files.push_back(HF_TRY(read_anchor_file(path, std::nullopt)));
    }
    found.without_journal();
  }
  found.judge_bad_lines();
  context.print(verdict_text(context, found));
  context.emit(verdict_json(found));
  const bool good = !journal::any_unexplained(found.result.damaged);
  return to_int(good ? ExitCode::kDone : ExitCode::kCorrupt);
}

constexpr std::array kJournalVerifyOptions{
    OptionSpec{.name = "anchor",
               .letter = 'a',
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "check against the anchors in FILE, beside those in the files that the "
                       "journal says it was anchored to",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "no-anchors", .help = "use no anchors but those of --anchor"},
    OptionSpec{.name = "no-blobs", .help = "do not read the data that is kept beside the journal"},
};

constexpr std::array kJournalVerifyExamples{
    Example{.line = "holdfast journal verify", .says = "Is the record whole and unchanged?"},
    Example{.line = "holdfast journal verify --anchor /mnt/other-host/anchors.jsonl",
            .says = "The same, against pins that nobody here could rewrite"},
};

constexpr std::array kJournalVerifyExits{
    ExitNote{ExitCode::kDone, "it is what its writers wrote, or the journal explains where not"},
    ExitNote{ExitCode::kCorrupt,
             "there is damage that nothing accounts for, an anchor fails, or one is unreadable"},
    ExitNote{ExitCode::kCannotTell, "a newer holdfast wrote it"},
};

constexpr std::array kJournalVerifyFields{
    JsonField{"records", "how many are readable"},
    JsonField{"head", "the hash of the last one, base64url; null where there is none"},
    JsonField{"pinned", "true where an anchor holds for the last record"},
    JsonField{"pinned_to", "the number of the last record that an anchor holds for, or null"},
    JsonField{"journal", "the id of the journal, or null"},
    JsonField{"segments", "how many files it has"},
    JsonField{"first_seq", "the number of the first record, or null"},
    JsonField{"last_seq", "the number of the last record, or null"},
    JsonField{"blobs", "how many references to data beside the journal were followed"},
    JsonField{"unfinished_bytes", "behind the last record: a writer is at it, or died there"},
    JsonField{"damaged", kDamagedSays},
    JsonField{"anchors",
              "the pins that were checked, each with `file`, `seq`, `time` and `state` "
              "(`holds`, `fails` or `dropped`: retention removed its record)"},
};

}  // namespace

constinit const CommandSpec kJournalVerifyCommand{
    .name = "journal verify",
    .summary = "prove that the journal is what its writers wrote",
    .description =
        "Checks every byte: the checksum of each event, the numbers, the chain of hashes over all "
        "segments, each seal, the data beside the journal, and the anchors. It works while others "
        "write, takes no lock, and never uses the index.\n\n"
        "`pinned` says up to where an anchor excludes that somebody wrote a new chain or cut off "
        "the end; without one, that the chain is whole is all that can be said. Damage is listed "
        "with segment and offset. Explained damage is one that a record accounts for, such as "
        "retention or `journal repair`; it is shown, and the code stays 0.",
    .options = kJournalVerifyOptions,
    .examples = kJournalVerifyExamples,
    .exits = kJournalVerifyExits,
    .json_fields = kJournalVerifyFields,
    .run = run_journal_verify,
};

}  // namespace holdfast::cli
