// SPDX-License-Identifier: Apache-2.0
//
// File: one open regular file.
//
// Guarantees: read_all and write_all do the whole job or say why not (EINTR and short transfers are
// handled here and nowhere else); a File got from Dir is a regular file, not a link, FIFO or
// device. Limits: write_all that fails may have written a part: only an unpublished file
// (StagedFile) is written this way. sync() is the device's word; after a failed sync the state of
// the file is unknown and the caller must not assume that a later success covers earlier bytes.
// On Windows one File must not be used by two threads at once (positions are shared), and sync()
// needs write access. close() reports what the destructor cannot: on some file systems a failed
// write shows only there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/file_info.h"
#include "os/handle.h"

namespace holdfast::os {

class File {
 public:
  // `path` is for messages only.
  File(Handle handle, std::string path) : handle_(std::move(handle)), path_(std::move(path)) {}

  // Everything from the current position; more than `max` bytes is kRefused, cause `too-large`.
  [[nodiscard]] Result<std::string> read_all(std::size_t max);
  // At most `size` bytes at `offset`; an empty string is the end of the file.
  [[nodiscard]] Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;
  [[nodiscard]] Result<> write_all(std::string_view bytes);
  [[nodiscard]] Result<> write_at(std::uint64_t offset, std::string_view bytes);
  [[nodiscard]] Result<> truncate(std::uint64_t size);
  // Content and metadata on stable storage.
  [[nodiscard]] Result<> sync();
  [[nodiscard]] Result<FileInfo> info() const;
  [[nodiscard]] Result<Exposure> exposure() const;
  [[nodiscard]] Result<> close();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] NativeHandle native() const { return handle_.get(); }

 private:
  Handle handle_;
  std::string path_;
};

}  // namespace holdfast::os
