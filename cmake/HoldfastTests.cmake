# SPDX-License-Identifier: Apache-2.0
#
# hf_test_program(NAME SOURCES … LINK … [LABEL unit|system|sweep|long] [SHARDS N] [ALONE]): a GoogleTest
# program. It is one ctest test, or N of them that share its TESTs: a process for each TEST would cost minutes
# with a sanitizer or under Wine. ALONE: nothing runs beside it. A TEST named DISABLED_… is what a second start
# of the program does for another TEST.

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
  cmake_parse_arguments(PARSE_ARGV 1 T "ALONE" "LABEL;SHARDS" "SOURCES;LINK")
  if(NOT T_LABEL)
    set(T_LABEL unit)
  endif()
  add_executable(${name} ${T_SOURCES})
  add_dependencies(unit_tests ${name})
  target_link_libraries(${name} PRIVATE ${T_LINK} hf_test_flags hf_gtest)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # as the header was built
  target_precompile_headers(${name} REUSE_FROM hf_test_pch)
  if(NOT T_SHARDS OR WIN32)
    set(T_SHARDS 1)
  endif()
  set(command ${name})
  if(WIN32 AND HF_WINE)
    set(command sh ${CMAKE_SOURCE_DIR}/tests/windows/gtest-under-wine
        ${CMAKE_SOURCE_DIR}/tests/windows/may_skip.txt ${HF_WINE} $<TARGET_FILE:${name}>)
  endif()
  foreach(shard RANGE 1 ${T_SHARDS})
    set(test ${name})
    if(T_SHARDS GREATER 1)
      set(test ${name}.${shard})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${test} COMMAND ${command})
    set_tests_properties(${test} PROPERTIES LABELS ${T_LABEL} TIMEOUT 900 RUN_SERIAL "${T_ALONE}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${T_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()
