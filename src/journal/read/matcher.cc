// SPDX-License-Identifier: Apache-2.0
#include "journal/read/matcher.h"

#include "base/cause.h"
#include "journal/read/filter.h"
#include "journal/read/segment_source.h"
#include "journal/store/blob_store.h"

namespace holdfast::journal {

Result<std::string_view> RecordFieldReader::data(const RecordFields& record) {
  const std::optional<BlobRef> blob = parse_blob_data(record.data);
  if (!blob) return record.data;
  if (blob_seq_ != record.seq || blob_.empty()) {
    blob_ = HF_TRY(read_blob(*journal_, *blob));
    blob_seq_ = record.seq;
  }
  return std::string_view(blob_);
}

Result<std::optional<std::string>> RecordFieldReader::value(const RecordFields& record,
                                                            const FieldPath& path) {
  using Root = FieldPath::Root;
  switch (path.root) {
    case Root::kType:
      return std::string(record.type);
    case Root::kClass:
      return std::string(to_text(record.event_class));
    case Root::kWriter:
      return std::string(record.writer);
    case Root::kBoot:
      return std::string(record.boot);
    case Root::kSeq:
      return std::to_string(record.seq);
    case Root::kData:
      break;
  }
  return read_field(HF_TRY(data(record)), path.keys);
}

Result<bool> Matcher::passes_where(const RecordFields& record) {
  for (const Where& where : filter_.where) {
    const std::optional<std::string> value = HF_TRY(values_.value(record, where.path));
    const bool equal = value == where.value;
    if (equal != (where.test == Where::Test::kEqual)) return false;
  }
  return true;
}

// Retention takes the name of a segment first and its blobs behind it (Writer::drop_oldest), so a
// segment that has its name still, after its blob was missed, has lost it in another way.
Result<Damage> data_damage(const os::Dir& journal, const Error& error, std::uint64_t segment,
                           std::uint64_t offset, std::uint64_t bytes) {
  const bool about_data = error.cause == cause::kBadData;
  if (!about_data && error.cause != cause::kBadBlob) return fail(error);
  if (!about_data && !HF_TRY(is_named(journal, segment))) {
    return fail(segment_removed(journal, {.first_seq = segment}));
  }
  return Damage{.segment = segment,
                .offset = offset,
                .bytes = bytes,
                .kind = std::string(about_data ? damage_kind::kData : damage_kind::kBlob),
                .says = about_data ? "the data of this record is not JSON"
                                   : "the blob of this record: " + error.detail};
}

}  // namespace holdfast::journal
