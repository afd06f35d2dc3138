# SPDX-License-Identifier: Apache-2.0
# Cross-building for Windows with Debian's mingw-w64 (posix threads); tests run under Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(HF_WINE NAMES wine64 wine PATHS /usr/bin /usr/lib/wine)
if(HF_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${HF_WINE})
endif()

# In C++23 std::type_info::operator== is inline, and mingw's libstdc++.a of GCC 12 also defines it: every
# program that uses shared_ptr or any would fail to link. Both are the same function.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--allow-multiple-definition")
