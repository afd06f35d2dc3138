// SPDX-License-Identifier: Apache-2.0
//
// A bundle of texts that are sent together (format/loop/step_record.h): at most kMaxBundleTexts and
// kMaxNoticeBytes, each text once. What finds no room is counted, the oldest first; the newest is
// always in it. Pure.
#pragma once

#include <string>

#include "base/digest.h"
#include "format/loop/step_record.h"

namespace holdfast::loop {

// By the whole text: a text that is a part of another one is not in it.
bool holds(const NoticeBundle& bundle, const Digest& digest);

void add_text(NoticeBundle& bundle, NoticeText text);

// `later` behind `bundle`.
void add_bundle(NoticeBundle& bundle, NoticeBundle later);

// The texts, one behind the other, each beginning on a line of its own.
std::string joined(const NoticeBundle& bundle);

}  // namespace holdfast::loop
