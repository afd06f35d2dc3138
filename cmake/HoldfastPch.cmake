# SPDX-License-Identifier: Apache-2.0
#
# HOLDFAST_PCH: one precompiled header of the standard library for all product code. Only for presets that
# are built to be tested: the release build stays without it, so a missing #include is found there.

option(HOLDFAST_PCH "Build product code around a precompiled header" OFF)
if(HOLDFAST_PCH)
  file(WRITE ${CMAKE_BINARY_DIR}/hf_pch.cc "// carries the precompiled header of the product\n")
  add_library(hf_pch OBJECT ${CMAKE_BINARY_DIR}/hf_pch.cc)
  target_link_libraries(hf_pch PRIVATE hf_flags)
  target_precompile_headers(hf_pch PRIVATE
    <algorithm> <array> <chrono> <cstdint> <expected> <functional> <map> <memory> <optional>
    <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(hf_flags INTERFACE -fpch-preprocess)  # lets ccache see through the header
  endif()
endif()

function(hf_use_pch target)
  if(HOLDFAST_PCH)
    target_precompile_headers(${target} REUSE_FROM hf_pch)
  endif()
endfunction()
