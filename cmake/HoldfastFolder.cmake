# SPDX-License-Identifier: Apache-2.0
#
# hf_folder(NAME SOURCES … [LINUX …] [POSIX …] [WINDOWS …] [DEPENDS …] [LIBRARIES …]
#           [TESTS …] [LINUX_TESTS …] [WINDOWS_TESTS …] [TEST_DEPENDS …])
#
# One folder of src/ = one library hf_NAME = one test program hf_NAME_test. The platform is chosen here,
# by file, never by #if in a body. DEPENDS names other folders; an edge that does not go strictly down in
# src/levels.txt stops the configuration.

file(STRINGS ${CMAKE_SOURCE_DIR}/src/levels.txt hf_level_lines REGEX "^[a-z]")
foreach(line IN LISTS hf_level_lines)
  string(REGEX MATCH "^([a-z]+) +([0-9]+)( +[a-z ]+)?$" ok "${line}")
  if(NOT ok)
    message(FATAL_ERROR "src/levels.txt: cannot read '${line}'")
  endif()
  set(HF_LEVEL_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})  # the lint checks the sub-folders
endforeach()

function(hf_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 F ""
    "" "SOURCES;LINUX;POSIX;WINDOWS;DEPENDS;LIBRARIES;TESTS;LINUX_TESTS;WINDOWS_TESTS;TEST_DEPENDS")
  if(F_UNPARSED_ARGUMENTS OR NOT DEFINED HF_LEVEL_${name})
    message(FATAL_ERROR "hf_folder(${name}): bad arguments, or no level in src/levels.txt")
  endif()
  set(sources ${F_SOURCES})
  set(tests ${F_TESTS})
  if(WIN32)
    list(APPEND sources ${F_WINDOWS})
    list(APPEND tests ${F_WINDOWS_TESTS})
  else()
    list(APPEND sources ${F_POSIX} ${F_LINUX})
    list(APPEND tests ${F_LINUX_TESTS})
  endif()

  add_library(hf_${name} STATIC ${sources})
  target_link_libraries(hf_${name} PRIVATE hf_flags)
  # What locks, replaces and appends is measured; the rest runs once a command and is built small.
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND HF_LEVEL_${name} GREATER 3)
    target_compile_options(hf_${name} PRIVATE -Os)
  endif()
  # Tests go through every byte of what these read: optimized, they make up for the time to compile them.
  set(parsers base format)
  if(HOLDFAST_SANITIZE AND name IN_LIST parsers)
    target_compile_options(hf_${name} PRIVATE -O1)
  elseif(TARGET hf_pch)
    target_precompile_headers(hf_${name} REUSE_FROM hf_pch)
  endif()
  target_include_directories(hf_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  foreach(lower IN LISTS F_DEPENDS)
    if(NOT HF_LEVEL_${lower} LESS HF_LEVEL_${name})
      message(FATAL_ERROR "src/${name} (level ${HF_LEVEL_${name}}) must not use "
                          "src/${lower} (level ${HF_LEVEL_${lower}})")
    endif()
    target_link_libraries(hf_${name} PUBLIC hf_${lower})
  endforeach()
  target_link_libraries(hf_${name} PUBLIC ${F_LIBRARIES})

  if(HOLDFAST_TESTS AND tests)
    hf_test_program(hf_${name}_test SOURCES ${tests} LINK hf_${name} ${F_TEST_DEPENDS})
  endif()
endfunction()
