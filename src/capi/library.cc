// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>

#include "capi/boundary.h"
#include "capi/handles.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

namespace holdfast::capi {
namespace {

// The handle goes whatever the answer.
Result<> flush_state(Origin& origin) {
  State* const state = origin.used();
  return state == nullptr ? Result<>() : state->events.flush();
}

}  // namespace
}  // namespace holdfast::capi

const char* holdfast_version(void) { return HOLDFAST_VERSION; }

uint32_t holdfast_abi(void) { return HOLDFAST_ABI; }

void holdfast_free(void* text) { std::free(text); }

int holdfast_open(const char* home, const holdfast_options* options, holdfast_home** out,
                  holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    HF_TRY(require(out, "out"));
    *out = nullptr;
    const holdfast_options own = HF_TRY(read_struct(options, "options"));
    HF_TRY(known_flags(own.flags, HOLDFAST_NO_CHAIN | HOLDFAST_ANY_FILE_SYSTEM));
    auto handle = std::make_unique<holdfast_home>();
    handle->origin = HF_TRY(Origin::make(home, own));
    *out = handle.release();
    return HOLDFAST_OK;
  });
}

int holdfast_flush(holdfast_home* hf, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    HF_TRY(flush_state(*HF_TRY(open_handle(hf, kHomeMagic, "hf"))->origin));
    return HOLDFAST_OK;
  });
}

int holdfast_close(holdfast_home** hf, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    if (hf == nullptr || *hf == nullptr) return HOLDFAST_OK;
    holdfast_home* const handle = HF_TRY(open_handle(*hf, kHomeMagic, "hf"));
    *hf = nullptr;
    handle->magic = kClosedMagic;
    const std::unique_ptr<holdfast_home> last(handle);
    HF_TRY(flush_state(*last->origin));
    return HOLDFAST_OK;
  });
}

int holdfast_cancel_new(holdfast_cancel** out, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    HF_TRY(require(out, "out"));
    *out = nullptr;
    *out = std::make_unique<holdfast_cancel>().release();
    return HOLDFAST_OK;
  });
}

void holdfast_cancel_raise(holdfast_cancel* cancel) {
  if (cancel != nullptr && cancel->magic == kCancelMagic) cancel->flag.raise();
}

void holdfast_cancel_free(holdfast_cancel** cancel) {
  if (cancel == nullptr || *cancel == nullptr || (*cancel)->magic != kCancelMagic) return;
  (*cancel)->magic = kClosedMagic;
  delete *cancel;
  *cancel = nullptr;
}
