# SPDX-License-Identifier: Apache-2.0
#
# ccache where present. It caches nothing that uses a precompiled header unless it may ignore what the
# header makes unknowable, so the permission travels with the launcher, whoever starts the build.

find_program(HF_CCACHE ccache)
mark_as_advanced(HF_CCACHE)
if(HF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${HF_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
