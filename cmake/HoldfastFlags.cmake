# SPDX-License-Identifier: Apache-2.0
#
# Two interface targets carry every flag: hf_flags for product code, hf_test_flags for tests. Tests are
# built at -O0 (they are most of the compile time) around product objects built exactly as shipped.

set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
if(WIN32)
  # Without debug information: nobody here has a debugger for it, it made the program 150 MB instead of a few, and each
  # of the test programs takes its time to link and to be read by Wine.
  set(CMAKE_CXX_FLAGS_RELEASE "-O2")
  set(CMAKE_C_FLAGS_RELEASE "-O2")
endif()

add_library(hf_common_flags INTERFACE)
target_compile_options(hf_common_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wundef
  -Wcast-qual -Wswitch -Werror
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
target_include_directories(hf_common_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(hf_common_flags INTERFACE HOLDFAST_VERSION="${PROJECT_VERSION}")
if(HOLDFAST_SANITIZE)
  # Reports need lines, not variables; and instrumented programs are large: GNU ld takes 15 s for one.
  string(REPLACE "-g" "-g1" CMAKE_CXX_FLAGS_DEBUG "${CMAKE_CXX_FLAGS_DEBUG}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_link_options(hf_common_flags INTERFACE -fuse-ld=lld)
  endif()
  target_compile_options(hf_common_flags INTERFACE
    -fsanitize=${HOLDFAST_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hf_common_flags INTERFACE -fsanitize=${HOLDFAST_SANITIZE})
endif()
if(HOLDFAST_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(hf_common_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-include$<SEMICOLON>${CMAKE_SOURCE_DIR}/cmake/tsan_timed_mutex.h>)
endif()
if(WIN32)
  target_compile_definitions(hf_common_flags INTERFACE
    UNICODE _UNICODE WIN32_LEAN_AND_MEAN NOMINMAX _WIN32_WINNT=0x0A00)
  # GCC for mingw takes the copy of an inline function that it compiles for the one that is linked: a caller
  # counts on registers that this copy leaves alone, and the linker's choice may be another one.
  target_compile_options(hf_common_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-ra>)
else()
  target_compile_definitions(hf_common_flags INTERFACE _GNU_SOURCE)
endif()

# Warnings that a unity build gives for nothing: a local name may be that of something file-local next door;
# GCC takes every source for a header, where types that hold something file-local are a fault; and it inlines
# so much more that it loses track of lengths and of what `expected` holds. `./dev check` compiles each file alone, with them.
if(CMAKE_UNITY_BUILD)
  target_compile_options(hf_common_flags INTERFACE -Wno-shadow)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
  target_compile_options(hf_common_flags INTERFACE -Wno-subobject-linkage
    -Wno-maybe-uninitialized -Wno-stringop-overread)
endif()

add_library(hf_flags INTERFACE)
target_link_libraries(hf_flags INTERFACE hf_common_flags)
target_compile_options(hf_flags INTERFACE -ffunction-sections -fdata-sections)
if(NOT WIN32 AND NOT HOLDFAST_SANITIZE)
  # One set of objects is the program and the C library, which shows only what its header names.
  target_compile_options(hf_flags INTERFACE -fvisibility=hidden
    $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
endif()
if(NOT WIN32 AND NOT HOLDFAST_SANITIZE)
  target_compile_options(hf_flags INTERFACE -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(hf_flags INTERFACE -fcf-protection=full)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(hf_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
  endif()
  target_link_options(hf_flags INTERFACE
    -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--gc-sections -Wl,--as-needed)
endif()

add_library(hf_test_flags INTERFACE)
target_link_libraries(hf_test_flags INTERFACE hf_common_flags)
target_compile_options(hf_test_flags INTERFACE -O0)
if(HOLDFAST_SANITIZE MATCHES "undefined")
  # The checks are for product code; in the tests themselves they would cost a third of the compile time.
  target_compile_options(hf_test_flags INTERFACE -fno-sanitize=undefined)
endif()
if(WIN32)
  # GCC 12 for mingw sees copies past the ends of short strings where there are none. The same sources are
  # compiled with these warnings for Linux.
  target_compile_options(hf_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  target_link_options(hf_flags INTERFACE -static)
  target_link_options(hf_test_flags INTERFACE -static)
endif()
