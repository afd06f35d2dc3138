// SPDX-License-Identifier: Apache-2.0
#include "journal/store/blob_store.h"

#include <charconv>
#include <vector>

#include "base/cause.h"
#include "os/machine/sha256.h"

namespace holdfast::journal {
namespace {

using os::operator""_name;

constexpr os::NameLiteral kBlobs = "blobs"_name;
constexpr std::string_view kDataBegin = R"({"blob":")";
constexpr std::string_view kDataSegment = R"(","segment":)";
constexpr std::string_view kDataBytes = R"(,"bytes":)";
constexpr std::size_t kHexChars = 64;

os::SafeName name_of(const BlobRef& blob) {
  return os::SafeName::make(to_hex(blob.digest) + "-" + std::to_string(blob.segment)).value();
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<BlobRef> parse_name(std::string_view name) {
  if (name.size() < kHexChars + 2 || name[kHexChars] != '-') return std::nullopt;
  const auto digest = parse_digest_hex(name.substr(0, kHexChars));
  const auto segment = whole_number(name.substr(kHexChars + 1));
  if (!digest || !segment) return std::nullopt;
  return BlobRef{.digest = *digest, .segment = *segment};
}

Result<std::optional<os::Dir>> open_blobs(const os::Dir& journal) {
  Result<os::Dir> blobs = journal.open_dir(kBlobs);
  if (blobs) return std::optional(*std::move(blobs));
  if (blobs.error().code == ErrorCode::kNotFound) return std::nullopt;
  return fail(std::move(blobs).error());
}

Result<std::optional<std::string>> read_checked(const os::Dir& blobs, const BlobRef& blob) {
  const os::SafeName name = name_of(blob);
  std::optional<os::File> file = HF_TRY(blobs.open_file(name, os::Access::kRead));
  if (!file) return std::nullopt;
  std::string bytes = HF_TRY(file->read_all(kMaxBlobBytes));
  if (os::sha256(bytes) != blob.digest) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "read the blob",
                 .subject = blobs.path_of(name),
                 .cause = "blob-mismatch",
                 .detail = "its content is not what its name says; it was left as it is"});
  }
  return bytes;
}

// An empty one is what a power cut leaves of a blob that was not synced: it never was, and must not
// keep the same data from being kept now. (No blob is empty.) Anything else that does not check is
// evidence and stays.
Result<> remove_never_written(const os::Dir& blobs, const BlobRef& blob) {
  const auto there = HF_TRY(blobs.info(name_of(blob)));
  if (!there || there->type != os::FileType::kRegular || there->size != 0) return {};
  HF_TRY(blobs.remove_file(name_of(blob)));
  return {};
}

}  // namespace

EventData blob_data(const BlobRef& blob, std::uint64_t bytes) {
  return EventData()
      .text("blob", to_hex(blob.digest))
      .number("segment", static_cast<std::int64_t>(blob.segment))
      .number("bytes", static_cast<std::int64_t>(bytes));
}

std::optional<BlobRef> parse_blob_data(std::string_view data) {
  if (!data.starts_with(kDataBegin) || !data.ends_with('}')) return std::nullopt;
  data.remove_prefix(kDataBegin.size());
  data.remove_suffix(1);
  const auto digest = parse_digest_hex(data.substr(0, kHexChars));
  if (!digest) return std::nullopt;
  data.remove_prefix(kHexChars);
  if (!data.starts_with(kDataSegment)) return std::nullopt;
  data.remove_prefix(kDataSegment.size());
  const std::size_t bytes = data.find(kDataBytes);
  if (bytes == std::string_view::npos || !whole_number(data.substr(bytes + kDataBytes.size()))) {
    return std::nullopt;
  }
  const auto segment = whole_number(data.substr(0, bytes));
  if (!segment) return std::nullopt;
  return BlobRef{.digest = *digest, .segment = *segment};
}

Result<BlobRef> put_blob(const os::Dir& journal, std::uint64_t segment, std::string_view bytes,
                         os::Durability durability) {
  if (bytes.size() > kMaxBlobBytes) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "keep the data of an event",
                 .cause = cause::kTooLarge,
                 .detail = "it has " + std::to_string(bytes.size()) + " bytes; at most " +
                           std::to_string(kMaxBlobBytes) + " are taken"});
  }
  const BlobRef blob{.digest = os::sha256(bytes), .segment = segment};
  HF_TRY(journal.make_dir(kBlobs, 0700));
  if (durability == os::Durability::kFull) HF_TRY(journal.sync());  // whoever made it
  const os::Dir blobs = HF_TRY(journal.open_dir(kBlobs));
  HF_TRY(remove_never_written(blobs, blob));
  os::StagedFile staged = HF_TRY(os::StagedFile::create(blobs, 0600));
  HF_TRY(staged.write_all(bytes));
  // That of an event is as lasting as the event's own line, which is not synced either.
  const os::Placed placed = durability == os::Durability::kFull
                                ? HF_TRY(staged.publish_new(name_of(blob)))
                                : HF_TRY(staged.give_name(name_of(blob)));
  if (placed == os::Placed::kNameTaken) {
    HF_TRY(read_checked(blobs, blob));
    // Whoever published it may not have synced it.
    if (durability == os::Durability::kFull) {
      std::optional<os::File> file = HF_TRY(blobs.open_file(name_of(blob), os::Access::kReadWrite));
      if (file) HF_TRY(file->sync());
      HF_TRY(blobs.sync());
    }
  }
  return blob;
}

Result<std::optional<std::string>> get_blob(const os::Dir& journal, const BlobRef& blob) {
  const std::optional<os::Dir> blobs = HF_TRY(open_blobs(journal));
  if (!blobs) return std::nullopt;
  return read_checked(*blobs, blob);
}

Result<std::map<std::uint64_t, std::uint64_t>> blob_bytes(const os::Dir& journal,
                                                          std::optional<std::uint64_t> only) {
  std::map<std::uint64_t, std::uint64_t> bytes;
  const std::optional<os::Dir> blobs = HF_TRY(open_blobs(journal));
  if (!blobs) return bytes;
  std::vector<BlobRef> all;
  HF_TRY(blobs->each_entry([&](std::string_view name, os::FileType) {
    const auto blob = parse_name(name);
    if (blob && (!only || blob->segment == *only)) all.push_back(*blob);
    return os::Visit::kContinue;
  }));
  for (const BlobRef& blob : all) {
    const auto info = HF_TRY(blobs->info(name_of(blob)));
    if (info) bytes[blob.segment] += info->size;
  }
  return bytes;
}

Result<> remove_blobs_before(const os::Dir& journal, std::uint64_t first_kept) {
  const std::optional<os::Dir> blobs = HF_TRY(open_blobs(journal));
  if (!blobs) return {};
  std::vector<os::SafeName> old;
  HF_TRY(blobs->each_entry([&](std::string_view name, os::FileType) {
    if (const auto blob = parse_name(name); blob && blob->segment < first_kept) {
      old.push_back(name_of(*blob));
    }
    return os::Visit::kContinue;
  }));
  for (const os::SafeName& name : old) HF_TRY(blobs->remove_file(name));
  return {};
}

namespace {

std::unexpected<Error> bad_blob(const os::Dir& journal, const BlobRef& blob, std::string detail) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the blob",
               .subject = journal.path() + "/blobs/" + to_hex(blob.digest),
               .cause = cause::kBadBlob,
               .detail = std::move(detail)});
}

// About the blob, not about the reading.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::kCorrupt || error.cause == cause::kTooLarge ||
         error.cause == cause::kIsLink || error.cause == cause::kNotARegularFile;
}

}  // namespace

Result<std::string> read_blob(const os::Dir& journal, const BlobRef& blob) {
  Result<std::optional<std::string>> content = get_blob(journal, blob);
  if (!content && is_damage(content.error())) {
    return bad_blob(journal, blob, content.error().detail);
  }
  if (!content) return fail(std::move(content).error());
  if (!*content) return bad_blob(journal, blob, "it is not there");
  return **std::move(content);
}

}  // namespace holdfast::journal
