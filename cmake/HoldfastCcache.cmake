# SPDX-License-Identifier: Apache-2.0
#
# ccache, if it is installed. Paths below the source tree count as relative, so another clone finds what this
# one compiled. ccache caches nothing that uses a precompiled header unless it may ignore what the header makes
# unknowable, so the permission travels with the launcher.

find_program(HF_CCACHE ccache)
mark_as_advanced(HF_CCACHE)
if(HF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${HF_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
