# SPDX-License-Identifier: Apache-2.0
#
# The black-box tests of holdfast.exe under Wine: the scripts of this folder, and those of tests/cli that need
# nothing of Linux (same_as_linux.txt). All of them run the wrapper, which a shell script uses like the
# program of Linux; each is bounded in time, as every test is.

if(NOT TARGET holdfast OR NOT HF_WINE)
  return()
endif()
set(HF_WINDOWS_PROGRAM ${CMAKE_BINARY_DIR}/holdfast.exe)
configure_file(${CMAKE_CURRENT_LIST_DIR}/holdfast-under-wine.in ${CMAKE_BINARY_DIR}/holdfast-under-wine @ONLY
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Somebody else's programs, built without a flag of ours.
foreach(locker IN ITEMS msvcrt_locker directory_locker)
  add_executable(${locker} ${CMAKE_CURRENT_LIST_DIR}/${locker}.c)
  set_target_properties(${locker} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endforeach()

set(environment HOLDFAST=${CMAKE_BINARY_DIR}/holdfast-under-wine HOLDFAST_EXE=${HF_WINDOWS_PROGRAM})
if(TARGET hf_test_child)
  list(APPEND environment HF_TEST_CHILD=$<TARGET_FILE:hf_test_child>)
endif()
# hf_windows_script(NAME SCRIPT)
function(hf_windows_script name script)
  hf_script_test(${name} program sh ${script})
  set_property(TEST ${name} PROPERTY ENVIRONMENT ${environment})
endfunction()

file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.sh)
foreach(script IN LISTS scripts)
  get_filename_component(name ${script} NAME_WE)
  hf_windows_script(windows.${name} ${script})
endforeach()

set(list ${CMAKE_CURRENT_LIST_DIR}/same_as_linux.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(STRINGS ${list} names REGEX "^[a-z]")
foreach(name IN LISTS names)
  file(GLOB script ${CMAKE_SOURCE_DIR}/tests/cli/*/${name}.sh)
  if(NOT script)
    message(FATAL_ERROR "${list}: there is no tests/cli/*/${name}.sh")
  endif()
  hf_windows_script(windows.cli.${name} ${script})
endforeach()

# The examples that say what they do on Windows.
file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/examples/*_windows.sh)
foreach(script IN LISTS scripts)
  get_filename_component(name ${script} NAME_WE)
  hf_windows_script(windows.examples.${name} ${script})
  set_property(TEST windows.examples.${name} APPEND PROPERTY ENVIRONMENT
    HOLDFAST_WINDOWS=${CMAKE_BINARY_DIR}/holdfast-under-wine)
endforeach()
