// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/cause.h"
#include "base/units.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_reading.h"
#include "journal/store/compress.h"
#include "journal/store/layout.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kLeftPlain = 2;  // the newest, which are read most

struct Packed {
  std::string file;
  journal::Compressed sizes;
};

// A segment that has no seal, or that retention has just removed, is left alone.
Result<std::vector<Packed>> compress_old(Context& context, const os::Dir& dir) {
  const auto snapshot = HF_TRY(journal::Snapshot::open(dir));
  std::vector<Packed> done;
  const auto segments = snapshot.segments();
  for (std::size_t i = 0; i + kLeftPlain < segments.size(); ++i) {
    if (segments[i].ref.compressed) continue;
    context.progress("compressing", i, segments.size());
    const std::string file = journal::segment_name(segments[i].ref).str();
    const auto sizes = journal::compress_segment(dir, segments[i].ref.first_seq);
    if (!sizes && sizes.error().cause == cause::kNotSealed) {
      context.note(file + " has no seal and stays as it is");
      continue;
    }
    if (!sizes && sizes.error().code == ErrorCode::kNotFound) continue;
    if (!sizes) return fail(sizes.error());
    if (!sizes->already) done.push_back({file, *sizes});
  }
  return done;
}

Json packed_json(const std::vector<Packed>& packed) {
  Json list = Json::array();
  for (const Packed& one : packed) {
    list.push_back({{"file", one.file},
                    {"bytes_before", one.sizes.bytes_before},
                    {"bytes_after", one.sizes.bytes_after}});
  }
  return list;
}

Result<int> run_journal_rotate(Context& context, const Args& args) {
  const auto dir = HF_TRY(journal_to_read(context));
  bool rotated = false;
  std::size_t dropped = 0;
  std::vector<Packed> packed;
  if (dir) {
    const auto journal = HF_TRY(journal_to_write(context));
    rotated = HF_TRY(journal->rotate());
    if (args.flag("compress")) packed = HF_TRY(compress_old(context, *dir));
    if (const auto keep = args.size("keep")) dropped = HF_TRY(journal->retain(*keep));
  }
  context.print(rotated ? "a new segment was opened\n" : "there is nothing to seal\n");
  for (const Packed& one : packed) {
    context.print("compressed " + one.file + ": " + format_size(one.sizes.bytes_before) + " to " +
                  format_size(one.sizes.bytes_after) + "\n");
  }
  if (args.size("keep")) context.print("dropped segments: " + std::to_string(dropped) + "\n");
  context.emit({{"rotated", rotated}, {"compressed", packed_json(packed)}, {"dropped", dropped}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kJournalRotateOptions{
    OptionSpec{.name = "compress",
               .letter = 'z',
               .help = "compress sealed segments, all but the newest two; they stay readable"},
    OptionSpec{.name = "keep",
               .kind = OptionKind::kSize,
               .value = "SIZE",
               .help = "drop the oldest sealed segments until at most SIZE is left, and say so in "
                       "the journal first"},
};

constexpr std::array kJournalRotateExamples{
    Example{.line = "holdfast journal rotate --compress",
            .says = "Seal what is there, and make the old parts small"},
    Example{.line = "holdfast journal rotate --keep 500M", .says = "Keep half a gigabyte"},
};

constexpr std::array kJournalRotateExits{
    ExitNote{ExitCode::kDone, "done, also where there was nothing to do"},
    ExitNote{ExitCode::kCorrupt,
             "the end of the journal is damaged; see `holdfast help journal repair`"},
    ExitNote{ExitCode::kCannotTell, "the journal was busy, or a newer holdfast writes it"},
};

constexpr std::array kJournalRotateFields{
    JsonField{"rotated", "true where a segment was sealed and the next one opened"},
    JsonField{"compressed", "a list of segments, each with `file`, `bytes_before`, `bytes_after`"},
    JsonField{"dropped", "how many of the oldest segments were removed"},
};

}  // namespace

constinit const CommandSpec kJournalRotateCommand{
    .name = "journal rotate",
    .summary = "seal the newest segment now; compress or drop old ones",
    .description =
        "The journal rotates by itself, at 64 MiB or a million events, and drops the oldest sealed "
        "segments beyond 4 GiB; this is for whoever wants it at another time, for example before a "
        "backup. Never let another program rotate or truncate the files: that is noticed, and "
        "reported as loss.",
    .options = kJournalRotateOptions,
    .examples = kJournalRotateExamples,
    .exits = kJournalRotateExits,
    .json_fields = kJournalRotateFields,
    .run = run_journal_rotate,
};

}  // namespace holdfast::cli
