# SPDX-License-Identifier: Apache-2.0
#
# hf_test_program(NAME SOURCES … LINK … [LABEL unit|system|sweep|long]): a GoogleTest program whose every
# TEST is a ctest test. On Windows builds the program runs under Wine (CMAKE_CROSSCOMPILING_EMULATOR) and is
# one ctest test: a start of Wine for each TEST would cost minutes. So is it with a sanitizer, whose start is
# slow too. A TEST named DISABLED_… is what a second start of the program does for another TEST.

if(WIN32)
  # Debian ships no GoogleTest for mingw; its source package is built here.
  set(INSTALL_GTEST OFF)
  add_subdirectory(/usr/src/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
  add_library(hf_gtest INTERFACE)
  target_link_libraries(hf_gtest INTERFACE GTest::gtest GTest::gtest_main)
else()
  find_package(GTest REQUIRED)
  add_library(hf_gtest INTERFACE)
  target_link_libraries(hf_gtest INTERFACE GTest::gtest GTest::gtest_main)
endif()
include(GoogleTest)

# Property tests; not for the cross compiler.
if(NOT WIN32)
  find_package(rapidcheck REQUIRED)
  add_library(hf_rapidcheck INTERFACE)
  target_link_libraries(hf_rapidcheck INTERFACE rapidcheck)
endif()

# One precompiled header for all tests: gtest.h alone is most of a small test's compile time.
file(WRITE ${CMAKE_BINARY_DIR}/hf_test_pch.cc "// carries the precompiled header of the tests\n")
add_library(hf_test_pch OBJECT ${CMAKE_BINARY_DIR}/hf_test_pch.cc)
target_link_libraries(hf_test_pch PRIVATE hf_test_flags hf_gtest)
set_target_properties(hf_test_pch PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_precompile_headers(hf_test_pch PRIVATE <gtest/gtest.h> <map> <set> <string> <vector>)

function(hf_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 T "" "LABEL" "SOURCES;LINK")
  if(NOT T_LABEL)
    set(T_LABEL unit)
  endif()
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE ${T_LINK} hf_test_flags hf_gtest)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # as the header was built
  target_precompile_headers(${name} REUSE_FROM hf_test_pch)
  set(limit 120)
  if(T_LABEL STREQUAL sweep)
    set(limit 400)  # hundreds of runs each, with a sanitizer on a busy machine
  endif()
  if(WIN32 OR HOLDFAST_SANITIZE)
    if(WIN32 AND HF_WINE)
      add_test(NAME ${name} COMMAND sh ${CMAKE_SOURCE_DIR}/tests/windows/gtest-under-wine
        ${CMAKE_SOURCE_DIR}/tests/windows/may_skip.txt ${HF_WINE} $<TARGET_FILE:${name}>)
    else()
      add_test(NAME ${name} COMMAND ${name})
    endif()
    set_tests_properties(${name} PROPERTIES LABELS ${T_LABEL} TIMEOUT 900)
    return()
  endif()
  gtest_discover_tests(${name} TEST_FILTER "-*DISABLED_*" PROPERTIES LABELS ${T_LABEL} TIMEOUT ${limit} DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60)
endfunction()
