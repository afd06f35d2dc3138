# SPDX-License-Identifier: Apache-2.0
#
# hf_pch_library(NAME FLAGS [HEADER…]): a precompiled header of the standard library, and HEADERs, to be
# reused. Tests have one; product code has one with clang, which gains a quarter of its time by it (GCC gains
# next to nothing beside a unity build). Both hide a missing #include: `./dev check` compiles without either.

set(HF_STANDARD_HEADERS <algorithm> <array> <charconv> <chrono> <cstdint> <expected> <functional> <map>
  <memory> <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>)

function(hf_pch_library name flags)
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cc "// carries a precompiled header\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE ${flags})
  target_precompile_headers(${name} PRIVATE ${ARGN} ${HF_STANDARD_HEADERS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${flags} INTERFACE -fpch-preprocess)  # lets ccache see through the header
  endif()
endfunction()

if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  hf_pch_library(hf_pch hf_flags)
endif()
