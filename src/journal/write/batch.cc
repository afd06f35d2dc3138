// SPDX-License-Identifier: Apache-2.0
#include "journal/write/batch.h"

#include "format/journal/journal_record.h"
#include "journal/store/chain.h"

namespace holdfast::journal {

void Batch::add(const Entry& entry) {
  const std::size_t begin = bytes_.size();
  encode_record_body({.seq = end_.seq + 1,
                      .wall_us = entry.stamp.wall_us,
                      .boot_us = entry.stamp.boot_us,
                      .boot = entry.stamp.boot,
                      .writer = entry.stamp.writer,
                      .event_class = entry.event_class,
                      .type = entry.type,
                      .data = entry.data},
                     bytes_);
  end_.hash = chain_hash(journal_, end_.hash, std::string_view(bytes_).substr(begin));
  ++end_.seq;
  encode_record_tail(end_.hash, bytes_);
}

}  // namespace holdfast::journal
