// SPDX-License-Identifier: Apache-2.0
#include "run/session/relay.h"

#include "base/cause.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"

namespace holdfast::run {
namespace {

constexpr int kPiecesARound = 16;
// More than a pipe can hold: whoever still writes then is not of the tree.
constexpr int kRestPieces = 64;

}  // namespace

void Relay::add_handles(std::vector<const os::Handle*>& readable,
                        std::vector<const os::Handle*>& writable) const {
  if (is_blocked()) {
    writable.push_back(&to_->handle());
  } else {
    readable.push_back(&from_);
  }
}

bool Relay::round() {
  bool came = false;
  for (int i = 0; i < kPiecesARound; ++i) {
    show();
    if (is_blocked() || !take_piece()) break;
    came = true;
  }
  show();
  return came;
}

void Relay::take_rest() {
  for (int i = 0; i < kRestPieces && take_piece(); ++i) show();
  from_.reset();
}

// The pipe is read only when it is known to have something, so the read does not wait.
bool Relay::take_piece() {
  if (!from_.valid()) return false;
  const auto ready = os::is_readable(from_);
  if (!ready || !*ready) return false;
  if (!is_blocked()) {
    piece_.clear();
    shown_ = 0;
  }
  const std::size_t before = piece_.size();
  piece_.resize(before + kPiece);
  const auto got = os::read_pipe(from_, std::span(piece_).subspan(before));
  piece_.resize(before + got.value_or(0));
  if (piece_.size() == before) {
    from_.reset();  // all writers are gone, or it cannot be read
    return false;
  }
  if (log_ != nullptr) log_->write(std::string_view(piece_).substr(before), which_);
  return true;
}

void Relay::show() {
  while (is_blocked()) {
    if (!to_) {
      shown_ = piece_.size();
      break;
    }
    const auto took = to_->write_some(std::string_view(piece_).substr(shown_));
    if (!took) {
      const bool reader_gone =
          took.error().cause == cause::kEpipe || took.error().cause == cause::kEio;
      if (!reader_gone && !not_shown_) not_shown_ = took.error();
      to_.reset();
      if (log_ == nullptr) from_.reset();
    } else if (*took == 0) {
      return;
    } else {
      shown_ += *took;
    }
  }
}

}  // namespace holdfast::run
