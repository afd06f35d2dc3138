// SPDX-License-Identifier: Apache-2.0
#include "loop/item/notice_bundle.h"

#include <algorithm>

namespace holdfast::loop {
namespace {

// With the end of line that may have to be put behind each.
std::size_t bytes_of(const NoticeBundle& bundle) {
  std::size_t bytes = 0;
  for (const NoticeText& text : bundle.texts) bytes += text.text.size() + 1;
  return bytes;
}

bool is_too_much(const NoticeBundle& bundle) {
  return bundle.texts.size() > kMaxBundleTexts || bytes_of(bundle) > kMaxNoticeBytes;
}

}  // namespace

bool holds(const NoticeBundle& bundle, const Digest& digest) {
  return std::ranges::find(bundle.texts, digest, &NoticeText::digest) != bundle.texts.end();
}

void add_text(NoticeBundle& bundle, NoticeText text) {
  if (holds(bundle, text.digest)) return;
  bundle.texts.push_back(std::move(text));
  while (bundle.texts.size() > 1 && is_too_much(bundle)) {
    bundle.texts.erase(bundle.texts.begin());
    ++bundle.dropped;
  }
}

void add_bundle(NoticeBundle& bundle, NoticeBundle later) {
  bundle.repeats += later.repeats;
  bundle.dropped += later.dropped;
  for (NoticeText& text : later.texts) add_text(bundle, std::move(text));
}

std::string joined(const NoticeBundle& bundle) {
  std::string all;
  for (const NoticeText& text : bundle.texts) {
    if (!all.empty() && !all.ends_with('\n')) all += '\n';
    all += text.text;
  }
  return all;
}

}  // namespace holdfast::loop
