# SPDX-License-Identifier: Apache-2.0
#
# hf_test_program(NAME SOURCES … LINK … [LABEL unit|system|sweep|long]): a GoogleTest program. It is one ctest
# test: a process for each TEST would cost minutes with a sanitizer or under Wine. A TEST named DISABLED_… is
# what a second start of the program does for another TEST, so GoogleTest's shards cannot be used.

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

# Property tests; not for the cross compiler.
if(NOT WIN32)
  find_package(rapidcheck REQUIRED)
  add_library(hf_rapidcheck INTERFACE)
  target_link_libraries(hf_rapidcheck INTERFACE rapidcheck)
endif()

# One precompiled header for all tests: gtest.h alone is most of a small test's compile time.
hf_pch_library(hf_test_pch hf_test_flags <gtest/gtest.h>)
target_link_libraries(hf_test_pch PRIVATE hf_gtest)
set_target_properties(hf_test_pch PROPERTIES POSITION_INDEPENDENT_CODE OFF)

add_custom_target(unit_tests)  # every program of tests

function(hf_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 T "" "LABEL" "SOURCES;LINK")
  if(NOT T_LABEL)
    set(T_LABEL unit)
  endif()
  add_executable(${name} ${T_SOURCES})
  add_dependencies(unit_tests ${name})
  target_link_libraries(${name} PRIVATE ${T_LINK} hf_test_flags hf_gtest)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # as the header was built
  target_precompile_headers(${name} REUSE_FROM hf_test_pch)
  set(command ${name})
  if(WIN32 AND HF_WINE)
    set(command sh ${CMAKE_SOURCE_DIR}/tests/windows/gtest-under-wine
        ${CMAKE_SOURCE_DIR}/tests/windows/may_skip.txt ${HF_WINE} $<TARGET_FILE:${name}>)
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES LABELS ${T_LABEL} TIMEOUT 900)
  hf_start_early(${name} ${T_LABEL})
endfunction()
